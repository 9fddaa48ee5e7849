//! Errors of server requests.

use mcp_protocol::{CallToolResult, Capability, ErrorObject};

/// An error of a server request, or an unmet requirement of a call.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The client did not declare the capability that the request needs.
    #[error("the client does not support {0}")]
    NotDeclared(Capability),
    /// The caller's [`AuthInfo`](crate::AuthInfo) lacks these scopes. Return immediately. The response to the request
    /// is this error.
    #[error("this request needs access with the scope {}", .0.join(" and "))]
    InsufficientScope(Vec<String>),
    /// The client's answer comes with its next request, which runs the tool again. Return immediately. The result of
    /// this run is not sent.
    #[error("the response comes with the next request")]
    Pending,
    /// The client returned an error.
    #[error("the client rejected the request: {}", .0.message)]
    Refused(ErrorObject),
    /// The client's answer lacks required fields.
    #[error("the client's response does not match the request")]
    Malformed,
    /// The client did not respond before the timeout.
    #[error("the client did not respond in time")]
    TimedOut,
    /// The client cannot receive requests: it has no session, or it has disconnected.
    #[error("the client cannot receive requests")]
    Unreachable,
}

impl From<AskError> for CallToolResult {
    fn from(error: AskError) -> Self {
        Self::error(format!(
            "This needs a response from the client, but {error}."
        ))
    }
}
