//! String types.

use std::{fmt, ops::Deref};

use serde_json::Value;

use crate::{InvalidValue, Object, Param, number_as_text, schema_with_type, text};

/// Any string, including control characters such as line breaks.
impl<M> Param<M> for String {
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        text(value, "a text").map(str::to_owned)
    }

    /// Converts a number to a string of its digits.
    fn coerce_json(value: &Value) -> Option<Value> {
        number_as_text(value)
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

/// A string of `MIN` to `MAX` characters, without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundedString<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> BoundedString<MIN, MAX> {
    /// Returns the string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the string, without copying it.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MIN: usize, const MAX: usize> Deref for BoundedString<MIN, MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MIN: usize, const MAX: usize> AsRef<str> for BoundedString<MIN, MAX> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl<const MIN: usize, const MAX: usize> fmt::Display for BoundedString<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<M, const MIN: usize, const MAX: usize> Param<M> for BoundedString<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = schema_with_type("string");
        schema.insert("minLength".to_owned(), MIN.into());
        schema.insert("maxLength".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let text = text(value, "a text")?;
        let characters = text.chars().count();
        let expected = || format!("{MIN} to {MAX} characters");
        if !(MIN..=MAX).contains(&characters) {
            let problem = format!("has {characters} characters");
            return Err(InvalidValue::new("Invalid argument.", problem, expected()));
        }
        if text.chars().any(char::is_control) {
            let problem = "holds a control character";
            return Err(InvalidValue::new("Invalid argument.", problem, expected()));
        }
        Ok(Self(text.to_owned()))
    }

    /// Converts a number to a string of its digits.
    fn coerce_json(value: &Value) -> Option<Value> {
        number_as_text(value)
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}
