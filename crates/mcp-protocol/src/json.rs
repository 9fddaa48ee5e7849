//! JSON values: objects, the names of JSON types, and comparison with text.

use std::{cell::Cell, fmt};

use serde::{
    Deserialize as _, Deserializer,
    de::{self, DeserializeSeed, MapAccess, SeqAccess, Unexpected, Visitor},
};
use serde_json::{Number, Value, value::RawValue};

/// Integers below this are exact as floating-point numbers.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
/// Longer numbers are compared digit by digit.
const MAX_DIGITS: usize = 17;

/// A JSON object as the wire carries it.
pub type Object = serde_json::Map<String, Value>;

/// Adds a field.
pub(crate) fn put(object: &mut Object, name: &str, value: impl Into<Value>) {
    object.insert(name.to_owned(), value.into());
}

/// Adds a field if there is a value.
pub(crate) fn put_some(object: &mut Object, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        put(object, name, value);
    }
}

/// Returns the JSON type of a value, with its article.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Returns whether `text` is JSON equal to `value`, regardless of its layout and the spelling of numbers. The
/// comparison stops at the first difference, so prose is rejected immediately. It allocates only if the fields of an
/// object are in a different order.
#[must_use]
pub fn text_equals(text: &str, value: &Value) -> bool {
    let is_unordered = &Cell::new(false);
    let walk = Walk {
        value,
        is_unordered,
    };
    let mut reader = serde_json::Deserializer::from_str(text);
    if walk.deserialize(&mut reader).is_ok() {
        return reader.end().is_ok();
    }
    is_unordered.get() && serde_json::from_str(text).is_ok_and(|it| is_alike(&it, value))
}

/// A deserializer seed that accepts only the JSON of one value.
#[derive(Clone, Copy)]
struct Walk<'v> {
    value: &'v Value,
    is_unordered: &'v Cell<bool>,
}

impl Walk<'_> {
    fn check<E: de::Error>(self, is_same: bool) -> Result<(), E> {
        if is_same {
            Ok(())
        } else {
            Err(E::invalid_value(Unexpected::Other("another value"), &self))
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        match self.value {
            Value::Number(number) => {
                let theirs = <&RawValue>::deserialize(reader)?.get();
                self.check(is_spelling(theirs, number) || is_parsed_to(theirs, number))
            }
            _ => reader.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(kind_of(self.value))
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.check(self.value.is_null())
    }

    fn visit_bool<E: de::Error>(self, theirs: bool) -> Result<(), E> {
        self.check(self.value.as_bool() == Some(theirs))
    }

    fn visit_str<E: de::Error>(self, theirs: &str) -> Result<(), E> {
        self.check(self.value.as_str() == Some(theirs))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut theirs: A) -> Result<(), A::Error> {
        for value in self.value.as_array().into_iter().flatten() {
            let found = theirs.next_element_seed(Walk { value, ..self })?;
            self.check(found.is_some())?;
        }
        self.check(self.value.is_array())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut theirs: A) -> Result<(), A::Error> {
        for (name, value) in self.value.as_object().into_iter().flatten() {
            let is_next = theirs.next_key_seed(Name(name))?;
            self.is_unordered.set(is_next == Some(false));
            self.check(is_next == Some(true))?;
            theirs.next_value_seed(Walk { value, ..self })?;
        }
        self.check(self.value.is_object())
    }
}

/// A deserializer seed that checks the name of a field.
struct Name<'v>(&'v str);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<bool, D::Error> {
        reader.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: de::Error>(self, theirs: &str) -> Result<bool, E> {
        Ok(theirs == self.0)
    }
}

/// Returns whether two values are equal, apart from the spelling of numbers.
fn is_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_alike(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| is_alike(a, b)))
        }
        (Value::Number(a), Value::Number(b)) => is_same_number(a, b),
        _ => a == b,
    }
}

fn is_same_number(a: &Number, b: &Number) -> bool {
    a == b || is_spelling(&a.to_string(), b)
}

fn is_parsed_to(digits: &str, number: &Number) -> bool {
    serde_json::from_str(digits).is_ok_and(|theirs| is_same_number(&theirs, number))
}

/// Returns whether the digits spell the number: `21.0` spells 21, `1e2` spells 100.
fn is_spelling(digits: &str, number: &Number) -> bool {
    let is_same = match (number.as_u64(), number.as_i64()) {
        (Some(number), _) => digits.parse() == Ok(number),
        (None, Some(number)) => digits.parse() == Ok(number),
        (None, None) => false,
    };
    if is_same {
        return true;
    }
    if digits.len() > MAX_DIGITS {
        return digits == number.to_string();
    }
    let (Ok(a), Some(b)) = (digits.parse::<f64>(), number.as_f64()) else {
        return false;
    };
    let is_exact = number.is_f64() || b.abs() < MAX_EXACT;
    is_exact && a.total_cmp(&b).is_eq()
}
