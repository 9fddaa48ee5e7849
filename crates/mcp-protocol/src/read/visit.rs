//! Deserializing results of calls without a tree in between: they are read more often than anything else, and may be long.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

use super::FromWire;
use crate::{
    content::{ContentBlock, Media},
    json::Object,
    result::CallToolResult,
};

/// The name of a member, which is copied only if it has escapes.
struct Name<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;

        impl<'de> Visitor<'de> for NameVisitor {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }

            fn visit_string<E>(self, name: String) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name)))
            }
        }

        deserializer.deserialize_str(NameVisitor)
    }
}

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
                "content" => result.content = map.next_value()?,
                "structuredContent" => result.structured_content = Some(map.next_value()?),
                "isError" => result.is_error = map.next_value()?,
                "_meta" => match map.next_value()? {
                    Value::Object(meta) => result.meta = meta,
                    other => _ = result.extra.insert(name.into_owned(), other),
                },
                "resultType" => match map.next_value()? {
                    Value::String(kind) if kind == "complete" => (),
                    Value::String(kind) => {
                        return Err(A::Error::custom(format_args!(
                            "the result is not complete but {kind}"
                        )));
                    }
                    other => _ = result.extra.insert(name.into_owned(), other),
                },
                _ => _ = result.extra.insert(name.into_owned(), map.next_value()?),
            }
        }
        match is_result {
            true => Ok(result),
            false => Err(A::Error::custom("the result of a tool has content")),
        }
    }
}

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BlockVisitor)
    }
}

struct BlockVisitor;

impl BlockVisitor {
    fn of<E>(value: impl Into<Value>) -> Result<ContentBlock, E>
    where
        E: Error,
    {
        ContentBlock::from_wire(value.into()).map_err(E::custom)
    }
}

/// Texts, pictures and sounds without anything unusual are read as they come; everything else becomes a tree first. What
/// is no object is a block all the same, which no revision defines.
impl<'de> Visitor<'de> for BlockVisitor {
    type Value = ContentBlock;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a block of content")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ContentBlock, A::Error> {
        let (mut kind, mut text, mut data, mut mime_type) = (None, None, None, None);
        let mut rest = Object::new();
        while let Some(Name(name)) = map.next_key()? {
            let slot = match &*name {
                "type" => &mut kind,
                "text" => &mut text,
                "data" => &mut data,
                "mimeType" => &mut mime_type,
                _ => {
                    rest.insert(name.into_owned(), map.next_value()?);
                    continue;
                }
            };
            match map.next_value()? {
                Value::String(value) => *slot = Some(value),
                other => _ = rest.insert(name.into_owned(), other),
            }
        }
        let kind_of = kind.as_deref().filter(|_| rest.is_empty());
        match (kind_of, text, data, mime_type) {
            (Some("text"), Some(text), None, None) => Ok(ContentBlock::text(text)),
            (Some("image"), None, Some(data), Some(mime_type)) => {
                Ok(ContentBlock::Image(Media::new(data, mime_type)))
            }
            (Some("audio"), None, Some(data), Some(mime_type)) => {
                Ok(ContentBlock::Audio(Media::new(data, mime_type)))
            }
            (_, text, data, mime_type) => {
                let names = ["type", "text", "data", "mimeType"];
                let values = [kind, text, data, mime_type];
                for (name, value) in names.into_iter().zip(values) {
                    if let Some(value) = value {
                        rest.insert(name.to_owned(), value.into());
                    }
                }
                Self::of(exact_number(&rest).unwrap_or(Value::Object(rest)))
            }
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ContentBlock, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<Value>()? {
            items.push(item);
        }
        Self::of(items)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<ContentBlock, E> {
        Self::of(value)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<ContentBlock, E> {
        Self::of(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<ContentBlock, E> {
        Self::of(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<ContentBlock, E> {
        Self::of(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<ContentBlock, E> {
        Self::of(value)
    }

    fn visit_unit<E: Error>(self) -> Result<ContentBlock, E> {
        Self::of(Value::Null)
    }
}

/// With the feature `arbitrary_precision` of serde_json a number comes as an object with this member.
fn exact_number(object: &Object) -> Option<Value> {
    let digits = object.get("$serde_json::private::Number")?.as_str()?;
    serde_json::from_str(digits).ok()
}
