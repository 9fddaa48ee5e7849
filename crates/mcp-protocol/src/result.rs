//! The result of a tool call, independent of any revision.

use serde_json::Value;

use crate::{ContentBlock, Object};

/// The result of a tool call.
///
/// Content and structured content should carry the same facts, because some hosts show a model only one of them.
/// [`crate::render`] converts a result to the form of a revision. The crate `mcp-convert` converts it to the form of a
/// host or SDK. [`CallToolResult::read`] reads a peer's result.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct CallToolResult {
    /// The content blocks, for the model.
    pub content: Vec<ContentBlock>,
    /// The structured value, for programs. `Some(Value::Null)` is a value, and `None` is its absence.
    pub structured_content: Option<Value>,
    /// Whether the tool failed, or rejected its arguments.
    pub is_error: bool,
    /// `_meta`.
    pub meta: Object,
    /// Unknown fields, and known ones with a value of the wrong type. Only reading fills it.
    pub extra: Object,
}

impl CallToolResult {
    /// Creates a success that contains `value` twice: as structured content, and as a text block of compact JSON.
    ///
    /// ```
    /// use mcp_protocol::CallToolResult;
    /// use serde_json::json;
    ///
    /// let result = CallToolResult::structured(json!({"height": 468}));
    /// assert_eq!(result.structured_content, Some(json!({"height": 468})));
    /// assert!(!result.is_error && result.content.len() == 1);
    /// ```
    #[must_use]
    pub fn structured(value: Value) -> Self {
        Self {
            content: vec![ContentBlock::text(value.to_string())],
            structured_content: Some(value),
            ..Self::default()
        }
    }

    /// Creates a success with only a text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::blocks(vec![ContentBlock::text(text)])
    }

    /// Creates a success with only these blocks.
    #[must_use]
    pub fn blocks(content: Vec<ContentBlock>) -> Self {
        Self {
            content,
            ..Self::default()
        }
    }

    /// Creates a failure: `isError`, one text block, no structured content.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(message)
        }
    }

    setters! {
        /// Adds a block.
        with_block(block: ContentBlock) { content.push(block) }
        /// Sets the structured value. The text is unchanged.
        with_structured_content(value: Value) { structured_content = Some(value) }
        /// Sets `_meta`, replacing any previous value.
        with_meta(meta: Object) { meta = meta }
    }

    /// Unwraps a structured value from `{"result": …}`, in which a revision wrapped it, if the tool's output schema
    /// describes anything but an object. Anything else is unchanged.
    #[must_use]
    pub fn unwrap_structured(mut self, output_schema: &Value) -> Self {
        let is_wrapped_by_schema =
            output_schema.get("type").and_then(Value::as_str) != Some("object");
        match &mut self.structured_content {
            Some(Value::Object(object)) if is_wrapped_by_schema && object.len() == 1 => {
                if let Some(value) = object.get_mut("result") {
                    self.structured_content = Some(value.take());
                }
            }
            Some(_) | None => (),
        }
        self
    }
}

macro_rules! successes {
    ($($Ty:ty, |$it:ident| $result:expr;)+) => { $(
        impl From<$Ty> for CallToolResult {
            fn from($it: $Ty) -> Self {
                $result
            }
        }
    )+ };
}

successes! {
    String, |text| Self::text(text);
    &str, |text| Self::text(text);
    ContentBlock, |block| Self::blocks(vec![block]);
    Vec<ContentBlock>, |blocks| Self::blocks(blocks);
}
