//! Booleans and bounded integers.

use serde_json::Value;

use crate::{InvalidValue, Object, Param, integer, schema_with_type};

impl<M> Param<M> for bool {
    fn schema() -> Object {
        schema_with_type("boolean")
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        value
            .as_bool()
            .ok_or_else(|| InvalidValue::unexpected(value, "true or false"))
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        match value.as_str()?.trim().to_ascii_lowercase().as_str() {
            "true" => Some(true.into()),
            "false" => Some(false.into()),
            _ => None,
        }
    }

    fn to_value(&self) -> Value {
        (*self).into()
    }
}

/// The smallest upper bound that is not published, because no caller reaches it.
const OUT_OF_REACH: u32 = 1_000_000;

/// A quantity: an integer from `MIN` to `MAX`, inclusive. A larger integer is lowered to `MAX`, with a note. A `MAX` of
/// a million or more is not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CappedInt<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> CappedInt<MIN, MAX> {
    /// Creates a value, usually a default.
    ///
    /// # Panics
    ///
    /// Panics if the number is out of bounds. In a constant, that is a compile error.
    #[must_use]
    pub const fn from_const(value: u32) -> Self {
        assert!(
            MIN <= value && value <= MAX,
            "the default is within the bounds"
        );
        Self(value)
    }

    /// Returns the number.
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0
    }
}

impl<M, const MIN: u32, const MAX: u32> Param<M> for CappedInt<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = schema_with_type("integer");
        schema.insert("minimum".to_owned(), MIN.into());
        if MAX < OUT_OF_REACH {
            schema.insert("maximum".to_owned(), MAX.into());
        }
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        value
            .as_u64()
            .and_then(|it| u32::try_from(it).ok())
            .filter(|it| (MIN..=MAX).contains(it))
            .map(Self)
            .ok_or_else(|| {
                InvalidValue::unexpected(value, format!("an integer from {MIN} to {MAX}"))
            })
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        let integer = integer(value);
        let number = integer.as_ref().unwrap_or(value).as_f64();
        if number.is_some_and(|it| it > f64::from(MAX)) {
            Some(MAX.into())
        } else {
            integer
        }
    }

    fn to_value(&self) -> Value {
        self.0.into()
    }
}

/// An identifying number: an integer from `MIN` to `MAX`, inclusive. Other integers are rejected, because the nearest
/// valid one would identify something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundedInt<const MIN: u32, const MAX: u32>(CappedInt<MIN, MAX>);

impl<const MIN: u32, const MAX: u32> BoundedInt<MIN, MAX> {
    /// Returns the number.
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0.value()
    }
}

impl<M, const MIN: u32, const MAX: u32> Param<M> for BoundedInt<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = <CappedInt<MIN, MAX> as Param<M>>::schema();
        schema.insert("maximum".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        <CappedInt<MIN, MAX> as Param<M>>::read(value).map(Self)
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        integer(value)
    }

    fn to_value(&self) -> Value {
        Param::<M>::to_value(&self.0)
    }
}
