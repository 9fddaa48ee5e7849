//! What implementations of [`Param`](crate::Param) need to read, coerce and show JSON values.

use std::borrow::Cow;

use serde_json::Value;

use crate::InvalidValue;

/// Characters of a value that a message shows.
const SHOWN: usize = 60;

/// The value as a text.
///
/// # Errors
///
/// Fails if it is anything else; `expected` says what would be accepted.
pub fn text<'a>(value: &'a Value, expected: &str) -> Result<&'a str, InvalidValue> {
    value
        .as_str()
        .ok_or_else(|| InvalidValue::unexpected(value, expected))
}

/// A value as a message shows it: on one line, at most 60 characters of it.
#[must_use]
pub fn excerpt(value: &Value) -> String {
    let text = match value {
        Value::Array(_) => return "a list".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
        other => other.to_string(),
    };
    if text.chars().count() <= SHOWN {
        return text;
    }
    let beginning: String = text.chars().take(SHOWN - 4).collect();
    format!("{beginning}...\"")
}

/// The integer that a text of digits means, or a number with a fraction of zero.
#[must_use]
pub fn integer(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => {
            let digits = without_separators(text.trim());
            digits.parse::<i64>().ok().map(Value::from)
        }
        Value::Number(number) if number.is_f64() => {
            let number = number
                .as_f64()
                .filter(|it| it.fract() == 0.0 && it.abs() < 9e15)?;
            #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
            let integer = number as i64;
            Some(integer.into())
        }
        _ => None,
    }
}

/// A number without the commas between its thousands.
fn without_separators(text: &str) -> Cow<'_, str> {
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default();
    let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let is_grouped = (1..=3).contains(&first.len()) && is_digits(first);
    match is_grouped && groups.all(|it| it.len() == 3 && is_digits(it)) {
        true => text.replace(',', "").into(),
        false => text.into(),
    }
}

/// The text of a number, if it surely has the digits that were sent: a JSON number with a fraction is a
/// 64-bit float by the time it is seen, which below 2^26 tells all decimals of 8 places apart, and above does not.
#[must_use]
pub fn number_as_text(value: &Value) -> Option<Value> {
    const EXACT: f64 = 67_108_864.0;
    match value {
        Value::Number(number) => {
            let is_exact = !number.is_f64() || number.as_f64().is_some_and(|it| it.abs() < EXACT);
            is_exact.then(|| number.to_string().into())
        }
        _ => None,
    }
}

/// The one of `words` that a text spells in another case or with spaces around it.
#[must_use]
pub fn word(value: &Value, words: &[&str]) -> Option<Value> {
    let text = value.as_str()?;
    let word = words
        .iter()
        .find(|word| word.eq_ignore_ascii_case(text.trim()))?;
    (*word != text).then(|| Value::from(*word))
}
