//! The members of a message, read before it is known what kind of message it is: without a tree of the message itself.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

use crate::Object;

/// The only version there is.
const VERSION: &str = "2.0";

/// The members of a message. Of those that are repeated the last one counts; unknown ones are read and dropped.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    /// Whether `jsonrpc` is "2.0".
    pub(super) is_version_2: bool,
    pub(super) id: Option<Value>,
    pub(super) method: Option<Value>,
    pub(super) params: Option<Value>,
    pub(super) result: Option<Value>,
    pub(super) error: Option<Value>,
}

/// The name of a member.
enum Member {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    Unknown,
}

impl Member {
    fn new(name: &str) -> Self {
        match name {
            "jsonrpc" => Self::Jsonrpc,
            "id" => Self::Id,
            "method" => Self::Method,
            "params" => Self::Params,
            "result" => Self::Result,
            "error" => Self::Error,
            _ => Self::Unknown,
        }
    }
}

impl Envelope {
    /// Where a member's value belongs; `None` for `jsonrpc` and unknown members.
    fn place(&mut self, member: &Member) -> Option<&mut Option<Value>> {
        match member {
            Member::Id => Some(&mut self.id),
            Member::Method => Some(&mut self.method),
            Member::Params => Some(&mut self.params),
            Member::Result => Some(&mut self.result),
            Member::Error => Some(&mut self.error),
            Member::Jsonrpc | Member::Unknown => None,
        }
    }
}

impl From<Object> for Envelope {
    fn from(object: Object) -> Self {
        let mut envelope = Self::default();
        for (name, value) in object {
            let member = Member::new(&name);
            match envelope.place(&member) {
                Some(place) => *place = Some(value),
                None if matches!(member, Member::Jsonrpc) => {
                    envelope.is_version_2 = value == VERSION;
                }
                None => (),
            }
        }
        envelope
    }
}

impl<'de> Deserialize<'de> for Envelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EnvelopeVisitor)
    }
}

struct EnvelopeVisitor;

impl<'de> Visitor<'de> for EnvelopeVisitor {
    type Value = Envelope;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Envelope, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(member) = members.next_key()? {
            match envelope.place(&member) {
                Some(place) => *place = Some(members.next_value()?),
                None if matches!(member, Member::Jsonrpc) => {
                    let Version(is_version_2) = members.next_value()?;
                    envelope.is_version_2 = is_version_2;
                }
                // As a value: what cannot be one is an error wherever it is.
                None => drop(members.next_value::<Value>()?),
            }
        }
        Ok(envelope)
    }
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MemberVisitor;

        impl Visitor<'_> for MemberVisitor {
            type Value = Member;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a member")
            }

            fn visit_str<E>(self, name: &str) -> Result<Member, E> {
                Ok(Member::new(name))
            }
        }

        deserializer.deserialize_str(MemberVisitor)
    }
}

/// Whether a value is that version. Of most messages it is, and then no text is copied.
struct Version(bool);

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VersionVisitor)
    }
}

struct VersionVisitor;

impl<'de> Visitor<'de> for VersionVisitor {
    type Value = Version;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Version, E> {
        Ok(Version(text == VERSION))
    }

    fn visit_unit<E>(self) -> Result<Version, E> {
        Ok(Version(false))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Version, E> {
        Ok(Version(false))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Version, E> {
        Ok(Version(false))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Version, E> {
        Ok(Version(false))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Version, E> {
        Ok(Version(false))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Version, A::Error> {
        while items.next_element::<Value>()?.is_some() {}
        Ok(Version(false))
    }

    /// A number too, where serde_json keeps all digits.
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Version, A::Error> {
        while members.next_entry::<Member, Value>()?.is_some() {}
        Ok(Version(false))
    }
}
