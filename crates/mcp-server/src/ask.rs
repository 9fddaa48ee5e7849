//! Why a client's answer is not there.

use mcp_protocol::{CallToolResult, Capability, ErrorObject};

/// Why a client's answer is not there.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AskError {
    /// The client never said that it can be asked this.
    NotDeclared(Capability),
    /// The answer comes with a request to follow, which runs the tool anew. Whatever is returned now is
    /// not sent: return at once.
    Pending,
    /// The client answered with an error.
    Refused(ErrorObject),
    /// The client answered with something else.
    Malformed,
    /// The client took too long.
    TimedOut,
    /// The client cannot be asked: no session, or it has gone.
    Unreachable,
}

impl std::fmt::Display for AskError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotDeclared(capability) => {
                write!(f, "the client does not support {}", capability.name())
            }
            Self::Pending => f.write_str("the answer comes with the next request"),
            Self::Refused(error) => write!(f, "the client refused: {}", error.message),
            Self::Malformed => f.write_str("the client's answer is not what was asked for"),
            Self::TimedOut => f.write_str("the client did not answer in time"),
            Self::Unreachable => f.write_str("the client cannot be asked"),
        }
    }
}

impl std::error::Error for AskError {}

impl From<AskError> for CallToolResult {
    fn from(error: AskError) -> Self {
        Self::error(format!("This needs an answer of the client, and {error}."))
    }
}
