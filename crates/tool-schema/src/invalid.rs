//! Errors about invalid values, written for models.

use std::fmt;

use serde_json::Value;

/// Maximum number of characters of a value that a message shows.
const SHOWN: usize = 60;

/// A problem with one value, described for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidValue {
    /// A short sentence naming the problem: `Invalid address.`
    pub message: &'static str,
    /// The problem, to be read after the parameter's name: `has 12 characters`.
    pub problem: String,
    /// The accepted values, to be read after `Expected`.
    pub expected: String,
}

impl InvalidValue {
    /// Creates the description of a problem with a value.
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

    /// Creates the description of a value with the wrong type or out of bounds.
    #[must_use]
    pub fn unexpected(value: &Value, expected: impl Into<String>) -> Self {
        Self::new(
            "Invalid argument.",
            format!("is {}", excerpt(value)),
            expected,
        )
    }

    /// Sets the short message.
    #[must_use]
    pub fn with_short_message(mut self, message: &'static str) -> Self {
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

/// Formats a value for a message: on one line, with at most 60 characters.
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

/// One problem with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The parameter's name.
    pub parameter: String,
    /// The problem with its value.
    pub invalid: InvalidValue,
}

impl Problem {
    /// Creates a problem with the value of one parameter.
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
