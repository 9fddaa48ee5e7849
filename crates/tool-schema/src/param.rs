//! Parameter types that carry their own schema, so that the published schema and the parser agree. Also functions that
//! implementations of [`Param`] use to read, coerce and show JSON values.

use std::borrow::Cow;

use serde_json::Value;

use crate::{ArgumentReader, InvalidValue, Object, Property, ValueReport, schema_with_type};

/// The marker of [`Param`] and [`Output`](crate::Output) for types of this crate and your own types.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct NoMarker;

/// A type for tool parameters.
///
/// `M` is a marker without further meaning. To implement the trait for a type of another crate, use one of your own
/// types as the marker, as required by Rust's orphan rule.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of parameters",
    note = "with the feature `schemars`, `Json<{Self}>` is, if serde reads the type and schemars describes it",
    note = "or implement `Param` for it, or declare it by `params!` or `choice!`",
    note = "`record!` declares answers only: a type for parameters and answers is one of serde, in `Json`"
)]
pub trait Param<M = NoMarker>: Sized {
    /// Returns the JSON Schema of the type, in keywords supported by every host. By default, the schema of a string.
    #[must_use]
    fn schema() -> Object {
        schema_with_type("string")
    }

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// Returns an error with the problem of the value and the accepted values.
    fn read(value: &Value) -> Result<Self, InvalidValue>;

    /// Returns a hint about the values for the description, for hosts whose models do not see the bounds of a schema.
    #[must_use]
    fn description_hint() -> &'static str {
        ""
    }

    /// Returns the obvious meaning of a value rejected by [`Param::schema`], if it has one: 10 for `"10"`.
    fn coerce_json(_: &Value) -> Option<Value> {
        None
    }

    /// Reads a value as it was sent, and replaces it with its coerced form. Adds every problem and every coercion to
    /// the report. Composite types do this part by part.
    fn coerce_and_read(value: &mut Value, report: &mut ValueReport) -> Option<Self> {
        report.coerce_with(value, Self::coerce_json);
        report.ok_or_report(Self::read(value))
    }

    /// Returns the published form of the value, for example as `default`.
    fn to_value(&self) -> Value;

    /// Returns the value of an omitted parameter. `None` makes the parameter required.
    fn omitted_value() -> Option<Self> {
        None
    }

    /// Creates the parameter of this type, as documented at [`Property::parameter`].
    #[doc(hidden)]
    fn member(name: &str, doc: &str, omitted: Option<&Self>) -> Property {
        let said = [doc.trim(), Self::description_hint()];
        Property::declared(name, said, Self::schema(), omitted.map(Self::to_value))
    }

    /// Reads the parameter from the arguments of a call, as documented at [`ArgumentReader::take`].
    #[doc(hidden)]
    fn of_arguments(
        arguments: &mut ArgumentReader<'_>,
        name: &'static str,
        omitted: Option<Self>,
    ) -> Option<Self> {
        arguments.take(name, omitted)
    }
}

impl<M, T: Param<M>> Param<M> for Option<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        T::read(value).map(Some)
    }

    fn description_hint() -> &'static str {
        T::description_hint()
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        T::coerce_json(value)
    }

    fn coerce_and_read(value: &mut Value, report: &mut ValueReport) -> Option<Self> {
        if value.is_null() {
            return Some(None);
        }
        T::coerce_and_read(value, report).map(Some)
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, Param::to_value)
    }

    fn omitted_value() -> Option<Self> {
        Some(None)
    }
}

/// Lets types contain themselves.
impl<M, T: Param<M>> Param<M> for Box<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        T::read(value).map(Self::new)
    }

    fn description_hint() -> &'static str {
        T::description_hint()
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        T::coerce_json(value)
    }

    fn coerce_and_read(value: &mut Value, report: &mut ValueReport) -> Option<Self> {
        T::coerce_and_read(value, report).map(Self::new)
    }

    fn to_value(&self) -> Value {
        T::to_value(self)
    }
}

/// Returns the value as a string.
///
/// # Errors
///
/// Returns an error if the value is not a string. `expected` describes the accepted values.
pub fn text<'a>(value: &'a Value, expected: &str) -> Result<&'a str, InvalidValue> {
    value
        .as_str()
        .ok_or_else(|| InvalidValue::unexpected(value, expected))
}

/// Converts a string of digits, or a number with a zero fraction, to an integer.
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

/// Removes the thousands separators from a number.
fn without_separators(text: &str) -> Cow<'_, str> {
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default();
    let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let is_grouped = (1..=3).contains(&first.len()) && is_digits(first);
    if is_grouped && groups.all(|it| it.len() == 3 && is_digits(it)) {
        text.replace(',', "").into()
    } else {
        text.into()
    }
}

/// Converts a number to a string, if it is certain to have the digits that were sent. A JSON number with a fraction has
/// already become a 64-bit float. Floats below 2^26 distinguish all decimals with 8 places, and larger ones do not.
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

/// Returns the one of `words` that a string matches, ignoring case and surrounding spaces.
#[must_use]
pub fn word(value: &Value, words: &[&str]) -> Option<Value> {
    let text = value.as_str()?;
    let word = words
        .iter()
        .find(|word| word.eq_ignore_ascii_case(text.trim()))?;
    (*word != text).then(|| Value::from(*word))
}
