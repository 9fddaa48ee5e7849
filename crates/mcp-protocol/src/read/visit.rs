//! Deserialization of tool results without an intermediate tree. Tool results are the most frequent input and may be
//! long.

use std::{fmt, mem::take};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::Value;

use super::{
    entry::{Entry, Name, exact_number},
    members::{Members, without_null},
    result::read_block,
};
use crate::{
    CallToolResult, ContentBlock,
    content::{MediaContent, ResourceLink},
};

impl<'de> Deserialize<'de> for CallToolResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ResultVisitor)
    }
}

struct ResultVisitor;

impl<'de> Visitor<'de> for ResultVisitor {
    type Value = CallToolResult;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the result of a tool")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CallToolResult, A::Error> {
        let mut result = CallToolResult::default();
        let mut is_result = false;
        while let Some(Name(name)) = map.next_key()? {
            is_result |= matches!(&*name, "content" | "structuredContent" | "isError");
            match &*name {
                // Null means absent, as for all optional fields.
                "content" => result.content = map.next_value::<Option<_>>()?.unwrap_or_default(),
                "structuredContent" => result.structured_content = map.next_value()?,
                "isError" => result.is_error = map.next_value::<Option<_>>()?.unwrap_or_default(),
                "_meta" => match map.next_value()? {
                    Value::Null => (),
                    Value::Object(meta) => result.meta = meta,
                    other => _ = result.extra.insert(name.into_owned(), other),
                },
                "resultType" => match map.next_value()? {
                    Value::Null => (),
                    Value::String(kind) if kind == "complete" => (),
                    Value::String(kind) => {
                        return Err(A::Error::custom(format_args!(
                            "the result is not complete but {kind}"
                        )));
                    }
                    other => _ = result.extra.insert(name.into_owned(), other),
                },
                _ => {
                    if let Some(value) = map.next_value()? {
                        result.extra.insert(name.into_owned(), value);
                    }
                }
            }
        }
        if is_result {
            Ok(result)
        } else {
            Err(A::Error::custom("the result of a tool has content"))
        }
    }
}

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)
    }
}

/// The fields of blocks that have string values, in the order of [`Strings`].
const NAMES: [&str; 8] = [
    "type",
    "text",
    "data",
    "mimeType",
    "uri",
    "name",
    "title",
    "description",
];

/// The string fields of a block.
type Strings = [Option<String>; NAMES.len()];

/// Reads a block with only string fields directly, and any other block from a tree. A value that is not an object is
/// also a block, which no revision defines.
impl Entry for ContentBlock {
    fn from_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut strings = Strings::default();
        let mut rest = Members::default();
        while let Some(Name(name)) = map.next_key()? {
            let at = NAMES.iter().position(|it| *it == name);
            match (at.and_then(|it| strings.get_mut(it)), map.next_value()?) {
                (Some(slot), Value::String(value)) => *slot = Some(value),
                (_, Value::Null) => (),
                (_, value) => rest.push(name, value),
            }
        }
        let block = rest.is_empty().then(|| of_strings(&mut strings));
        if let Some(block) = block.flatten() {
            return Ok(block);
        }
        for (name, value) in NAMES.into_iter().zip(strings) {
            if let Some(value) = value {
                rest.push(name.into(), value.into());
            }
        }
        let value = exact_number(&rest).unwrap_or_else(|| Value::Object(rest.rest()));
        Ok(Self::from_value(value))
    }

    fn from_value(mut value: Value) -> Self {
        without_null(&mut value);
        read_block(value)
    }
}

/// Takes the strings of a block, if its type has all of these fields and no others.
fn of_strings(strings: &mut Strings) -> Option<ContentBlock> {
    Some(match strings {
        [Some(kind), Some(text), None, None, None, None, None, None] if kind == "text" => {
            ContentBlock::text(take(text))
        }
        [
            Some(kind),
            None,
            Some(data),
            Some(mime_type),
            None,
            None,
            None,
            None,
        ] if kind == "image" => ContentBlock::Image(MediaContent::new(take(data), take(mime_type))),
        [
            Some(kind),
            None,
            Some(data),
            Some(mime_type),
            None,
            None,
            None,
            None,
        ] if kind == "audio" => ContentBlock::Audio(MediaContent::new(take(data), take(mime_type))),
        [
            Some(kind),
            None,
            None,
            mime_type,
            Some(uri),
            Some(name),
            title,
            description,
        ] if kind == "resource_link" => ContentBlock::ResourceLink(Box::new(ResourceLink {
            uri: take(uri),
            name: take(name),
            title: take(title),
            description: take(description),
            mime_type: take(mime_type),
            ..ResourceLink::default()
        })),
        _ => return None,
    })
}
