//! Diagnostics of a tool result, and the error for a value that is not one.

use serde_json::Value;

use crate::json::kind_of;

/// A violation of the specification in a result that is readable nevertheless.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}{}{problem}", if path.is_empty() { "" } else { ": " })]
pub struct Diagnostic {
    /// The path, for example `content[1].mimeType`. Empty for the result itself.
    pub(super) path: String,
    pub(super) problem: Problem,
}

/// A violation of the specification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    /// No revision defines blocks of this type.
    #[error("unknown block type {kind:?}; data belongs into a text block or structuredContent")]
    UnknownBlock {
        /// The block's `type`.
        kind: String,
    },
    /// The peer's revision does not define blocks of this type.
    #[error("there are no {kind} blocks in {revision}")]
    BlockNotInRevision {
        /// The block's `type`.
        kind: String,
        /// The revision.
        revision: &'static str,
    },
    /// A required field is missing.
    #[error("missing")]
    Missing,
    /// A value has the wrong type.
    #[error("expected {expected}, got {found}")]
    Expected {
        /// The expected type, for example `a string`.
        expected: &'static str,
        /// The type found, for example `null`.
        found: &'static str,
    },
    /// The contents of a resource are neither text nor base64-encoded data.
    #[error("neither text nor blob")]
    NoContents,
    /// An audience that no revision defines.
    #[error("unknown role {0:?}")]
    UnknownRole(String),
    /// The value has none of the fields of a result.
    #[error("none of content, structuredContent and isError is there")]
    NoMember,
}

impl Diagnostic {
    pub(super) fn expected(path: impl Into<String>, expected: &'static str, found: &Value) -> Self {
        Self {
            path: path.into(),
            problem: Problem::Expected {
                expected,
                found: kind_of(found),
            },
        }
    }

    pub(super) fn missing(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            problem: Problem::Missing,
        }
    }
}

/// The error for a value that is not a tool result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAToolResult {
    /// The value is another kind of response to `tools/call`: `input_required`, or a task.
    #[error("the call is not complete: {0}")]
    NotComplete(String),
    /// The value cannot be decoded, or [`super::ToolResultReadOptions::strict`] found a violation of the specification.
    #[error(transparent)]
    Malformed(Diagnostic),
}

impl NotAToolResult {
    pub(super) fn expected(path: &str, expected: &'static str, found: &Value) -> Self {
        Self::Malformed(Diagnostic::expected(path, expected, found))
    }

    pub(crate) fn whole(problem: Problem) -> Self {
        let path = String::new();
        Self::Malformed(Diagnostic { path, problem })
    }
}
