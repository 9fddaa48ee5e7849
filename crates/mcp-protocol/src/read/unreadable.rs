//! Why a value cannot be read.

use serde_json::Value;

use crate::json::kind_of;

/// Why a value cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{member}: expected {expected}, found {found}")]
pub struct DecodeError {
    /// The member, or the kind of value.
    member: &'static str,
    /// What it should be.
    expected: &'static str,
    /// What it is; `nothing` if it is missing.
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
