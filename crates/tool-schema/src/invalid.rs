//! What is wrong with a value, in words.

use std::fmt;

use serde_json::Value;

/// Characters of a value that a message shows.
const SHOWN: usize = 60;

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

/// One thing that is wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The parameter's name.
    pub parameter: String,
    /// What is wrong with its value.
    pub invalid: InvalidValue,
}

impl Problem {
    /// A problem with the value of one parameter.
    #[must_use]
    pub fn new(parameter: impl Into<String>, invalid: InvalidValue) -> Self {
        Self {
            parameter: parameter.into(),
            invalid,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parameter, invalid } = self;
        write!(f, "`{parameter}` {invalid}")
    }
}
