//! Objects that say nothing: where each member may be absent, one that is known must be there.

use std::fmt;

use serde::{
    Deserializer,
    de::{self, DeserializeOwned, Error, IgnoredAny, MapAccess, Visitor},
    forward_to_deserialize_any,
};
use serde_json::value::RawValue;

/// What JSON must hold to be read as some type, beside what serde asks for.
///
/// The Core leaves out members that are null, so that many types have no required member. Serde would read them from an
/// empty object, from the Core's error object, and from what is no answer of a Core at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Nothing: serde asks for a member.
    Required,
    /// One of these members of the object.
    OneOf(&'static [&'static str]),
    /// Any member of the object that is not the code of an error.
    Any,
}

impl Content {
    /// What an object must hold to be a `T`.
    pub(crate) fn of<T: DeserializeOwned>() -> Self {
        if serde_json::from_slice::<T>(b"{}").is_err() {
            return Self::Required;
        }
        let mut members = Members(None);
        // It never succeeds: only the names are wanted.
        let _ = T::deserialize(&mut members);
        members.0.map_or(Self::Any, Self::OneOf)
    }

    /// Reads JSON that is a `T`, or null where that is optional.
    pub(crate) fn read<T: DeserializeOwned>(self, json: &[u8]) -> serde_json::Result<T> {
        let value = serde_json::from_slice(json)?;
        if self != Self::Required && json.trim_ascii_start().starts_with(b"{") {
            serde_json::Deserializer::from_slice(json).deserialize_map(self)?;
        }
        Ok(value)
    }
}

/// Looks at the names of an object's members.
impl<'de> Visitor<'de> for Content {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let (mut holds_known, mut is_error) = (false, false);
        while let Some(name) = object.next_key::<String>()? {
            holds_known |= match self {
                Self::Required | Self::Any => true,
                Self::OneOf(members) => members.contains(&name.as_str()),
            };
            if self == Self::Any && name == "error" {
                is_error |= object
                    .next_value::<&RawValue>()?
                    .get()
                    .parse::<i32>()
                    .is_ok();
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        if holds_known && !is_error {
            return Ok(());
        }
        Err(A::Error::custom("an object without a known member"))
    }
}

/// Learns the names of a struct's members, and reads nothing.
struct Members(Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for &mut Members {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Self::Error::custom("nothing is read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0 = Some(members);
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Map, Value};

    use super::Content;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    #[serde(rename_all = "camelCase")]
    struct Loose {
        title: Option<String>,
        #[serde(default)]
        tag_list: Vec<u8>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Strict {
        title: String,
    }

    const ERROR: &str = r#"{"error":5,"message":"repository issue"}"#;

    #[test]
    fn the_type_says_what_is_asked_for() {
        assert_eq!(Content::of::<Strict>(), Content::Required);
        assert_eq!(Content::of::<u8>(), Content::Required);
        assert_eq!(Content::of::<Vec<Loose>>(), Content::Required);
        assert_eq!(
            Content::of::<Loose>(),
            Content::OneOf(&["title", "tagList"])
        );
        assert_eq!(Content::of::<Map<String, Value>>(), Content::Any);
    }

    #[test]
    fn a_known_member_makes_an_answer() {
        let loose = |json: &str| {
            Content::of::<Loose>()
                .read::<Loose>(json.as_bytes())
                .is_ok()
        };
        for (json, expected) in [
            ("{}", false),
            (" { } ", false),
            (ERROR, false),
            (r#"{"name":"x"}"#, false),
            (r#"{"title":null}"#, true),
            (r#"{"x":{"y":1},"tagList":[]}"#, true),
            (r#"{"tagList":[300]}"#, false),
        ] {
            assert_eq!(loose(json), expected, "{json}");
        }
    }

    #[test]
    fn any_object_has_a_member_and_is_no_error() {
        type Object = Map<String, Value>;
        let any = |json: &str| {
            Content::of::<Object>()
                .read::<Object>(json.as_bytes())
                .is_ok()
        };
        for (json, expected) in [
            ("{}", false),
            (ERROR, false),
            (r#"{"x":1}"#, true),
            (r#"{"error":{"count":1}}"#, true),
        ] {
            assert_eq!(any(json), expected, "{json}");
        }
    }
}
