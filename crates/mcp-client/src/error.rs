//! The errors of a client.

use std::{error::Error as StdError, time::Duration};

use mcp_protocol::ErrorObject;

use crate::Challenge;

/// An error of a client. Each variant calls for a different reaction of the caller.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// A client cannot use the URL of an [`Endpoint`](crate::Endpoint).
    #[error("{0}")]
    Url(String),
    /// The server cannot be reached. The program does not start, the connection is refused, or the certificate is not
    /// trusted or has another name. Check the configuration.
    #[error("the server cannot be reached: {}", root(.0.as_ref()))]
    NotConnected(#[source] Box<dyn StdError + Send + Sync>),
    /// The server supports none of the client's revisions, or not the configured one.
    #[error("the server offers no protocol version that this client supports, only {}", .offered.join(", "))]
    Unsupported {
        /// The names of the revisions that the server offers.
        offered: Vec<String>,
    },
    /// The server did not respond in time, so the client cancelled the request. Send it again, or raise
    /// [`ClientLimits::request_timeout`](crate::ClientLimits::request_timeout).
    #[error("the server did not respond to {method} within {after:?}")]
    TimedOut {
        /// The method of the request.
        method: String,
        /// The limit.
        after: Duration,
    },
    /// The server responded with an error: the request is invalid, or the server cannot serve it.
    #[error("the server rejected the request: {0}")]
    Rpc(#[source] ErrorObject),
    /// The server requires input that the [`ClientHandler`](crate::ClientHandler) does not provide.
    #[error("the server requests input that the client does not provide: {0}")]
    Disconnected(#[source] ErrorObject),
    /// The endpoint responded with an HTTP error status. Authorization is missing (401, 403), or the URL is not an MCP
    /// endpoint and the response has no message.
    #[error("the endpoint returned HTTP status {status}{}", said(.error.as_ref()))]
    Status {
        /// The HTTP status.
        status: u16,
        /// The challenge, if the endpoint sent one.
        challenge: Option<Box<Challenge>>,
        /// The JSON-RPC error in the response, if there is one. [`ErrorObject::required_scopes`] returns the scopes in
        /// it.
        error: Option<ErrorObject>,
    },
    /// The [`TokenSource`](crate::TokenSource) failed.
    #[error("cannot obtain an access token: {}", root(.0.as_ref()))]
    Token(#[source] Box<dyn StdError + Send + Sync>),
    /// The server no longer has the session, nor the new one that the client started in its place.
    #[error("the session with the server has ended")]
    SessionEnded,
    /// A list does not end: the server sent an empty cursor, or one that it had sent before.
    #[error(
        "the server returned the cursor {0:?} for the next page of a list, which is empty or was sent before"
    )]
    Cursor(String),
    /// The message is not a valid response to the request.
    #[error("invalid response: {0}")]
    Decode(String),
    /// A message is larger than [`ClientLimits::message_bytes`](crate::ClientLimits::message_bytes). A connection over
    /// a stream is closed.
    #[error("the server sent a message of more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The server exceeded a limit, such as the number of pages or round trips.
    #[error("the server sent more than {limit} {what}")]
    TooMany {
        /// The items that exceeded the limit.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The connection ended before the response arrived, or has been closed. Connect again.
    #[error("the connection to the server has ended")]
    Closed,
}

/// Returns the root cause. The errors above it describe where it occurred.
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
