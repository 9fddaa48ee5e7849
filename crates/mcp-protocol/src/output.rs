//! What a tool's function returns, and how that becomes a result: by its type, not by its contents.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::{CallToolResult, ContentBlock, Object};

/// An ordinary value on its way to a [`CallToolResult`].
///
/// ```
/// use mcp_protocol::output::{IntoToolOutput, OutputOptions, Structured};
///
/// let offers = Structured(vec!["a", "b"]);
/// let result = offers.into_tool_output()?.into_result(&OutputOptions::default());
/// assert_eq!(result.structured_content, Some(serde_json::json!(["a", "b"])));
/// # Ok::<(), mcp_protocol::output::NotJson>(())
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
#[non_exhaustive]
pub struct NotJson {
    /// Where in the value, as `offers[2].price`; `value` for the value itself.
    pub path: String,
    /// Why.
    pub source: serde_json::Error,
}

/// Why a tool failed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolFailure {
    /// For the model: what is wrong, and what to do about it.
    pub message: String,
    /// For programs; see [`ErrorDetails`].
    pub details: Option<Value>,
}

/// Choices that a server makes once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct OutputOptions {
    /// The layout of JSON in text.
    pub text_json: TextJson,
    /// The content of a tool without a value.
    pub unit: Unit,
    /// Whether the details of a failure are structured content.
    pub error_details: ErrorDetails,
    /// The tool advertises an output schema: its strings are structured content too.
    pub has_output_schema: bool,
}

/// The layout of JSON in text. Characters are never escaped that need not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TextJson {
    /// On one line.
    #[default]
    Compact,
    /// Indented by two spaces.
    Pretty,
}

/// The content of a tool without a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Unit {
    /// Nothing: `content` is empty.
    #[default]
    Empty,
    /// These words.
    Text(Cow<'static, str>),
}

/// Whether the details of a failure become structured content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ErrorDetails {
    /// No. An error seldom conforms to the output schema, and some hosts show a model the structured content
    /// alone.
    #[default]
    TextOnly,
    /// Yes.
    Include,
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

    /// No value.
    #[must_use]
    pub fn empty() -> Self {
        Self::new(Body::Nothing)
    }

    /// Text, which is not parsed.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Body::Text(text.into()))
    }

    /// A JSON value: structure, and the same as text.
    #[must_use]
    pub fn value(value: Value) -> Self {
        Self::new(Body::Value(value))
    }

    /// Any value that can be JSON. NaN and the infinities become null, as `serde_json` has it.
    ///
    /// # Errors
    /// Fails if the value cannot be JSON: its map keys are not strings, or its `Serialize` fails.
    pub fn structured<T: Serialize + ?Sized>(value: &T) -> Result<Self, NotJson> {
        let value = serde_path_to_error::serialize(value, serde_json::value::Serializer);
        value.map(Self::value).map_err(NotJson::new)
    }

    /// Blocks as they are.
    #[must_use]
    pub fn blocks(blocks: Vec<ContentBlock>) -> Self {
        Self::new(Body::Blocks(blocks))
    }

    /// A failure.
    pub fn failure(failure: impl Into<ToolFailure>) -> Self {
        Self::new(Body::Failure(failure.into()))
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
        let text = |value: &Value| match options.text_json {
            TextJson::Compact => value.to_string(),
            TextJson::Pretty => format!("{value:#}"),
        };
        let mut result = CallToolResult::default();
        match self.body {
            Body::Nothing => {
                if let Unit::Text(words) = &options.unit {
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
                if options.error_details == ErrorDetails::Include {
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
        /// With another layout of JSON in text.
        with_text_json(text_json: TextJson) { text_json = text_json }
        /// With text for a tool without a value.
        with_unit(unit: Unit) { unit = unit }
        /// With a choice for the details of a failure.
        with_error_details(error_details: ErrorDetails) { error_details = error_details }
        /// Whether the tool advertises an output schema.
        with_output_schema(has_output_schema: bool) { has_output_schema = has_output_schema }
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

/// The member whose presence makes an object a failure, for tools that are written that way. No such member is
/// looked for unless this is called.
///
/// ```
/// use mcp_protocol::output::{ErrorKey, OutputOptions};
///
/// let output = ErrorKey("error").read(serde_json::json!({"error": "node unreachable"}));
/// assert!(output.into_result(&OutputOptions::default()).is_error);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a wrapper of one value")]
pub struct ErrorKey<'a>(pub &'a str);

impl ErrorKey<'_> {
    /// A failure whose message is the member's text or JSON, and whose details are the object; an ordinary
    /// value if the member is absent or null.
    #[must_use]
    pub fn read(self, value: Value) -> ToolOutput {
        match value.get(self.0) {
            None | Some(Value::Null) => ToolOutput::value(value),
            Some(error) => {
                let message = match error {
                    Value::String(message) => message.clone(),
                    other => other.to_string(),
                };
                ToolOutput::failure(ToolFailure {
                    message,
                    details: Some(value),
                })
            }
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

/// Any value that can be JSON. A wrapper, so that a type becomes structured content by decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a wrapper of one value")]
pub struct Structured<T>(pub T);

impl<T: Serialize> IntoToolOutput for Structured<T> {
    fn into_tool_output(self) -> Result<ToolOutput, NotJson> {
        ToolOutput::structured(&self.0)
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
