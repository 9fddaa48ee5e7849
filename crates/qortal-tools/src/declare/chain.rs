//! Names, assets, coins, identifiers and times of the chain.

use std::{fmt::Display, str::FromStr};

use qortal_types::{Amount, Blockchain, Name, Service, TransactionType};
use serde_json::{Value, json};
use tool_schema::{
    BoundedInt, InvalidValue, Object, Param, excerpt, number_as_text, schema_with_type, text,
};

use crate::declare::Qortal;

/// Returns the published form of a text in any spelling that the type accepts.
fn meant<T: Param<Qortal> + FromStr>(value: &Value) -> Option<Value> {
    let meant = value.as_str()?.trim().parse::<T>().ok()?.to_value();
    Some(meant).filter(|meant| meant != value)
}

/// Parses a text, and turns the type's own error into one for the client.
fn known<T: FromStr<Err: Display>>(
    text: &str,
    message: &'static str,
    expected: &str,
) -> Result<T, InvalidValue> {
    text.parse()
        .map_err(|err| InvalidValue::new(message, format!("is not known: {err}"), expected))
}

impl Param<Qortal> for Name {
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let expected = "a registered name of 3 to 40 bytes";
        let text = text(value, expected)?;
        let invalid = |problem: String| InvalidValue::new("Invalid name.", problem, expected);
        if text.chars().any(char::is_control) {
            return Err(invalid("contains a control character".to_owned()));
        }
        text.parse::<Self>()
            .map_err(|err| invalid(format!("is {}, but {err}", excerpt(value))))
    }

    /// Accepts the digits of a number.
    fn coerce_json(value: &Value) -> Option<Value> {
        number_as_text(value)
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

impl Param<Qortal> for Amount {
    fn schema() -> Object {
        let mut schema = schema_with_type("string");
        schema.insert("minLength".to_owned(), 1.into());
        schema.insert("maxLength".to_owned(), 21.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let expected = "a decimal number as text, with at most 8 places, such as 1.25";
        let invalid = |problem: String| InvalidValue::new("Invalid amount.", problem, expected);
        let text = text(value, expected).map_err(|it| invalid(it.problem))?;
        let amount = text
            .trim()
            .parse::<Self>()
            .map_err(|err| invalid(format!("is {}, but it is {err}", excerpt(value))))?;
        if amount < Self::ZERO {
            return Err(invalid(format!("is {}, which is negative", excerpt(value))));
        }
        Ok(amount)
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        number_as_text(value)
    }

    fn to_value(&self) -> Value {
        self.to_string().into()
    }
}

impl Param<Qortal> for Blockchain {
    fn schema() -> Object {
        let mut schema = schema_with_type("string");
        let names: Vec<_> = Self::ALL.iter().map(Self::as_str).collect();
        schema.insert("enum".to_owned(), json!(names));
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let names: Vec<_> = Self::ALL.iter().map(Self::as_str).collect();
        let expected = format!("one of {}", names.join(", "));
        known(text(value, &expected)?, "Unknown blockchain.", &expected)
    }

    /// Accepts any case and the other spellings of the type.
    fn coerce_json(value: &Value) -> Option<Value> {
        meant::<Self>(value)
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

impl Param<Qortal> for TransactionType {
    /// Leaves the 38 names out of the schema, where they would make every listing too long. The error for a mistyped
    /// name contains the nearest one.
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let expected = "the Core's name of a transaction type, such as PAYMENT or REGISTER_NAME";
        known(
            text(value, expected)?,
            "Unknown transaction type.",
            expected,
        )
    }

    /// Accepts any case and the other spellings of the type.
    fn coerce_json(value: &Value) -> Option<Value> {
        meant::<Self>(value)
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

impl Param<Qortal> for Service {
    /// Accepts a name in any case, or the number as text.
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let expected =
            "the name of a QDN service, such as WEBSITE, APP, IMAGE or DOCUMENT, or its number";
        let text = text(value, expected)?.trim();
        match text.parse().ok().and_then(Self::from_id) {
            Some(service) => Ok(service),
            None => known(text, "Unknown service.", expected),
        }
    }

    /// Accepts the number itself and any case.
    fn coerce_json(value: &Value) -> Option<Value> {
        let text = match value {
            Value::Number(number) => number.to_string(),
            other => other.as_str()?.to_owned(),
        };
        match Self::read(&text.as_str().into()) {
            Ok(meant) => Some(meant.to_value()).filter(|meant| meant != value),
            // As text, it is refused with a reason.
            Err(_) => value.is_number().then(|| text.into()),
        }
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

/// The highest block height: the Core counts blocks in 31 bits.
const HIGHEST: u32 = i32::MAX.cast_unsigned();

/// The height of a possible block, at least `MIN`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeightRef<const MIN: u32 = 1>(BoundedInt<MIN, HIGHEST>);

impl<const MIN: u32> HeightRef<MIN> {
    pub(crate) const fn value(self) -> u32 {
        self.0.value()
    }
}

impl<const MIN: u32> Param<Qortal> for HeightRef<MIN> {
    fn schema() -> Object {
        <BoundedInt<MIN, HIGHEST> as Param<Qortal>>::schema()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let read = <BoundedInt<MIN, HIGHEST> as Param<Qortal>>::read(value);
        read.map(Self).map_err(|mut invalid| {
            invalid
                .expected
                .push_str(", get_last_block returns the last block");
            invalid
        })
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        <BoundedInt<MIN, HIGHEST> as Param<Qortal>>::coerce_json(value)
    }

    fn to_value(&self) -> Value {
        Param::<Qortal>::to_value(&self.0)
    }
}
