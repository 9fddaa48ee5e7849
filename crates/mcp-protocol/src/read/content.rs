//! Results of calls, blocks of content, and contents of resources.

use serde_json::{Value, json};

use super::{FromWire, Unreadable, members::Members};
use crate::{
    content::{Annotations, ContentBlock, ResourceContents},
    error::ErrorObject,
    jsonrpc::RequestId,
    parse::{Reading, read_block},
    result::CallToolResult,
};

/// As [`CallToolResult::parse_owned`] reads it, without what is wrong with it.
impl FromWire for CallToolResult {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let unreadable = Unreadable::new("result", "the result of a tool", Some(&value));
        let parsed = Self::parse_owned(value, Reading::default());
        parsed.map(|it| it.result).map_err(|_| unreadable)
    }
}

/// Any value is a block: what no revision defines is [`ContentBlock::Other`].
impl FromWire for ContentBlock {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        Ok(read_block(value))
    }
}

impl FromWire for Annotations {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let found = Unreadable::new("annotations", "an object", Some(&value));
        let block = read_block(json!({"type": "text", "text": "", "annotations": value}));
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
        if value.is_object() {
            Ok(Self::from_value(&value))
        } else {
            Err(Unreadable::new("error", "an object", Some(&value)))
        }
    }
}

impl FromWire for RequestId {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let id = Self::from_value(&value);
        id.ok_or_else(|| Unreadable::new("id", "a string or an integer", Some(&value)))
    }
}
