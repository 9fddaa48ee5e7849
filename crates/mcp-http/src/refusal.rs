//! Every way to say no before a request reaches the server.
//!
//! Each is a JSON-RPC error in JSON: without one, clients take a 4xx for a server of another era and
//! open a new connection in an older way (2026-07-28 `basic/transports/streamable-http`, "Backward
//! Compatibility"). The id is repeated where it could be read and left out otherwise.

use bytes::Bytes;
use hyper::{
    Response, StatusCode,
    header::{ALLOW, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, WWW_AUTHENTICATE},
};
use mcp_protocol::{ErrorObject, RequestId, jsonrpc::Invalid};

use crate::body::Body;

/// The type of every body this crate sends.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Marks an answer that was given before the body had been read, so that the connection is not torn
/// down under a client that is still sending.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyUnread;

/// An answer given instead of a response of the server.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    id: Option<RequestId>,
    error: ErrorObject,
    /// What the status demands in the head.
    header: Option<Box<(HeaderName, HeaderValue)>>,
    body: RequestBody,
}

/// What had become of the request's body when the refusal was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestBody {
    Read,
    Unread,
    /// It will not be waited for.
    GivenUp,
}

impl Refusal {
    /// The error alone, for a stream whose head is out already.
    pub(crate) fn into_segments(self) -> Option<[Bytes; 3]> {
        Some(mcp_server::Response::error(self.id, self.error).into_segments())
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        tracing::debug!(
            status = self.status.as_u16(),
            code = self.error.code,
            reason = self.error.message,
            "refused"
        );
        let segments = mcp_server::Response::error(self.id, self.error).into_segments();
        let mut response = json(self.status, Body::from_segments(segments));
        if let Some(header) = self.header {
            let (name, value) = *header;
            response.headers_mut().insert(name, value);
        }
        if self.body == RequestBody::GivenUp {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        if self.body != RequestBody::Read {
            response.extensions_mut().insert(BodyUnread);
        }
        response
    }
}

/// A JSON answer.
pub(crate) fn json(status: StatusCode, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

/// 404 for a path where nothing is. Not JSON-RPC: a client that looks for an authorization server
/// there must not take it for an answer of one.
pub(crate) fn not_found() -> Response<Body> {
    const BODY: &[u8] = br#"{"error":"not found"}"#;
    let mut response = json(StatusCode::NOT_FOUND, Body::from(Bytes::from_static(BODY)));
    response.extensions_mut().insert(BodyUnread);
    response
}

/// 431.
pub(crate) fn head_too_large(limit: usize) -> Refusal {
    let what = format!("the request head may hold {limit} bytes");
    given_up(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, &what)
}

/// 414.
pub(crate) fn target_too_long(limit: usize) -> Refusal {
    let what = format!("the request target may hold {limit} bytes");
    given_up(StatusCode::URI_TOO_LONG, &what)
}

/// 400: without exactly one Host header (RFC 9112 §3.2).
pub(crate) fn host_missing_or_repeated() -> Refusal {
    unread(StatusCode::BAD_REQUEST, "one Host header is required")
}

/// 403.
pub(crate) fn host_not_allowed() -> Refusal {
    unread(StatusCode::FORBIDDEN, "this host name is not allowed")
}

/// 403 (2025-11-25 `basic/transports`, "Security Warning").
pub(crate) fn origin_not_allowed() -> Refusal {
    unread(StatusCode::FORBIDDEN, "this origin is not allowed")
}

/// 400, 401 or 403 with what a client needs to do better (RFC 6750 §3).
pub(crate) fn not_authorized(status: StatusCode, challenge: HeaderValue, what: &str) -> Refusal {
    Refusal {
        header: Some(Box::new((WWW_AUTHENTICATE, challenge))),
        ..unread(status, what)
    }
}

/// 503: the token may be right, nobody knows now.
pub(crate) fn token_unchecked() -> Refusal {
    let what = "the token cannot be checked now, try again later";
    unread(StatusCode::SERVICE_UNAVAILABLE, what)
}

/// 405 with the methods that would be.
pub(crate) fn method_not_allowed(allow: &'static str) -> Refusal {
    Refusal {
        header: Some(Box::new((ALLOW, HeaderValue::from_static(allow)))),
        ..unread(
            StatusCode::METHOD_NOT_ALLOWED,
            format_args!("the HTTP method must be {allow}"),
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

/// 400: what was asked for exists in sessions alone.
pub(crate) fn session_missing() -> Refusal {
    unread(StatusCode::BAD_REQUEST, "Mcp-Session-Id is missing")
}

/// 404: the session has ended, or never was; the client opens a new one.
pub(crate) fn session_unknown(id: Option<RequestId>) -> Refusal {
    let error = ErrorObject::invalid_request("there is no such session, initialize a new one");
    message(StatusCode::NOT_FOUND, id, error)
}

/// 413.
pub(crate) fn body_too_large(limit: usize) -> Refusal {
    let what = format!("the body may hold {limit} bytes");
    given_up(StatusCode::PAYLOAD_TOO_LARGE, &what)
}

/// 408.
pub(crate) fn body_too_slow() -> Refusal {
    given_up(StatusCode::REQUEST_TIMEOUT, "the body took too long")
}

/// 400: the peer stopped in the middle, or broke the framing.
pub(crate) fn body_broken() -> Refusal {
    given_up(StatusCode::BAD_REQUEST, "the body could not be read")
}

/// 400: not JSON, or no message.
pub(crate) fn unreadable(invalid: Invalid) -> Refusal {
    message(StatusCode::BAD_REQUEST, invalid.id, invalid.error)
}

/// 400: a message whose revision, headers or `_meta` forbid to act on it.
pub(crate) fn inconsistent(id: Option<RequestId>, error: ErrorObject) -> Refusal {
    message(StatusCode::BAD_REQUEST, id, error)
}

/// 400: a batch that may not be one.
pub(crate) fn batch(error: ErrorObject) -> Refusal {
    message(StatusCode::BAD_REQUEST, None, error)
}

/// 200: an `initialize` with wrong params, which is an ordinary error response.
pub(crate) fn initialize(id: RequestId, error: ErrorObject) -> Refusal {
    message(StatusCode::OK, Some(id), error)
}

/// 500: a fault of this server while it read or answered the request.
pub(crate) fn fault(id: Option<RequestId>) -> Refusal {
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    message(status, id, ErrorObject::internal())
}

/// 503: the server stopped before the answer was there.
pub(crate) fn stopped(id: Option<RequestId>) -> Refusal {
    let status = StatusCode::SERVICE_UNAVAILABLE;
    message(status, id, ErrorObject::internal())
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
        body: RequestBody::Unread,
        ..message(status, None, ErrorObject::invalid_request(what))
    }
}

fn given_up(status: StatusCode, what: &str) -> Refusal {
    Refusal {
        body: RequestBody::GivenUp,
        ..message(status, None, ErrorObject::invalid_request(what))
    }
}
