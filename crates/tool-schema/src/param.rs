//! Parameters that carry their own schema: what is published is what is read.

use std::fmt;

use serde_json::Value;

use crate::{Object, excerpt};

/// The marker of [`Param`] and [`Output`](crate::Output) for types of this crate and of your own.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Standard;

/// A type that a tool can take as a parameter.
///
/// `M` is a marker without meaning of its own. A crate that implements the trait for types of another crate names a
/// type of its own there, as Rust's orphan rule asks.
pub trait Param<M = Standard>: Sized {
    /// Its JSON Schema, in the keywords every host understands.
    fn schema() -> Object;

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// Fails with what is wrong with the value, and what would be accepted.
    fn read(value: &Value) -> Result<Self, InvalidValue>;

    /// What a description has to say of the values, for hosts whose models do not see the bounds of a schema.
    #[must_use]
    fn form() -> &'static str {
        ""
    }

    /// The value that one which [`Param::schema`] refuses plainly means, if it does: 10 for `"10"`.
    fn coerce(_: &Value) -> Option<Value> {
        None
    }

    /// The published form, as in `default`.
    fn to_value(&self) -> Value;

    /// What an omitted parameter means; `None` makes it required.
    fn omitted() -> Option<Self> {
        None
    }
}

impl<M, T: Param<M>> Param<M> for Option<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        T::read(value).map(Some)
    }

    fn form() -> &'static str {
        T::form()
    }

    fn coerce(value: &Value) -> Option<Value> {
        T::coerce(value)
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, Param::to_value)
    }

    fn omitted() -> Option<Self> {
        Some(None)
    }
}

/// What is wrong with one value, in words that a model can act upon.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidValue {
    /// A plain message, a sentence: `Invalid address.`
    pub message: &'static str,
    /// What is wrong, to be read after the parameter's name: `has 12 characters`.
    pub problem: String,
    /// What would be accepted, to be read after `Expected`.
    pub expected: String,
}

impl InvalidValue {
    /// What is wrong with a value.
    #[must_use]
    pub fn new(
        message: &'static str,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self {
            message,
            problem: problem.into(),
            expected: expected.into(),
        }
    }

    /// A value of the wrong type or beyond the bounds.
    #[must_use]
    pub fn unexpected(value: &Value, expected: impl Into<String>) -> Self {
        Self::new(
            "Invalid argument.",
            format!("is {}", excerpt(value)),
            expected,
        )
    }

    /// The same with another plain message.
    #[must_use]
    pub fn with_message(mut self, message: &'static str) -> Self {
        self.message = message;
        self
    }
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A problem may end with a question: did you mean this?
        let stop = if self.problem.ends_with('?') { "" } else { "." };
        write!(f, "{}{stop} Expected {}.", self.problem, self.expected)
    }
}

impl std::error::Error for InvalidValue {}
