//! Why a client did not answer.

use mcp_protocol::{CallToolResult, Capability, ErrorObject};

/// Why a client did not answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The client did not declare the capability that the question needs.
    #[error("the client does not support {0}")]
    NotDeclared(Capability),
    /// The caller's [`AuthInfo`](crate::AuthInfo) lacks these scopes. Return at once: the request is answered with that error.
    #[error("this request needs access with the scope {}", .0.join(" and "))]
    InsufficientScope(Vec<String>),
    /// The answer comes with the next request, which runs the tool again. Return at once: the result of this run is not
    /// sent.
    #[error("the answer comes with the next request")]
    Pending,
    /// The client answered with an error.
    #[error("the client refused: {}", .0.message)]
    Refused(ErrorObject),
    /// The answer lacks required members.
    #[error("the client's answer is not what was asked for")]
    Malformed,
    /// The client took too long.
    #[error("the client did not answer in time")]
    TimedOut,
    /// The client cannot be asked: it has no session, or is gone.
    #[error("the client cannot be asked")]
    Unreachable,
}

impl From<AskError> for CallToolResult {
    fn from(error: AskError) -> Self {
        Self::error(format!(
            "This needs an answer from the client, and {error}."
        ))
    }
}
