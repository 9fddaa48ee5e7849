//! Why there is no answer.

use std::{error::Error as StdError, time::Duration};

use mcp_protocol::ErrorObject;

use crate::Challenge;

/// Why there is no answer: each variant is something else that a caller does about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The URL of an [`Endpoint`](crate::Endpoint) is none that a client can ask.
    #[error("{0}")]
    Url(String),
    /// The server cannot be reached: a program that does not start, an address that refuses, a certificate that is not trusted or is of
    /// another name. Check what was configured.
    #[error("the server cannot be reached: {}", root(.0.as_ref()))]
    NotConnected(#[source] Box<dyn StdError + Send + Sync>),
    /// The server knows none of the revisions that this client speaks, or not the one that it was told to speak.
    #[error("the server offers no revision that this client speaks, but {}", .offered.join(", "))]
    Unsupported {
        /// The names of the revisions that it offers.
        offered: Vec<String>,
    },
    /// No answer came in time; the request is cancelled. It may be sent again, or the limit is too low:
    /// [`ClientLimits::request_timeout`](crate::ClientLimits::request_timeout).
    #[error("the server did not answer {method} within {after:?}")]
    TimedOut {
        /// The method of the request.
        method: String,
        /// The limit.
        after: Duration,
    },
    /// The server answers with an error: the request is wrong, or the server cannot serve it.
    #[error("the server refuses the request: {0}")]
    Rpc(#[source] ErrorObject),
    /// The server requires input, and the [`ClientHandler`](crate::ClientHandler) gives none.
    #[error("the server asks for input that the client does not give: {0}")]
    Disconnected(#[source] ErrorObject),
    /// The endpoint answers with an HTTP status: access is missing (401, 403), or it is no endpoint of MCP and has no message.
    #[error("the endpoint answers with HTTP status {status}{}", said(.error.as_ref()))]
    Status {
        /// The status.
        status: u16,
        /// The challenge, if the endpoint sends one.
        challenge: Option<Box<Challenge>>,
        /// What the endpoint says about it, if it says it in JSON-RPC: [`ErrorObject::required_scopes`] may be read from it.
        error: Option<ErrorObject>,
    },
    /// The [`TokenSource`](crate::TokenSource) has failed.
    #[error("no access token can be had: {}", root(.0.as_ref()))]
    Token(#[source] Box<dyn StdError + Send + Sync>),
    /// The server does not know the session any more, nor the new one that the client then began.
    #[error("the session with the server has ended")]
    SessionEnded,
    /// A list has no end: the server names a next page with a cursor that is empty, or that it has sent before.
    #[error(
        "the server names the next page of a list by the cursor {0:?}, which is empty or was sent before"
    )]
    Cursor(String),
    /// What came is no answer to the request.
    #[error("the answer cannot be read: {0}")]
    Decode(String),
    /// A message is larger than [`ClientLimits::message_bytes`](crate::ClientLimits::message_bytes). What is connected by a stream is closed.
    #[error("the server sends a message of more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The server goes on and on.
    #[error("the server sends more than {limit} {what}")]
    TooMany {
        /// What it sends too many of.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The connection ended before the answer came, or has been closed. Connect again.
    #[error("the connection to the server has ended")]
    Closed,
}

/// The first of all causes; those after it say where it was met.
fn root(why: &dyn StdError) -> String {
    let causes = std::iter::successors(Some(why), |it| (*it).source());
    causes.last().map(ToString::to_string).unwrap_or_default()
}

fn said(error: Option<&ErrorObject>) -> String {
    error.map_or_else(String::new, |it| format!(": {it}"))
}

impl From<serde_json::Error> for ClientError {
    fn from(why: serde_json::Error) -> Self {
        Self::Decode(why.to_string())
    }
}
