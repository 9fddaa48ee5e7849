//! Values that carry their own schema: what is published is what is read. And what implementations of [`Param`] need to read,
//! coerce and show JSON values.

use std::borrow::Cow;

use serde_json::Value;

use crate::{ArgumentReader, ArgumentReport, InvalidValue, Object, Property, type_schema};

/// The marker of [`Param`] and [`Output`](crate::Output) for types of this crate and of your own.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct DefaultMarker;

/// A type that a tool can take as a parameter.
///
/// `M` is a marker without meaning of its own. A crate that implements the trait for types of another crate names a
/// type of its own there, as Rust's orphan rule asks.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of parameters",
    note = "with the feature `schemars`, `Json<{Self}>` is, if serde reads the type and schemars describes it",
    note = "or implement `Param` for it, or declare it by `params!` or `choice!`",
    note = "`record!` declares answers only: a type for parameters and answers is one of serde, in `Json`"
)]
pub trait Param<M = DefaultMarker>: Sized {
    /// Its JSON Schema, in the keywords every host understands: by default that of a text.
    #[must_use]
    fn schema() -> Object {
        type_schema("string")
    }

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// Fails with what is wrong with the value, and what would be accepted.
    fn read(value: &Value) -> Result<Self, InvalidValue>;

    /// What a description has to say of the values, for hosts whose models do not see the bounds of a schema.
    #[must_use]
    fn value_hint() -> &'static str {
        ""
    }

    /// The value that one which [`Param::schema`] refuses plainly means, if it does: 10 for `"10"`.
    fn coerce_json(_: &Value) -> Option<Value> {
        None
    }

    /// Reads a value as it was sent, and changes it to what it is read as. What is wrong with it, all of it, and what was coerced is
    /// added to the report; types that are made of others do it part by part.
    fn coerce_and_read(value: &mut Value, report: &mut ArgumentReport) -> Option<Self> {
        report.coerce_value(value, Self::coerce_json);
        report.accept(Self::read(value))
    }

    /// The published form, as in `default`.
    fn to_value(&self) -> Value;

    /// What an omitted parameter means; `None` makes it required.
    fn omitted_value() -> Option<Self> {
        None
    }

    /// The parameter of this type, as [`Property::parameter`] has it.
    #[doc(hidden)]
    fn member(name: &str, doc: &str, omitted: Option<&Self>) -> Property {
        let said = [doc.trim(), Self::value_hint()];
        Property::declared(name, said, Self::schema(), omitted.map(Self::to_value))
    }

    /// The parameter of a call, as [`ArgumentReader::take`] has it.
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

    fn value_hint() -> &'static str {
        T::value_hint()
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        T::coerce_json(value)
    }

    fn coerce_and_read(value: &mut Value, report: &mut ArgumentReport) -> Option<Self> {
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

/// For types that contain themselves.
impl<M, T: Param<M>> Param<M> for Box<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        T::read(value).map(Self::new)
    }

    fn value_hint() -> &'static str {
        T::value_hint()
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        T::coerce_json(value)
    }

    fn coerce_and_read(value: &mut Value, report: &mut ArgumentReport) -> Option<Self> {
        T::coerce_and_read(value, report).map(Self::new)
    }

    fn to_value(&self) -> Value {
        T::to_value(self)
    }
}

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
    if is_grouped && groups.all(|it| it.len() == 3 && is_digits(it)) {
        text.replace(',', "").into()
    } else {
        text.into()
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
