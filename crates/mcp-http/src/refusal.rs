//! All error responses that are sent before a request reaches the server.
//!
//! Each has a JSON-RPC error as its body. Without one, clients would take a 4xx status for an older server and fall
//! back to an older transport (2026-07-28 `basic/transports/streamable-http`, "Backward Compatibility"). The error has
//! the ID of the request if that is readable, and otherwise no ID.

use bytes::Bytes;
use hyper::{
    Response, StatusCode,
    header::{ALLOW, CONNECTION, HeaderName, HeaderValue, WWW_AUTHENTICATE},
};
use mcp_protocol::{ErrorObject, RequestId, error::INTERNAL_ERROR, jsonrpc::InvalidMessage};

use crate::Body;

/// A marker for a response that is sent before the request body has been read. The connection is then not reset while
/// the client is still sending.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyUnread;

/// An error response in place of the server's response.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    id: Option<RequestId>,
    error: ErrorObject,
    /// The header that the status requires.
    header: Option<Box<(HeaderName, HeaderValue)>>,
    body: RequestBody,
}

/// The extent to which the request body has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestBody {
    Read,
    Pending,
    /// The connection is closed without reading the rest.
    Abandoned,
}

impl Refusal {
    /// Returns only the error, for a stream whose head has already been sent.
    pub(crate) fn into_segments(self) -> Option<[Bytes; 2]> {
        Some(mcp_server::transport::Response::error(self.id, self.error).into_segments())
    }

    /// Returns the cause for metrics: one of [`CAUSES`](crate::stats::CAUSES).
    pub(crate) fn cause(&self) -> &'static str {
        match self.status {
            StatusCode::OK => "busy",
            StatusCode::UNAUTHORIZED => "token",
            StatusCode::FORBIDDEN if self.header.is_some() => "scope",
            StatusCode::FORBIDDEN => "host_or_origin",
            StatusCode::NOT_FOUND => "session",
            StatusCode::METHOD_NOT_ALLOWED => "method",
            StatusCode::NOT_ACCEPTABLE | StatusCode::UNSUPPORTED_MEDIA_TYPE => "media_type",
            StatusCode::REQUEST_TIMEOUT => "slow",
            StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::URI_TOO_LONG
            | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "size",
            StatusCode::SERVICE_UNAVAILABLE => "unavailable",
            StatusCode::INTERNAL_SERVER_ERROR => "fault",
            _ => "malformed",
        }
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        tracing::debug!(
            status = self.status.as_u16(),
            code = self.error.code,
            reason = self.error.message,
            "refused"
        );
        let body = Body::from(mcp_server::transport::Response::error(self.id, self.error));
        let mut response = body.into_json(self.status);
        if let Some(header) = self.header {
            let (name, value) = *header;
            response.headers_mut().insert(name, value);
        }
        if self.body == RequestBody::Abandoned {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        if self.body != RequestBody::Read {
            response.extensions_mut().insert(BodyUnread);
        }
        response
    }
}

/// 404 for an unknown path. The body is not JSON-RPC, because a client that looks for an authorization server must not
/// take it for the server's response.
pub(crate) fn not_found() -> Response<Body> {
    const BODY: &[u8] = br#"{"error":"not found"}"#;
    let mut response = Body::from(Bytes::from_static(BODY)).into_json(StatusCode::NOT_FOUND);
    response.extensions_mut().insert(BodyUnread);
    response
}

/// 431.
pub(crate) fn head_too_large(limit: usize) -> Refusal {
    let what = format!("the request head is larger than {limit} bytes");
    abandoned(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, &what)
}

/// 414.
pub(crate) fn target_too_long(limit: usize) -> Refusal {
    let what = format!("the request target is longer than {limit} bytes");
    abandoned(StatusCode::URI_TOO_LONG, &what)
}

/// 400: the request does not have exactly one Host header (RFC 9112 §3.2).
pub(crate) fn host_missing_or_repeated() -> Refusal {
    unread(
        StatusCode::BAD_REQUEST,
        "exactly one Host header is required",
    )
}

/// 403.
pub(crate) fn host_not_allowed(host: &[u8]) -> Refusal {
    unread(
        StatusCode::FORBIDDEN,
        format_args!("this host name is not allowed: {}", quoted(host)),
    )
}

/// 403 (2025-11-25 `basic/transports`, "Security Warning").
pub(crate) fn origin_not_allowed(origin: &[u8]) -> Refusal {
    unread(
        StatusCode::FORBIDDEN,
        format_args!("this origin is not allowed: {}", quoted(origin)),
    )
}

/// Formats a header value for a response and the log: short, quoted, and without control characters.
pub(crate) fn quoted(value: &[u8]) -> String {
    /// Maximum number of characters. A host name has at most 253, and most have far fewer.
    const MAX_CHARS: usize = 100;
    let text = String::from_utf8_lossy(value);
    let short: String = text.chars().take(MAX_CHARS).collect();
    format!("{short:?}")
}

/// 400, 401 or 403 with a challenge (RFC 6750 §3).
pub(crate) fn not_authorized(status: StatusCode, challenge: HeaderValue, what: &str) -> Refusal {
    Refusal {
        header: Some(Box::new((WWW_AUTHENTICATE, challenge))),
        ..unread(status, what)
    }
}

/// 503: the token verifier failed or did not respond in time.
pub(crate) fn token_unchecked() -> Refusal {
    let what = "the token cannot be verified now, try again later";
    unread(StatusCode::SERVICE_UNAVAILABLE, what)
}

/// 405 with the allowed methods.
pub(crate) fn method_not_allowed(allow: &'static str) -> Refusal {
    Refusal {
        header: Some(Box::new((ALLOW, HeaderValue::from_static(allow)))),
        ..unread(
            StatusCode::METHOD_NOT_ALLOWED,
            format_args!("the HTTP method is not allowed here, use {allow}"),
        )
    }
}

/// 415.
pub(crate) fn not_json() -> Refusal {
    unread(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "Content-Type must be application/json",
    )
}

/// 415.
pub(crate) fn encoded() -> Refusal {
    unread(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "Content-Encoding is not supported",
    )
}

/// 406.
pub(crate) fn not_acceptable() -> Refusal {
    unread(
        StatusCode::NOT_ACCEPTABLE,
        "Accept must allow application/json",
    )
}

/// 406.
pub(crate) fn events_not_acceptable() -> Refusal {
    unread(
        StatusCode::NOT_ACCEPTABLE,
        "Accept must allow text/event-stream",
    )
}

/// 400: the request needs a session.
pub(crate) fn session_missing() -> Refusal {
    unread(StatusCode::BAD_REQUEST, "Mcp-Session-Id is missing")
}

/// 404: the session has ended or never existed. The client must initialize a new one.
pub(crate) fn session_unknown(id: Option<RequestId>) -> Refusal {
    let error = ErrorObject::invalid_request("unknown or expired session, initialize a new one");
    message(StatusCode::NOT_FOUND, id, error)
}

/// 413.
pub(crate) fn body_too_large(limit: usize) -> Refusal {
    let what = format!("the body is larger than {limit} bytes");
    abandoned(StatusCode::PAYLOAD_TOO_LARGE, &what)
}

/// 503: the memory for messages is exhausted.
pub(crate) fn no_memory_for_body() -> Refusal {
    Refusal {
        error: mcp_server::transport::out_of_memory(),
        ..abandoned(StatusCode::SERVICE_UNAVAILABLE, "")
    }
}

/// The memory for messages is exhausted. 200 for a request, so no client takes it for the end of its session, and 503
/// for a batch.
pub(crate) fn no_memory(id: Option<RequestId>) -> Refusal {
    unavailable(id, mcp_server::transport::out_of_memory())
}

/// Other large messages are being parsed. 200 for a request and 503 for a batch, as in [`no_memory`].
pub(crate) fn busy(id: Option<RequestId>) -> Refusal {
    let what = "The server is busy with other messages of this size. Send less, or try again in a few seconds.";
    unavailable(id, ErrorObject::new(INTERNAL_ERROR, what))
}

fn unavailable(id: Option<RequestId>, error: ErrorObject) -> Refusal {
    let status = match id {
        Some(_) => StatusCode::OK,
        None => StatusCode::SERVICE_UNAVAILABLE,
    };
    message(status, id, error)
}

/// 408.
pub(crate) fn body_too_slow() -> Refusal {
    abandoned(
        StatusCode::REQUEST_TIMEOUT,
        "the body was not received in time",
    )
}

/// 400: the peer closed the connection early, or broke the framing.
pub(crate) fn body_broken() -> Refusal {
    abandoned(StatusCode::BAD_REQUEST, "the body could not be read")
}

/// 400: not JSON, or not a JSON-RPC message.
pub(crate) fn unreadable(invalid: InvalidMessage) -> Refusal {
    message(StatusCode::BAD_REQUEST, invalid.id, invalid.error)
}

/// 400: a message with an unsupported version, or whose headers and `_meta` do not match.
pub(crate) fn inconsistent(id: Option<RequestId>, error: ErrorObject) -> Refusal {
    message(StatusCode::BAD_REQUEST, id, error)
}

/// 400: a batch where batches are not supported, or with invalid contents.
pub(crate) fn batch(error: ErrorObject) -> Refusal {
    message(StatusCode::BAD_REQUEST, None, error)
}

/// 200: an `initialize` with invalid params, which is an ordinary error response.
pub(crate) fn initialize(id: RequestId, error: ErrorObject) -> Refusal {
    message(StatusCode::OK, Some(id), error)
}

/// 500: a panic while reading or handling the request.
pub(crate) fn fault(id: Option<RequestId>) -> Refusal {
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    message(status, id, ErrorObject::opaque_internal())
}

/// 503: the server stopped before the request was complete.
pub(crate) fn stopped(id: Option<RequestId>) -> Refusal {
    let status = StatusCode::SERVICE_UNAVAILABLE;
    message(status, id, ErrorObject::server_stopped())
}

/// 503: the server stopped before the requests of a batch were complete.
pub(crate) fn stopped_batch(ids: Vec<RequestId>) -> Response<Body> {
    let error =
        |id| mcp_server::transport::Response::error(Some(id), ErrorObject::server_stopped());
    let answers = mcp_server::transport::Response::batch(ids.into_iter().map(error));
    Body::from(answers).into_json(StatusCode::SERVICE_UNAVAILABLE)
}

/// 503: the server stopped while the client was sending.
pub(crate) fn stopped_in_body() -> Refusal {
    Refusal {
        body: RequestBody::Abandoned,
        ..stopped(None)
    }
}

fn message(status: StatusCode, id: Option<RequestId>, error: ErrorObject) -> Refusal {
    Refusal {
        status,
        id,
        error,
        header: None,
        body: RequestBody::Read,
    }
}

fn unread(status: StatusCode, what: impl std::fmt::Display) -> Refusal {
    Refusal {
        body: RequestBody::Pending,
        ..message(status, None, ErrorObject::invalid_request(what))
    }
}

fn abandoned(status: StatusCode, what: &str) -> Refusal {
    Refusal {
        body: RequestBody::Abandoned,
        ..message(status, None, ErrorObject::invalid_request(what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::CAUSES;

    #[test]
    fn every_cause_is_listed() {
        for status in 100..600 {
            let status = StatusCode::from_u16(status).unwrap();
            let mut refusal = unread(status, "for a test");
            assert!(CAUSES.contains(&refusal.cause()), "{status}");
            refusal.header = Some(Box::new((ALLOW, HeaderValue::from_static("GET"))));
            assert!(CAUSES.contains(&refusal.cause()), "{status}");
        }
    }

    #[test]
    fn header_value_is_short_and_escaped() {
        assert_eq!(quoted(b"a\"\x1b\xff"), "\"a\\\"\\u{1b}\u{fffd}\"");
        assert_eq!(quoted(&[b'a'; 300]).len(), 102);
    }
}
