//! The raw form of a message, without secrets.

use serde_json::Value;

use crate::embed::{self, REDACTED};

/// The deepest nesting that is shown. The JSON parser accepts 128.
const DEEPEST: usize = 128;
/// Names of fields whose values are secrets, in small letters.
const SECRETS: [&str; 9] = [
    "encryptionkey",
    "iv",
    "key",
    "messagekey",
    "password",
    "privatekey",
    "secretkey",
    "sharingkey",
    "symmetrickey",
];

/// Returns the data of a message as text in which keys are replaced by `…`. Returns `None` if it is not text.
#[must_use]
pub fn without_keys(data: &[u8]) -> Option<String> {
    let text = str::from_utf8(data).ok()?;
    let document = serde_json::from_str::<Value>(text).ok();
    match document.filter(Value::is_object) {
        Some(mut document) => {
            redact(&mut document, DEEPEST);
            Some(document.to_string())
        }
        None => Some(embed::without_keys(text).into_owned()),
    }
}

fn redact(value: &mut Value, depth: usize) {
    match value {
        Value::String(text) => {
            if let std::borrow::Cow::Owned(clean) = embed::without_keys(text) {
                *text = clean;
            }
        }
        Value::Array(_) | Value::Object(_) if depth == 0 => *value = REDACTED.into(),
        Value::Array(values) => {
            for value in values {
                redact(value, depth - 1);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                if is_secret(name) {
                    *value = REDACTED.into();
                } else {
                    redact(value, depth - 1);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns whether a field of this name holds a secret.
pub(super) fn is_secret(name: &str) -> bool {
    SECRETS.contains(&name.to_ascii_lowercase().as_str())
}
