//! What a tool's function returns, and how that becomes a result: by its type, not by its contents.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::{CallToolResult, ContentBlock, Object};

/// An ordinary value on its way to a [`CallToolResult`].
///
/// ```
/// use mcp_protocol::{IntoToolOutput, OutputOptions, Structured};
///
/// let offers = Structured(vec!["a", "b"]);
/// let result = offers.into_tool_output()?.into_result(&OutputOptions::default());
/// assert_eq!(result.structured_content, Some(serde_json::json!(["a", "b"])));
/// # Ok::<(), mcp_protocol::NotJson>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutput {
    body: Body,
    text: Option<String>,
    structured: Option<Value>,
    meta: Object,
}

#[derive(Debug, Clone, PartialEq)]
enum Body {
    Nothing,
    Text(String),
    Value(Value),
    Blocks(Vec<ContentBlock>),
    Failure(ToolFailure),
}

/// A value that cannot be JSON.
#[derive(Debug, thiserror::Error)]
#[error("{path} cannot be JSON")]
pub struct NotJson {
    /// Where in the value, as `offers[2].price`; `value` for the value itself.
    path: String,
    source: serde_json::Error,
}

/// Why a tool failed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolFailure {
    /// For the model: what is wrong, and what to do about it.
    pub(crate) message: String,
    /// For programs; see [`OutputOptions::with_error_details`].
    pub(crate) details: Option<Value>,
}

/// Choices that a server makes once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutputOptions {
    is_indented: bool,
    unit: Option<Cow<'static, str>>,
    has_error_details: bool,
    has_output_schema: bool,
}

impl ToolOutput {
    fn new(body: Body) -> Self {
        Self {
            body,
            text: None,
            structured: None,
            meta: Object::new(),
        }
    }

    fn empty() -> Self {
        Self::new(Body::Nothing)
    }

    fn text(text: impl Into<String>) -> Self {
        Self::new(Body::Text(text.into()))
    }

    fn value(value: Value) -> Self {
        Self::new(Body::Value(value))
    }

    fn blocks(blocks: Vec<ContentBlock>) -> Self {
        Self::new(Body::Blocks(blocks))
    }

    fn failure(failure: impl Into<ToolFailure>) -> Self {
        Self::new(Body::Failure(failure.into()))
    }

    /// What a tool returns that says its failures in a member, which no other function looks for: a failure whose message is the text or
    /// JSON of that member, and whose details are the object; an ordinary value if the member is absent or null.
    ///
    /// ```
    /// use mcp_protocol::{OutputOptions, ToolOutput};
    ///
    /// let output = ToolOutput::from_error_key("error", serde_json::json!({"error": "node unreachable"}));
    /// assert!(output.into_result(&OutputOptions::default()).is_error);
    /// ```
    #[must_use]
    pub fn from_error_key(key: &str, value: Value) -> Self {
        let message = match value.get(key) {
            None | Some(Value::Null) => return Self::value(value),
            Some(Value::String(message)) => message.clone(),
            Some(other) => other.to_string(),
        };
        Self::failure(ToolFailure {
            message,
            details: Some(value),
        })
    }

    setters! {
        /// Replaces the JSON text of a structured value.
        with_text(text: impl Into<String>) { text = Some(text.into()) }
        /// Adds a structured value to blocks or text.
        with_structured(value: Value) { structured = Some(value) }
        /// Adds `_meta` members to the result.
        with_meta(meta: Object) { meta = meta }
    }

    /// The result, free of any revision; [`crate::render`] brings it into that of a peer.
    #[must_use]
    pub fn into_result(self, options: &OutputOptions) -> CallToolResult {
        let text = |value: &Value| match options.is_indented {
            false => value.to_string(),
            true => format!("{value:#}"),
        };
        let mut result = CallToolResult::default();
        match self.body {
            Body::Nothing => {
                if let Some(words) = &options.unit {
                    result.content.push(ContentBlock::text(words.clone()));
                }
            }
            Body::Text(words) => {
                if options.has_output_schema {
                    result.structured_content = Some(Value::String(words.clone()));
                }
                result.content.push(ContentBlock::text(words));
            }
            Body::Value(value) => {
                let words = self.text.unwrap_or_else(|| text(&value));
                result.content.push(ContentBlock::text(words));
                result.structured_content = Some(value);
            }
            Body::Blocks(blocks) => result.content = blocks,
            Body::Failure(failure) => {
                result.is_error = true;
                result.content.push(ContentBlock::text(failure.message));
                if options.has_error_details {
                    result.structured_content = failure.details;
                }
            }
        }
        if self.structured.is_some() {
            result.structured_content = self.structured;
        }
        result.meta = self.meta;
        result
    }
}

impl NotJson {
    fn new(error: serde_path_to_error::Error<serde_json::Error>) -> Self {
        let path = match error.path().to_string() {
            root if root == "." => "value".to_owned(),
            path => path,
        };
        let source = error.into_inner();
        Self { path, source }
    }
}

impl OutputOptions {
    setters! {
        /// With the JSON in text indented by two spaces, instead of on one line. Characters are never escaped that need not be.
        with_indented_json() { is_indented = true }
        /// With these words as the content of a tool without a value, instead of none.
        with_unit_text(words: impl Into<Cow<'static, str>>) { unit = Some(words.into()) }
        /// With the details of a failure as structured content. An error seldom conforms to the output schema, and some hosts show a
        /// model the structured content alone.
        with_error_details() { has_error_details = true }
        /// The tool advertises an output schema: its strings are structured content too.
        with_output_schema() { has_output_schema = true }
    }
}

impl ToolFailure {
    setters! {
        /// With details for programs.
        with_details(details: Value) { details = Some(details) }
    }

    /// An error and what caused it, down to the first cause.
    #[must_use]
    pub fn from_error(error: &dyn std::error::Error) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        message.into()
    }
}

impl From<&str> for ToolFailure {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl From<String> for ToolFailure {
    fn from(message: String) -> Self {
        Self {
            message,
            details: None,
        }
    }
}

/// A type that a tool's function may return.
pub trait IntoToolOutput {
    /// The output.
    ///
    /// # Errors
    /// Fails if the value cannot be JSON.
    fn into_tool_output(self) -> Result<ToolOutput, NotJson>;
}

/// Any value that can be JSON: structure, and the same as text. NaN and the infinities become null, as `serde_json` has it. A wrapper,
/// so that a type becomes structured content by decision. It fails if map keys are not strings, or `Serialize` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a wrapper of one value")]
pub struct Structured<T>(pub T);

impl<T: Serialize> IntoToolOutput for Structured<T> {
    fn into_tool_output(self) -> Result<ToolOutput, NotJson> {
        let value = serde_path_to_error::serialize(&self.0, serde_json::value::Serializer);
        value.map(ToolOutput::value).map_err(NotJson::new)
    }
}

impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> Result<ToolOutput, NotJson> {
        Ok(self)
    }
}

impl IntoToolOutput for () {
    fn into_tool_output(self) -> Result<ToolOutput, NotJson> {
        Ok(ToolOutput::empty())
    }
}

/// `None` is the absence of a value, as `()` is; JSON's null is [`Value::Null`].
impl<T: IntoToolOutput> IntoToolOutput for Option<T> {
    fn into_tool_output(self) -> Result<ToolOutput, NotJson> {
        self.map_or_else(|| Ok(ToolOutput::empty()), T::into_tool_output)
    }
}

impl<T: IntoToolOutput, E: Into<ToolFailure>> IntoToolOutput for Result<T, E> {
    fn into_tool_output(self) -> Result<ToolOutput, NotJson> {
        self.map_or_else(|error| Ok(ToolOutput::failure(error)), T::into_tool_output)
    }
}

/// Implements the trait for types whose conversion cannot fail.
macro_rules! into_tool_output {
    ($convert:expr => $($type:ty),+) => {$(
        impl IntoToolOutput for $type {
            fn into_tool_output(self) -> Result<ToolOutput, NotJson> {
                Ok($convert(self))
            }
        }
    )+};
}

into_tool_output!(ToolOutput::text => &str, String, Cow<'_, str>, Box<str>);
into_tool_output!(ToolOutput::blocks => Vec<ContentBlock>);
into_tool_output!(|block| ToolOutput::blocks(vec![block]) => ContentBlock);
into_tool_output!(ToolOutput::value => Value);
into_tool_output!(|object| ToolOutput::value(Value::Object(object)) => Object);
into_tool_output!(|it| ToolOutput::value(Value::from(it)) =>
    bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);
