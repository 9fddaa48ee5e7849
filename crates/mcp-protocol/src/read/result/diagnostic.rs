//! What is invalid in a tool result, and why a value is not a tool result.

use serde_json::Value;

use crate::json::kind_of;

/// Something that the specification does not allow, in a result that can be read all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}{}{problem}", if path.is_empty() { "" } else { ": " })]
pub struct Diagnostic {
    /// Where it is, for example `content[1].mimeType`; empty for the result itself.
    pub(super) path: String,
    pub(super) problem: Problem,
}

/// What the specification does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    /// No revision has blocks of this type.
    #[error("unknown block type {kind:?}; data belongs into a text block or structuredContent")]
    UnknownBlock {
        /// The block's `type`.
        kind: String,
    },
    /// The peer's revision has no blocks of this type.
    #[error("there are no {kind} blocks in {revision}")]
    BlockNotInRevision {
        /// The block's `type`.
        kind: String,
        /// The revision.
        revision: &'static str,
    },
    /// A required member is missing.
    #[error("missing")]
    Missing,
    /// A value of the wrong kind.
    #[error("expected {expected}, got {found}")]
    Expected {
        /// For example `a string`.
        expected: &'static str,
        /// For example `null`.
        found: &'static str,
    },
    /// The contents of a resource are neither text nor Base64.
    #[error("neither text nor blob")]
    NoContents,
    /// An audience that no revision defines.
    #[error("unknown role {0:?}")]
    UnknownRole(String),
    /// It has none of the members of a result.
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

/// Why a value is not a tool result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAToolResult {
    /// It is another answer to `tools/call`: `input_required`, or a task.
    #[error("the call is not complete: {0}")]
    NotComplete(String),
    /// It cannot be read, or [`super::ToolResultReadOptions::strict`] found something that the specification does not allow.
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
