//! JSON that borrows its large parts.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::Value;

/// A JSON value that borrows its texts and base64-encoded data from the input.
///
/// Serialize it directly into a request body to avoid copying large data.
///
/// ```
/// use mcp_convert::{CallRef, OpenAiChat, ConvertOptions, convert};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "ok"}]});
/// let converted = convert(&result, CallRef::new("t1", "f"), &OpenAiChat::default(), &ConvertOptions::default())?;
/// assert_eq!(
///     serde_json::to_string(&converted.output)?,
///     r#"{"role":"tool","tool_call_id":"t1","content":"ok"}"#,
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConvertedJson<'a>(pub(super) Json<'a>);

impl ConvertedJson<'_> {
    /// Returns an owned copy of the value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

/// The content of a [`ConvertedJson`].
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    Text(Cow<'a, str>),
    /// The string `data:MIME;base64,DATA`.
    DataUrl {
        mime_type: Cow<'a, str>,
        data: Cow<'a, str>,
    },
    /// The string that holds the compact JSON of a value.
    Encoded(Cow<'a, Value>),
    Value(Cow<'a, Value>),
    Array(Vec<Self>),
    /// An object, in this order.
    Object(Vec<(&'a str, Self)>),
}

impl<'a> Json<'a> {
    #[must_use]
    pub fn object<const N: usize>(members: [(&'a str, Self); N]) -> Self {
        Self::Object(members.into())
    }

    /// A value of a few bytes.
    pub fn small(value: impl Into<Value>) -> Self {
        Self::Value(Cow::Owned(value.into()))
    }

    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// `{"type": "text", "text": …}`, as most have it.
    pub(super) fn text_block(text: Self) -> Self {
        Self::object([("type", "text".into()), ("text", text)])
    }

    pub(crate) fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("all of it is JSON, and its names are texts")
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::DataUrl { mime_type, data } => {
                serializer.collect_str(&format_args!("data:{mime_type};base64,{data}"))
            }
            Self::Encoded(value) => serializer.collect_str(value),
            Self::Value(value) => value.serialize(serializer),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

impl<'a, T> From<T> for Json<'a>
where
    Cow<'a, str>: From<T>,
{
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}
