//! Results of calls, blocks of content, and contents of resources.

use serde_json::{Value, json};

use super::{FromWire, Unreadable, members::Members};
use crate::{
    content::{Annotations, ContentBlock, ResourceContents},
    error::ErrorObject,
    jsonrpc::RequestId,
    parse::{Head, read_block},
    result::CallToolResult,
};

/// As [`CallToolResult::parse`] reads it, without what is wrong with it; nothing is copied.
impl FromWire for CallToolResult {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        if Head::read(&value).is_err() {
            return Err(Unreadable::new(
                "result",
                "the result of a tool",
                Some(&value),
            ));
        }
        let mut members = Members::of("result", value)?;
        let mut result = Self {
            content: members.list("content"),
            structured_content: members.take("structuredContent"),
            is_error: members.bool("isError").unwrap_or(false),
            ..Self::default()
        };
        if let Some(kind) = members.take("resultType").filter(|it| !it.is_string()) {
            result.extra.insert("resultType".to_owned(), kind);
        }
        match members.take("_meta") {
            Some(Value::Object(meta)) => result.meta = meta,
            Some(other) => _ = result.extra.insert("_meta".to_owned(), other),
            None => (),
        }
        result.extra.extend(members.rest());
        Ok(result)
    }
}

/// Any value is a block: what no revision defines is [`ContentBlock::Other`].
impl FromWire for ContentBlock {
    fn from_wire(mut value: Value) -> Result<Self, Unreadable> {
        // Most blocks are plain text, which may be long.
        match plain_text(&mut value) {
            Some(text) => Ok(Self::text(text)),
            None => Ok(read_block(&value)),
        }
    }
}

fn plain_text(block: &mut Value) -> Option<String> {
    let block = block.as_object_mut().filter(|it| it.len() == 2)?;
    if block.get("type").and_then(Value::as_str) != Some("text") {
        return None;
    }
    match block.get_mut("text")? {
        Value::String(text) => Some(std::mem::take(text)),
        _ => None,
    }
}

impl FromWire for Annotations {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let found = Unreadable::new("annotations", "an object", Some(&value));
        let block = read_block(&json!({"type": "text", "text": "", "annotations": value}));
        match block {
            ContentBlock::Text(text) => text.attributes.annotations.ok_or(found),
            _ => Err(found),
        }
    }
}

impl FromWire for ResourceContents {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("contents", value)?;
        Ok(Self {
            uri: members.required_string("uri")?,
            mime_type: members.string("mimeType"),
            text: members.string("text"),
            blob: members.string("blob"),
            meta: match members.take("_meta") {
                Some(Value::Object(meta)) => Some(meta),
                Some(_) | None => None,
            },
            extra: members.rest(),
        })
    }
}

impl FromWire for ErrorObject {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        match value.is_object() {
            true => Ok(Self::from_value(&value)),
            false => Err(Unreadable::new("error", "an object", Some(&value))),
        }
    }
}

impl FromWire for RequestId {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let id = Self::from_value(&value);
        id.ok_or_else(|| Unreadable::new("id", "a string or an integer", Some(&value)))
    }
}
