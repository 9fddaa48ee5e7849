//! Why a client's answer is not there.

use mcp_protocol::{CallToolResult, Capability, ErrorObject};

/// Why a client's answer is not there.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The client did not declare the capability to be asked this.
    #[error("the client does not support {}", .0.name())]
    NotDeclared(Capability),
    /// The answer comes with a request to follow, which runs the tool anew. What is returned now is
    /// not sent: return at once.
    #[error("the answer comes with the next request")]
    Pending,
    /// The client answered with an error.
    #[error("the client refused: {}", .0.message)]
    Refused(ErrorObject),
    /// The client answered with something else.
    #[error("the client's answer is not what was asked for")]
    Malformed,
    /// The client took too long.
    #[error("the client did not answer in time")]
    TimedOut,
    /// The client cannot be asked: no session, or it has gone.
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
