//! Rust's own number types.

use serde_json::Value;

use crate::{InvalidValue, Object, Param, integer, schema_with_type};

/// The largest integer that all hosts represent exactly, 2^53 - 1 (JavaScript's `MAX_SAFE_INTEGER`).
pub(crate) const SAFE: i64 = 9_007_199_254_740_991;

/// Returns the bounds of an integer, limited to the JSON numbers that every host represents exactly.
fn safe<T: TryInto<i64>>(least: T, most: T) -> [i64; 2] {
    let least = least.try_into().unwrap_or(-SAFE).max(-SAFE);
    [least, most.try_into().unwrap_or(SAFE).min(SAFE)]
}

fn schema([least, most]: [i64; 2]) -> Object {
    let mut schema = schema_with_type("integer");
    schema.insert("minimum".to_owned(), least.into());
    schema.insert("maximum".to_owned(), most.into());
    schema
}

fn is_safe(value: &Value) -> bool {
    value
        .as_i64()
        .is_some_and(|it| (-SAFE..=SAFE).contains(&it))
}

// A larger JSON number may have been rounded on its way, so that its digits have to come as a text.
macro_rules! integers {
    ($($Int:ty),+) => { $(
        /// An integer. Beyond 2^53 it is a string of its digits, because JavaScript hosts round larger numbers.
        impl<M> Param<M> for $Int {
            fn schema() -> Object {
                schema(safe(Self::MIN, Self::MAX))
            }

            fn read(value: &Value) -> Result<Self, InvalidValue> {
                let read = match value {
                    Value::String(digits) => digits.trim().parse().ok(),
                    number if is_safe(number) => number.as_i64().and_then(|it| it.try_into().ok()),
                    _ => None,
                };
                read.ok_or_else(|| {
                    let [least, most] = safe(Self::MIN, Self::MAX);
                    let beyond = i128::try_from(Self::MAX).is_ok_and(|it| it > i128::from(SAFE));
                    let more = if beyond { ", or the digits of a larger one as a text" } else { "" };
                    InvalidValue::unexpected(value, format!("an integer from {least} to {most}{more}"))
                })
            }

            fn coerce_json(value: &Value) -> Option<Value> {
                integer(value).filter(is_safe)
            }

            fn to_value(&self) -> Value {
                let number = Value::from(*self);
                if is_safe(&number) { number } else { self.to_string().into() }
            }
        }
    )+ };
}

integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! floats {
    ($($Float:ty, $exact:expr, $shown:expr;)+) => { $(
        impl<M> Param<M> for $Float {
            fn schema() -> Object {
                schema_with_type("number")
            }

            fn read(value: &Value) -> Result<Self, InvalidValue> {
                let number = value.as_f64().and_then($exact);
                number.ok_or_else(|| InvalidValue::unexpected(value, "a number"))
            }

            /// Parses a number from a string.
            fn coerce_json(value: &Value) -> Option<Value> {
                let number = value.as_str()?.trim().parse::<f64>().ok()?;
                number.is_finite().then(|| number.into())
            }

            fn to_value(&self) -> Value {
                Value::from($shown(*self))
            }
        }
    )+ };
}

floats! {
    f64, Some, |it| it;
    f32, nearest, digits;
}

/// Returns the nearest 32-bit number, or `None` if that is not finite.
fn nearest(number: f64) -> Option<f32> {
    let number = number.to_string().parse::<f32>().ok()?;
    number.is_finite().then_some(number)
}

/// Converts a number to 64 bits with the same decimal digits: 0.1 stays 0.1.
pub(crate) fn digits(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
}
