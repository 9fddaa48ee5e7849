//! The error codes of rejected requests, by cause.

use mcp_protocol::{
    ErrorObject,
    error::{INTERNAL_ERROR, INVALID_REQUEST},
};

/// The cause of a rejection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The client. Fewer or different requests would succeed.
    Caller,
    /// The server, its limits for all clients, or its dependencies.
    Server,
}

impl Cause {
    /// Creates the error of a rejection. The message names the remedy.
    pub(crate) fn refuse(self, message: impl Into<String>) -> ErrorObject {
        let code = match self {
            Self::Caller => INVALID_REQUEST,
            Self::Server => INTERNAL_ERROR,
        };
        ErrorObject::new(code, message)
    }
}
