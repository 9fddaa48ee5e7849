//! The error code of a refusal: whoever caused it has to change something.

use mcp_protocol::{
    ErrorObject,
    error::{INTERNAL_ERROR, INVALID_REQUEST},
};

/// The cause of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The client: with fewer or other requests it would be answered.
    Caller,
    /// The server, its limits for all clients, or what it depends on.
    Server,
}

impl Cause {
    /// Creates the error of a refusal. The message names the remedy.
    pub(crate) fn refuse(self, message: impl Into<String>) -> ErrorObject {
        let code = match self {
            Self::Caller => INVALID_REQUEST,
            Self::Server => INTERNAL_ERROR,
        };
        ErrorObject::new(code, message)
    }
}
