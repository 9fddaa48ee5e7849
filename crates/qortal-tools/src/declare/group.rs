//! Groups in parameters.

use serde_json::Value;
use tool_schema::{
    InvalidValue, Object, Param, excerpt, integer, number_as_text, text, type_schema,
};

use crate::declare::Qortal;

/// A group in a parameter: its number, at least `MIN`, or its name. 0 means no group, where it is accepted.
///
/// The published type is text, because some hosts drop tools with two types; numbers are accepted all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GroupRef<const MIN: u32 = 1> {
    /// The number itself.
    Number(u32),
    /// A name, still to be looked up.
    Name(String),
}

/// What is accepted, also where a name turns out to be unknown.
pub(crate) const A_GROUP: &str =
    "a group's number or its name, list_groups with `query` finds groups by words";
/// The message for a group that is not one.
pub(crate) const INVALID_GROUP: &str = "Invalid group.";

/// The Core numbers groups in 31 bits.
const MAX: u32 = i32::MAX.cast_unsigned();
/// More than the Core allows in a name (32 bytes).
const LONGEST: usize = 100;

impl<const MIN: u32> Param<Qortal> for GroupRef<MIN> {
    fn schema() -> Object {
        type_schema("string")
    }

    /// Digits are a number, so that a group whose name is one is found by its number alone.
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let text = text(value, A_GROUP).map_err(|it| it.with_message(INVALID_GROUP))?;
        let text = text.trim();
        let invalid = |problem: String| InvalidValue::new(INVALID_GROUP, problem, A_GROUP);
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) {
            let number = text.parse().ok().filter(|it| (MIN..=MAX).contains(it));
            return number.map(Self::Number).ok_or_else(|| {
                invalid(format!(
                    "is {}, and no group has this number",
                    excerpt(value)
                ))
            });
        }
        match text.chars().count() {
            0 => Err(invalid("is empty".to_owned())),
            1..=LONGEST if !text.chars().any(char::is_control) => Ok(Self::Name(text.to_owned())),
            1..=LONGEST => Err(invalid("contains a control character".to_owned())),
            characters => Err(invalid(format!("has {characters} characters"))),
        }
    }

    /// The digits of a number.
    fn coerce(value: &Value) -> Option<Value> {
        number_as_text(
            &integer(value)
                .filter(|_| value.is_number())
                .unwrap_or_else(|| value.clone()),
        )
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Number(number) => number.to_string().into(),
            Self::Name(name) => name.as_str().into(),
        }
    }
}
