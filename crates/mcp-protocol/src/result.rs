//! The result of a tool call, independent of any revision.

use serde_json::Value;

use crate::{ContentBlock, Object};

/// The result of a tool call.
///
/// Text and structure carry the same facts: some hosts show a model only the one, some only the other.
/// [`crate::render`] turns it into the shape of a revision, the crate `mcp-convert` into the shape of a host or SDK, and
/// [`CallToolResult::read`] reads what a peer sent.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct CallToolResult {
    /// For the model.
    pub content: Vec<ContentBlock>,
    /// For programs; `Some(Value::Null)` is a value, `None` is its absence.
    pub structured_content: Option<Value>,
    /// The tool failed, or refused its arguments.
    pub is_error: bool,
    /// `_meta`.
    pub meta: Object,
    /// Members that no revision defines, or whose value is of the wrong kind. Only reading fills it.
    pub extra: Object,
}

impl CallToolResult {
    /// A success with `value` twice: as structure, and as one text block with the same JSON, compact.
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

    setters! {
        /// With one more block.
        with_block(block: ContentBlock) { content.push(block) }
        /// With a structured value; the text stays as it is.
        with_structured_content(value: Value) { structured_content = Some(value) }
        /// With `_meta`, which replaces any set before.
        with_meta(meta: Object) { meta = meta }
    }

    /// Takes a structured value out of the `{"result": …}` that a revision wrapped it in, for a tool whose
    /// output schema describes something other than an object. Anything else stays as it is.
    #[must_use]
    pub fn unwrapped(mut self, output_schema: &Value) -> Self {
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
