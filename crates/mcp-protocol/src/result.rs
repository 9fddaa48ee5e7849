//! The result of a tool call, free of any revision.

use serde_json::Value;

use crate::{Object, content::ContentBlock};

/// What a tool call came to.
///
/// Text and structure carry the same facts: some hosts show a model only the one, some only the other.
/// [`crate::render`] turns it into the shape of a revision, [`crate::convert`] into that of an SDK,
/// [`CallToolResult::parse`] reads what a peer sent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallToolResult {
    /// What a model reads.
    pub content: Vec<ContentBlock>,
    /// What a program reads; `Some(Value::Null)` is a value, `None` is its absence.
    pub structured_content: Option<Value>,
    /// The tool ran and failed, or refused its arguments.
    pub is_error: bool,
    /// `_meta` members.
    pub meta: Object,
    /// Members that no revision names, or whose value is of the wrong kind. Only reading fills it.
    pub extra: Object,
}

impl CallToolResult {
    /// A success that says `value` twice: as structure, and as one text block with the same JSON, compact.
    #[must_use]
    pub fn structured(value: Value) -> Self {
        Self {
            content: vec![ContentBlock::text(value.to_string())],
            structured_content: Some(value),
            ..Self::default()
        }
    }

    /// A success in text alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self::blocks(vec![ContentBlock::text(text)])
    }

    /// A success in these blocks alone.
    #[must_use]
    pub fn blocks(content: Vec<ContentBlock>) -> Self {
        Self {
            content,
            ..Self::default()
        }
    }

    /// A failure: `isError`, one text block, no structure.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(message)
        }
    }

    /// Takes a structured value out of the `{"result": …}` that a revision forced on it, for a tool whose
    /// neutral output schema has another root than an object. Anything else stays as it is.
    #[must_use]
    pub fn unwrapped(mut self, output_schema: &Value) -> Self {
        let is_wrapped_by_schema =
            output_schema.get("type").and_then(Value::as_str) != Some("object");
        if is_wrapped_by_schema
            && let Some(Value::Object(object)) = &mut self.structured_content
            && object.len() == 1
            && let Some(value) = object.get_mut("result")
        {
            self.structured_content = Some(value.take());
        }
        self
    }
}
