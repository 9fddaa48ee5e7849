//! The error for a value that cannot be decoded.

use serde_json::Value;

use crate::json::kind_of;

/// An error decoding a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{member}: expected {expected}, found {found}")]
pub struct DecodeError {
    /// The field, or the kind of value.
    member: &'static str,
    /// The expected type.
    expected: &'static str,
    /// The type found. `nothing` if the field is missing.
    found: &'static str,
}

impl DecodeError {
    pub(super) fn new(member: &'static str, expected: &'static str, found: Option<&Value>) -> Self {
        Self {
            member,
            expected,
            found: found.map_or("nothing", kind_of),
        }
    }
}
