//! Documents as JSON, without their secrets and pictures.

use serde_json::Value;

use super::{json, sheet::data_in_words};
use crate::embed::{REDACTED, without_keys};

/// Members with keys, in lower case. Media of private groups are encrypted with the first two.
const SECRETS: [&str; 13] = [
    "key",
    "iv",
    "nonce",
    "messagekey",
    "secretkey",
    "privatekey",
    "symmetrickey",
    "encryptionkey",
    "sharingkey",
    "customsymmetrickey",
    "seed",
    "seedphrase",
    "password",
];

/// The shortest key, in characters or numbers: words under the same names are not.
const SHORTEST: usize = 12;

/// A document as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raw {
    /// The JSON, in which keys are `…`, and pictures and other data their size.
    pub json: String,
    /// Whether the document has neither.
    pub is_plain: bool,
}

/// Returns a document as JSON without its secrets, or `None` if it is not JSON.
#[must_use]
pub fn raw(bytes: &[u8], is_complete: bool) -> Option<Raw> {
    let value = json::parse(bytes, is_complete)?;
    let mut shown = value.clone();
    clean(&mut shown);
    Some(Raw {
        json: shown.to_string(),
        is_plain: shown == value,
    })
}

/// The depth of a parsed value is bounded by the parser.
fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(words) = data_in_words(text) {
                *text = words;
            } else if let std::borrow::Cow::Owned(shown) = without_keys(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(members) => {
            for (name, member) in members {
                if is_secret(name, member) {
                    *member = REDACTED.into();
                } else {
                    clean(member);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a member is a key, by its name and form.
pub(crate) fn is_secret(name: &str, value: &Value) -> bool {
    let name = name.to_ascii_lowercase();
    let has_form = match value {
        Value::String(text) => text.len() >= SHORTEST,
        Value::Array(items) => items.len() >= SHORTEST && items.iter().all(Value::is_number),
        Value::Object(members) => members.len() >= SHORTEST,
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    };
    has_form && SECRETS.contains(&name.as_str())
}
