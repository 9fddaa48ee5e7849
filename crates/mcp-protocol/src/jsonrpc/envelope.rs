//! The members of a message, read before it is known what kind of message it is: without a tree of the message itself.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::Value;

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
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    #[serde(other)]
    Unknown,
}

/// The value of `jsonrpc`. A text without escapes is not copied.
#[derive(Deserialize)]
#[serde(untagged)]
enum Version<'a> {
    #[serde(borrow)]
    Text(Cow<'a, str>),
    Other(IgnoredAny),
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
                    let version = members.next_value()?;
                    envelope.is_version_2 = matches!(version, Version::Text(it) if it == VERSION);
                }
                // As a value: what cannot be one is an error wherever it is.
                None => drop(members.next_value::<Value>()?),
            }
        }
        Ok(envelope)
    }
}
