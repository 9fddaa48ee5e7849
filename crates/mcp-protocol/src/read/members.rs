//! The fields of an object, taken one by one.

use std::borrow::Cow;

use serde::de::MapAccess;
use serde_json::Value;

use super::{
    entry::{Name, exact_number},
    unreadable::DecodeError,
};
use crate::{CacheHint, Object};

/// A value that servers send.
pub trait FromWire: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// Returns an error if the value has the wrong type or lacks a required field.
    fn from_wire(value: Value) -> Result<Self, DecodeError>;
}

/// A type that is read from the fields of an object.
pub trait FromMembers: FromWire {
    /// Reads the fields.
    ///
    /// # Errors
    /// Returns an error if a required field is missing.
    fn from_members(members: Members<'_>) -> Result<Self, DecodeError>;

    /// Reads an object that has not been deserialized yet.
    ///
    /// # Errors
    /// Returns an error if the input is not valid JSON.
    fn from_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Result<Self, DecodeError>, A::Error> {
        let mut members = Members::with_room();
        while let Some(Name(name)) = map.next_key()? {
            members.push(name, map.next_value()?);
        }
        Ok(match exact_number(&members) {
            Some(number) => Self::from_wire(number),
            None => Self::from_members(members),
        })
    }
}

/// The fields of an object in their order, as a list because there are few and most are taken. The last one of fields
/// with the same name counts.
#[derive(Debug, Default)]
pub struct Members<'a>(Vec<(Cow<'a, str>, Value)>);

impl<'a> Members<'a> {
    /// Returns the fields of a value. `kind` names it in the error.
    pub(super) fn of(kind: &'static str, value: Value) -> Result<Self, DecodeError> {
        match value {
            Value::Object(object) => Ok(Self::from(object)),
            other => Err(DecodeError::new(kind, "an object", Some(&other))),
        }
    }

    /// Creates an empty list with a capacity for most list entries.
    pub(super) fn with_room() -> Self {
        Self(Vec::with_capacity(8))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn push(&mut self, name: Cow<'a, str>, value: Value) {
        self.0.push((name, value));
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let (_, value) = self.0.iter().rfind(|(it, _)| it == name)?;
        Some(value)
    }

    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.0.iter().rposition(|(it, _)| it == name)?;
        Some(self.0.remove(at).1)
    }

    pub(super) fn all(self) -> Vec<(Cow<'a, str>, Value)> {
        self.0
    }

    /// Returns the fields that have not been taken.
    pub(super) fn rest(self) -> Object {
        let members = self.0.into_iter();
        members
            .map(|(name, value)| (name.into_owned(), value))
            .collect()
    }

    pub(super) fn required_string(&mut self, name: &'static str) -> Result<String, DecodeError> {
        match self.take(name) {
            Some(Value::String(text)) => Ok(text),
            other => Err(DecodeError::new(name, "a string", other.as_ref())),
        }
    }

    pub(super) fn required_list(&mut self, name: &'static str) -> Result<Vec<Value>, DecodeError> {
        match self.take(name) {
            Some(Value::Array(items)) => Ok(items),
            other => Err(DecodeError::new(name, "an array", other.as_ref())),
        }
    }

    pub(super) fn string(&mut self, name: &str) -> Option<String> {
        self.read(name)
    }

    pub(super) fn bool(&mut self, name: &str) -> Option<bool> {
        self.take(name)?.as_bool()
    }

    /// Takes a whole number in any spelling. A negative one becomes 0.
    pub(super) fn whole(&mut self, name: &str) -> Option<u64> {
        let value = self.take(name)?;
        let whole = || {
            let number = value.as_f64()?.max(0.0);
            let is_whole = number.fract() == 0.0;
            is_whole.then(|| number.to_string().parse().ok())?
        };
        value.as_u64().or_else(whole)
    }

    /// Takes an object, empty if it is missing.
    pub(super) fn object(&mut self, name: &str) -> Object {
        self.take(name).map(object).unwrap_or_default()
    }

    pub(super) fn read<T: FromWire>(&mut self, name: &str) -> Option<T> {
        T::from_wire(self.take(name)?).ok()
    }

    /// Takes the readable entries of a list, empty if it is missing.
    pub(super) fn list<T: FromWire>(&mut self, name: &str) -> Vec<T> {
        self.take(name).map(list).unwrap_or_default()
    }

    /// Takes the cache hint. Without one, nothing is cached or shared (2026-07-28 `server/utilities/caching`).
    pub(super) fn cache_hint(&mut self) -> CacheHint {
        CacheHint {
            ttl_ms: self.whole("ttlMs").unwrap_or(0),
            public: self.string("cacheScope").as_deref() == Some("public"),
        }
    }
}

/// Returns the readable entries of a list. Any other value becomes an empty list.
pub(super) fn list<T: FromWire>(value: Value) -> Vec<T> {
    match value {
        Value::Array(items) => items.into_iter().flat_map(T::from_wire).collect(),
        _ => Vec::new(),
    }
}

/// Returns the object. Any other value becomes an empty object.
pub(super) fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}

/// Removes fields with the value null. Some servers write null for absent fields.
pub(super) fn without_null(value: &mut Value) {
    if let Value::Object(members) = value {
        members.retain(|_, it| !it.is_null());
        for part in ["resource", "annotations"] {
            if let Some(Value::Object(members)) = members.get_mut(part) {
                members.retain(|_, it| !it.is_null());
            }
        }
    }
}

impl From<Object> for Members<'_> {
    fn from(object: Object) -> Self {
        let members = object.into_iter();
        Self(members.map(|(name, value)| (name.into(), value)).collect())
    }
}

impl FromWire for String {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(DecodeError::new("text", "a string", Some(&other))),
        }
    }
}
