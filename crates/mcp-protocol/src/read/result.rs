//! Reading a tool result from a peer. Everything is preserved, and everything invalid is reported.

mod block;
mod diagnostic;

use serde_json::Value;

use self::diagnostic::Problem;
pub use self::diagnostic::{Diagnostic, NotAToolResult};
use crate::{
    CallToolResult, ContentBlock, Features, Object, render, revision::StructuredContentForm,
};

/// Options for reading a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ToolResultReadOptions {
    pub(crate) is_strict: bool,
    pub(crate) rules: Option<&'static Features>,
    pub(crate) legacy_tool_result: bool,
}

impl ToolResultReadOptions {
    setters! {
        /// Fails on the first violation of the specification, instead of preserving it and reporting it in
        /// [`ReceivedToolResult::diagnostics`].
        strict() { is_strict = true }
        /// Sets the features of the peer's revision. Structured content and blocks are then also checked against the
        /// revision.
        with_features(rules: &'static Features) { rules = Some(rules) }
        /// Accepts `{"toolResult": …}` of 2024-10-07. Its value becomes a structured success.
        with_legacy_tool_result() { legacy_tool_result = true }
    }
}

/// A tool result as a peer sent it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedToolResult {
    /// The result, independent of any revision.
    pub result: CallToolResult,
    /// The violations of the specification, in the order of the input. Empty for every valid input.
    pub diagnostics: Vec<Diagnostic>,
    received: Received,
}

/// The information that the neutral model leaves out: the fields that were present, and their order.
#[derive(Debug, Clone, PartialEq, Default)]
struct Received {
    members: Vec<String>,
    result_type: Option<String>,
}

impl CallToolResult {
    /// Reads a `tools/call` result of any revision.
    ///
    /// Unknown blocks and fields are preserved. A malformed block is preserved as [`crate::ContentBlock::Other`].
    ///
    /// ```
    /// use mcp_protocol::{CallToolResult, read::ToolResultReadOptions};
    ///
    /// let sent = serde_json::json!({"content": [{"type": "text", "text": "ok"}, {"type": "image", "data": "aGk="}]});
    /// let read = CallToolResult::read(sent.clone(), ToolResultReadOptions::default())?;
    /// assert_eq!(read.diagnostics[0].to_string(), "content[1].mimeType: missing");
    /// assert!(CallToolResult::read(sent, ToolResultReadOptions::default().strict()).is_err());
    /// # Ok::<(), mcp_protocol::read::NotAToolResult>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the value is not an object, has none of `content`, `structuredContent` and `isError`, has
    /// one of them with a value of the wrong type, or is another kind of result (`input_required`, a task). With
    /// [`ToolResultReadOptions::strict`], also returns the first diagnostic as an error.
    pub fn read(
        value: Value,
        reading: ToolResultReadOptions,
    ) -> Result<ReceivedToolResult, NotAToolResult> {
        if is_legacy(&value, reading) {
            return Ok(ReceivedToolResult::legacy(value));
        }
        let is_error = ToolResultRef::read(&value)?.is_error;
        let mut result = Self {
            is_error: is_error.unwrap_or(false),
            ..Self::default()
        };
        let (mut content, mut odd_members) = (Vec::new(), Vec::new());
        let mut received = Received::default();
        let Value::Object(object) = value else {
            return Err(NotAToolResult::expected("", "an object", &value));
        };
        for (name, value) in object {
            received.members.push(name.clone());
            let (expected, value) = match (name.as_str(), value) {
                ("content", Value::Array(blocks)) => {
                    content = blocks;
                    continue;
                }
                ("structuredContent", structured) => {
                    result.structured_content = Some(structured);
                    continue;
                }
                ("_meta", Value::Object(meta)) => {
                    result.meta = meta;
                    continue;
                }
                ("resultType", Value::String(kind)) => {
                    received.result_type = Some(kind);
                    continue;
                }
                ("isError", Value::Bool(_)) => continue,
                ("isError", value) => ("a boolean", value),
                ("_meta", value) => ("an object", value),
                ("resultType", value) => ("a string", value),
                (_, value) => {
                    result.extra.insert(name, value);
                    continue;
                }
            };
            odd_members.push(Diagnostic::expected(name.as_str(), expected, &value));
            result.extra.insert(name, value);
        }
        let mut diagnostics = Vec::new();
        result.content.reserve_exact(content.len());
        for (index, value) in content.into_iter().enumerate() {
            let block = block::read(value, index, &mut diagnostics);
            if let Some(rules) = reading.rules.filter(|it| !render::has_block(&block, it)) {
                diagnostics.push(Diagnostic {
                    path: format!("content[{index}]"),
                    problem: Problem::BlockNotInRevision {
                        kind: block.kind().to_owned(),
                        revision: rules.name,
                    },
                });
            }
            result.content.push(block);
        }
        let wants_object = reading
            .rules
            .is_some_and(|it| it.structured_content == StructuredContentForm::Object);
        let structured = result.structured_content.as_ref();
        if let Some(structured) = structured.filter(|it| wants_object && !it.is_object()) {
            diagnostics.push(Diagnostic::expected(
                "structuredContent",
                "an object",
                structured,
            ));
        }
        diagnostics.extend(odd_members);
        if reading.is_strict && !diagnostics.is_empty() {
            return Err(NotAToolResult::Malformed(diagnostics.swap_remove(0)));
        }
        Ok(ReceivedToolResult {
            result,
            diagnostics,
            received,
        })
    }
}

/// Returns whether the value is a result of 2024-10-07, and the options accept such results.
fn is_legacy(value: &Value, reading: ToolResultReadOptions) -> bool {
    let has = |name| value.get(name).is_some();
    reading.legacy_tool_result && has("toolResult") && !has("content")
}

impl ReceivedToolResult {
    fn legacy(mut value: Value) -> Self {
        let result = value.get_mut("toolResult").map(Value::take);
        Self {
            result: CallToolResult::structured(result.unwrap_or_default()),
            diagnostics: Vec::new(),
            received: Received {
                members: vec!["content".to_owned(), "structuredContent".to_owned()],
                result_type: None,
            },
        }
    }

    /// Returns JSON equal to the input, valid or not, serialized from the model.
    ///
    /// The fields of the result keep their order. In a block, the known fields come first.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let (result, received) = (&self.result, &self.received);
        let mut object = Object::new();
        for name in &received.members {
            let value = match name.as_str() {
                "content" => Some(result.content.iter().map(ContentBlock::to_value).collect()),
                "structuredContent" => Some(result.structured_content.clone().into()),
                "isError" if !result.extra.contains_key(name) => Some(result.is_error.into()),
                _ => result
                    .extra
                    .get(name)
                    .cloned()
                    .or_else(|| match name.as_str() {
                        "_meta" => Some(result.meta.clone().into()),
                        _ => received.result_type.clone().map(Value::from),
                    }),
            };
            object.extend(value.map(|it| (name.clone(), it)));
        }
        Value::Object(object)
    }
}

/// Reads one block, valid or not.
pub(crate) fn read_block(value: Value) -> ContentBlock {
    block::read(value, 0, &mut Vec::new())
}

/// The fields that determine whether a value is a tool result, borrowed.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ToolResultRef<'a> {
    /// The result.
    pub object: &'a Object,
    /// The `content`, if present.
    pub content: Option<&'a [Value]>,
    /// The `structuredContent`, if present.
    pub structured: Option<&'a Value>,
    /// The `isError` flag, if present.
    pub is_error: Option<bool>,
}

impl<'a> ToolResultRef<'a> {
    /// Reads the fields of a result without copying them.
    ///
    /// # Errors
    /// Fails as [`CallToolResult::read`] does without [`ToolResultReadOptions::strict`].
    pub fn read(value: &'a Value) -> Result<Self, NotAToolResult> {
        let object = value
            .as_object()
            .ok_or_else(|| NotAToolResult::expected("", "an object", value))?;
        match object.get("resultType").and_then(Value::as_str) {
            None | Some("complete") => (),
            Some(other) => return Err(NotAToolResult::NotComplete(other.to_owned())),
        }
        let content = match object.get("content") {
            None => None,
            Some(Value::Array(content)) => Some(content.as_slice()),
            Some(other) => return Err(NotAToolResult::expected("content", "an array", other)),
        };
        let is_error = match object.get("isError") {
            // Some SDKs write null for absent fields.
            None | Some(Value::Null) => None,
            Some(Value::Bool(is_error)) => Some(*is_error),
            Some(other) => return Err(NotAToolResult::expected("isError", "a boolean", other)),
        };
        let structured = object.get("structuredContent");
        if content.is_none() && structured.is_none() && is_error.is_none() {
            return Err(match object.get("task") {
                Some(Value::Object(_)) => NotAToolResult::NotComplete("task".to_owned()),
                Some(_) | None => NotAToolResult::whole(Problem::NoMember),
            });
        }
        Ok(Self {
            object,
            content,
            structured,
            is_error,
        })
    }
}
