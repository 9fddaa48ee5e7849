//! JSON values: objects, the names of their kinds, and their equality with text.

use std::io;

use serde_json::Value;

/// A JSON object as the wire carries it.
pub type Object = serde_json::Map<String, Value>;

/// Texts shorter or longer than the value's compact form by more than these factors are not parsed.
const MIN_FACTOR: usize = 2;
const MAX_FACTOR: usize = 16;

/// Whether `text` is JSON equal to `value`, however it is laid out. Prose is not parsed: only text of a
/// plausible length whose first character can begin such a value is, and compact text is compared as it is.
pub(crate) fn text_equals(text: &str, value: &Value) -> bool {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let can_begin = match (value, text.as_bytes().first()) {
        (_, None) => false,
        (Value::Object(_), Some(first)) => *first == b'{',
        (Value::Array(_), Some(first)) => *first == b'[',
        (Value::String(_), Some(first)) => *first == b'"',
        (Value::Null, Some(first)) => *first == b'n',
        (Value::Bool(value), Some(first)) => *first == if *value { b't' } else { b'f' },
        (Value::Number(_), Some(first)) => *first == b'-' || first.is_ascii_digit(),
    };
    if !can_begin {
        return false;
    }
    let mut compact = Compact {
        rest: Some(text.as_bytes()),
        len: 0,
    };
    // The writer never fails, and a value is always printable.
    if serde_json::to_writer(&mut compact, value).is_err() {
        return false;
    }
    if compact.rest.is_some_and(<[u8]>::is_empty) {
        return true;
    }
    let is_plausible = text.len() >= compact.len / MIN_FACTOR
        && text.len() <= compact.len.saturating_mul(MAX_FACTOR);
    is_plausible && serde_json::from_str::<Value>(text).is_ok_and(|parsed| parsed == *value)
}

/// Whether `text` equals `value` as JSON, or what is wrapped in it as `{"result": …}`.
#[cfg(feature = "convert")]
pub(crate) fn text_equals_unwrapped(text: &str, value: &Value) -> bool {
    let wrapped = match value {
        Value::Object(object) if object.len() == 1 => object.get("result"),
        _ => None,
    };
    text_equals(text, value) || wrapped.is_some_and(|it| text_equals(text, it))
}

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

/// Compares what is written with a text, and counts it.
struct Compact<'a> {
    rest: Option<&'a [u8]>,
    len: usize,
}

impl io::Write for Compact<'_> {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        self.len += written.len();
        self.rest = self.rest.and_then(|rest| rest.strip_prefix(written));
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
