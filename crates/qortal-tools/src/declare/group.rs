//! Groups in parameters.

use serde_json::Value;
use tool_schema::{InvalidValue, Object, Param, type_schema};

use crate::declare::{
    Qortal,
    number_or_name::{self, Kind},
};

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

const GROUP: Kind = Kind {
    noun: "group",
    invalid: INVALID_GROUP,
    expected: A_GROUP,
    // More than the Core allows in a name (32 bytes).
    longest: 100,
};
/// The Core numbers groups in 31 bits.
const MAX: u32 = i32::MAX.cast_unsigned();

impl<const MIN: u32> Param<Qortal> for GroupRef<MIN> {
    fn schema() -> Object {
        type_schema("string")
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let number = |text: &str| text.parse().ok().filter(|it| (MIN..=MAX).contains(it));
        let read = number_or_name::read(value, &GROUP, number)?;
        Ok(read.map_or_else(Self::Name, Self::Number))
    }

    fn coerce(value: &Value) -> Option<Value> {
        number_or_name::coerce(value)
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Number(number) => number.to_string().into(),
            Self::Name(name) => name.as_str().into(),
        }
    }
}
