//! What has a number and a name, in parameters: digits are a number, so that one whose name is a number is found by its
//! number alone.

use serde_json::Value;
use tool_schema::{InvalidValue, excerpt, integer, number_as_text, text};

/// A kind of such things.
pub(super) struct Kind {
    /// What it is called.
    pub(super) noun: &'static str,
    /// The message for one that is invalid.
    pub(super) invalid: &'static str,
    /// What is accepted.
    pub(super) expected: &'static str,
    /// The most characters of a name.
    pub(super) longest: usize,
}

/// The number, or else the name.
pub(super) fn read<N>(
    value: &Value,
    kind: &Kind,
    number: impl FnOnce(&str) -> Option<N>,
) -> Result<Result<N, String>, InvalidValue> {
    let text = text(value, kind.expected).map_err(|it| it.with_message(kind.invalid))?;
    let text = text.trim();
    let invalid = |problem: String| InvalidValue::new(kind.invalid, problem, kind.expected);
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) {
        let (shown, noun) = (excerpt(value), kind.noun);
        let unknown = || invalid(format!("is {shown}, and no {noun} has this number"));
        return number(text).map(Ok).ok_or_else(unknown);
    }
    match text.chars().count() {
        0 => Err(invalid("is empty".to_owned())),
        characters if characters > kind.longest => {
            Err(invalid(format!("has {characters} characters")))
        }
        _ if text.chars().any(char::is_control) => {
            Err(invalid("contains a control character".to_owned()))
        }
        _ => Ok(Err(text.to_owned())),
    }
}

/// The digits of a number.
pub(super) fn coerce(value: &Value) -> Option<Value> {
    let number = integer(value).filter(|_| value.is_number());
    number_as_text(&number.unwrap_or_else(|| value.clone()))
}
