//! Conversion of a tool function's return value to a result, by its type rather than its contents.

use std::borrow::Cow;

use mcp_protocol::{CallToolResult, ContentBlock, Object};
use serde::Serialize;
use serde_json::Value;

/// An error converting a value to JSON.
#[derive(Debug, thiserror::Error)]
#[error("{path} cannot be JSON")]
pub struct ToJsonError {
    /// Where in the value, as `offers[2].price`; `value` for the value itself.
    path: String,
    source: serde_json::Error,
}

/// A failure of a tool.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolError {
    /// For the model: what is wrong, and what to do about it.
    pub(crate) message: String,
    /// For programs; see [`ToolOutputOptions::with_structured_error_details`].
    pub(crate) details: Option<Value>,
}

/// Options for converting return values to results. A server sets them once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolOutputOptions {
    unit: Option<Cow<'static, str>>,
    has_error_details: bool,
    has_output_schema: bool,
}

impl ToJsonError {
    fn new(error: serde_path_to_error::Error<serde_json::Error>) -> Self {
        let path = match error.path().to_string() {
            root if root == "." => "value".to_owned(),
            path => path,
        };
        let source = error.into_inner();
        Self { path, source }
    }
}

impl ToolOutputOptions {
    mcp_protocol::setters! {
        /// Sets the text content of a result without a value. The default is no content.
        with_unit_text(words: impl Into<Cow<'static, str>>) { unit = Some(words.into()) }
        /// Includes the details of a failure as structured content. Errors seldom conform to the output schema, and some hosts pass
        /// only the structured content to the model.
        with_structured_error_details() { has_error_details = true }
        /// Also returns strings as structured content, because the tool declares an output schema.
        with_output_schema() { has_output_schema = true }
    }
}

impl ToolError {
    mcp_protocol::setters! {
        /// Sets details for programs.
        with_details(details: Value) { details = Some(details) }
    }

    /// Converts a return value that reports failures in a field.
    ///
    /// If the field is present and not null, its text or JSON becomes the message of the failure, and the entire value becomes the
    /// details. Otherwise the value is returned. No other function of this crate checks for such a field.
    ///
    /// ```
    /// use mcp_convert::{IntoCallToolResult, ToolOutputOptions, ToolError};
    ///
    /// let output = ToolError::from_error_field("error", serde_json::json!({"error": "node unreachable"}));
    /// assert!(output.into_call_tool_result(&ToolOutputOptions::default())?.is_error);
    /// # Ok::<(), mcp_convert::ToJsonError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the failure if the field is present and not null.
    pub fn from_error_field(name: &str, value: Value) -> Result<Value, Self> {
        let message = match value.get(name) {
            None | Some(Value::Null) => return Ok(value),
            Some(Value::String(message)) => message.clone(),
            Some(other) => other.to_string(),
        };
        let details = Some(value);
        Err(Self { message, details })
    }
}

impl From<&str> for ToolError {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self {
            message,
            details: None,
        }
    }
}

/// The result of a tool, or the reason that its value is not JSON.
type Output = Result<CallToolResult, ToJsonError>;

/// A return type of tool functions.
///
/// ```
/// use mcp_convert::{IntoCallToolResult, ToolOutputOptions, StructuredOutput};
///
/// let offers = StructuredOutput(vec!["a", "b"]);
/// let result = offers.into_call_tool_result(&ToolOutputOptions::default())?;
/// assert_eq!(result.structured_content, Some(serde_json::json!(["a", "b"])));
/// # Ok::<(), mcp_convert::ToJsonError>(())
/// ```
pub trait IntoCallToolResult {
    /// Returns the result in a revision-independent form. [`mcp_protocol::render`] converts it to the revision of a peer.
    ///
    /// # Errors
    /// Returns an error if the value cannot be converted to JSON.
    fn into_call_tool_result(self, options: &ToolOutputOptions) -> Output;
}

/// A wrapper that returns any serializable value as structured content, and as the same JSON in text.
///
/// NaN and infinities become null, as in `serde_json`. The explicit wrapper makes structured content a deliberate choice. The
/// conversion fails if map keys are not strings or `Serialize` fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a wrapper of one value")]
pub struct StructuredOutput<T>(pub T);

impl<T: Serialize> IntoCallToolResult for StructuredOutput<T> {
    fn into_call_tool_result(self, options: &ToolOutputOptions) -> Output {
        let value = serde_path_to_error::serialize(&self.0, serde_json::value::Serializer);
        value
            .map_err(ToJsonError::new)?
            .into_call_tool_result(options)
    }
}

/// `None` means no value, like `()`. JSON null is [`Value::Null`].
impl<T: IntoCallToolResult> IntoCallToolResult for Option<T> {
    fn into_call_tool_result(self, options: &ToolOutputOptions) -> Output {
        match self {
            Some(value) => value.into_call_tool_result(options),
            None => ().into_call_tool_result(options),
        }
    }
}

impl<T: IntoCallToolResult, E: Into<ToolError>> IntoCallToolResult for Result<T, E> {
    fn into_call_tool_result(self, options: &ToolOutputOptions) -> Output {
        let failure = match self {
            Ok(value) => return value.into_call_tool_result(options),
            Err(failure) => failure.into(),
        };
        let mut result = CallToolResult::error(failure.message);
        result.structured_content = failure.details.filter(|_| options.has_error_details);
        Ok(result)
    }
}

impl IntoCallToolResult for () {
    fn into_call_tool_result(self, options: &ToolOutputOptions) -> Output {
        let words = options.unit.iter().cloned();
        Ok(CallToolResult::blocks(
            words.map(ContentBlock::text).collect(),
        ))
    }
}

fn text(words: String, options: &ToolOutputOptions) -> CallToolResult {
    let structured = options.has_output_schema.then(|| words.as_str().into());
    let mut result = CallToolResult::text(words);
    result.structured_content = structured;
    result
}

fn structured(value: Value, _: &ToolOutputOptions) -> CallToolResult {
    CallToolResult::structured(value)
}

fn blocks(blocks: Vec<ContentBlock>, _: &ToolOutputOptions) -> CallToolResult {
    CallToolResult::blocks(blocks)
}

fn result(result: CallToolResult, _: &ToolOutputOptions) -> CallToolResult {
    result
}

/// Implements the trait for types whose conversion cannot fail.
macro_rules! into_call_tool_result {
    ($($function:ident: $($type:ty),+;)+) => {$($(
        impl IntoCallToolResult for $type {
            fn into_call_tool_result(self, options: &ToolOutputOptions) -> Output {
                Ok($function(self.into(), options))
            }
        }
    )+)+};
}

into_call_tool_result! {
    text: &str, String, Cow<'_, str>, Box<str>;
    blocks: Vec<ContentBlock>;
    result: ContentBlock, CallToolResult;
    structured: Value, Object, bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64;
}
