//! Deserialization of list entries without an intermediate tree. An invalid entry affects only itself.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor, value::SeqAccessDeserializer},
};
use serde_json::Value;

use super::{members::Members, page::ListItem, unreadable::DecodeError};

/// A type that can represent any list entry.
pub(super) trait Entry: Sized {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;

    /// Creates the value from anything but an object.
    fn from_value(value: Value) -> Self;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor(PhantomData))
    }
}

/// A list entry, or the error from decoding it.
pub(super) struct Item<T>(pub(super) Result<T, DecodeError>);

impl<T: ListItem> Entry for Item<T> {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        T::from_map(map).map(Self)
    }

    fn from_value(value: Value) -> Self {
        Self(T::from_wire(value))
    }
}

impl<'de, T: ListItem> Deserialize<'de> for Item<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)
    }
}

/// With the feature `arbitrary_precision` of serde_json, a number is deserialized as an object with this field.
pub(super) const EXACT_NUMBER: &str = "$serde_json::private::Number";

/// Returns the number, if the fields represent one.
pub(super) fn exact_number(members: &Members<'_>) -> Option<Value> {
    let digits = members.get(EXACT_NUMBER)?.as_str()?;
    serde_json::from_str(digits).ok()
}

/// The name of a field, copied only if it has escapes.
#[derive(Deserialize)]
pub(super) struct Name<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

struct EntryVisitor<T>(PhantomData<T>);

impl<'de, T: Entry> Visitor<'de> for EntryVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::from_map(map)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        Value::deserialize(SeqAccessDeserializer::new(seq)).map(T::from_value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<T, E> {
        Ok(T::from_value(value.into()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<T, E> {
        Ok(T::from_value(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        Ok(T::from_value(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        Ok(T::from_value(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        Ok(T::from_value(value.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        Ok(T::from_value(Value::Null))
    }
}
