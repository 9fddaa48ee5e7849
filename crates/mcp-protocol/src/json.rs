//! JSON values: objects, the names of their kinds, and their equality with text.

mod equality;

use serde_json::Value;

pub(crate) use self::equality::text_equals;

/// A JSON object as the wire carries it.
pub type Object = serde_json::Map<String, Value>;

/// The kind of a JSON value, with its article.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
