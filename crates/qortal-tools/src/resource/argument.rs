//! The arguments of the tool behind a resource: constants, or values of URI variables.

use serde_json::Value;

use super::pattern::Values;

/// One argument of the tool behind a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Argument {
    /// The value of a URI variable.
    Variable(&'static str),
    /// The value of a URI variable as an integer. What is not one is passed as text, for the tool to refuse.
    IntegerVariable(&'static str),
    /// The values of several URI variables as a list.
    Variables(&'static [&'static str]),
    Text(&'static str),
    Integer(i64),
}

impl Argument {
    pub(super) fn is_variable(self, name: &str) -> bool {
        matches!(self, Self::Variable(variable) if variable == name)
    }

    /// Whether a call with this value can be about the same as the resource.
    pub(super) fn accepts(self, value: &Value) -> bool {
        match self {
            Self::Variable(_) | Self::IntegerVariable(_) | Self::Variables(_) => true,
            Self::Text(text) => value == text,
            Self::Integer(number) => *value == number,
        }
    }

    /// The JSON value for one URI.
    pub(super) fn value(self, values: &Values<'_>) -> Value {
        // A test checks that the variables of the arguments are those of the template.
        let text = |variable: &str| values.of(variable).unwrap_or_default();
        match self {
            Self::Variable(name) => text(name).into(),
            Self::IntegerVariable(name) => match text(name).parse::<i64>() {
                Ok(number) => number.into(),
                Err(_) => text(name).into(),
            },
            Self::Variables(names) => names.iter().map(|it| text(it)).collect(),
            Self::Text(text) => text.into(),
            Self::Integer(number) => number.into(),
        }
    }

    /// The URI variables that the argument is made of.
    #[cfg(test)]
    pub(super) fn variables(&self) -> &[&'static str] {
        match self {
            Self::Variable(name) | Self::IntegerVariable(name) => std::slice::from_ref(name),
            Self::Variables(names) => names,
            Self::Text(_) | Self::Integer(_) => &[],
        }
    }
}
