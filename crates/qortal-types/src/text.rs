//! The serde side of every type that travels as text.

use std::{fmt, marker::PhantomData, str::FromStr};

use serde::{Deserializer, de};

/// Reads a JSON string through the `FromStr` of `T`; `expecting` completes "expected …".
pub(crate) fn deserialize<'de, T, D>(
    deserializer: D,
    expecting: &'static str,
) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(TextVisitor {
        expecting,
        value: PhantomData,
    })
}

struct TextVisitor<T> {
    expecting: &'static str,
    value: PhantomData<T>,
}

impl<T: FromStr<Err: fmt::Display>> de::Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse()
            .map_err(|error| E::custom(format_args!("{} expected: {error}", self.expecting)))
    }
}

/// Reads a JSON string.
///
/// # Errors
/// Fails if it is not one, or not in the form of a code.
pub fn deserialize_with<'de, T, D>(
    deserializer: D,
    expecting: &'static str,
    read: fn(&str) -> Option<T>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(AnyTextVisitor { expecting, read })
}

struct AnyTextVisitor<T> {
    expecting: &'static str,
    read: fn(&str) -> Option<T>,
}

impl<T> de::Visitor<'_> for AnyTextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a {}", self.expecting)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        let expecting = self.expecting;
        (self.read)(text)
            .ok_or_else(|| E::custom(format_args!("the text is not the name of a {expecting}")))
    }
}
