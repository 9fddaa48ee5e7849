//! What browsers ask for before a page of an allowed origin may read an answer (Fetch standard,
//! "HTTP-CORS protocol"). Everyone else sees none of it.

use bytes::Bytes;
use hyper::{
    HeaderMap, Method, Response, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
        ACCESS_CONTROL_REQUEST_METHOD, HeaderValue, VARY,
    },
};

use crate::body::Body;

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const EXPOSED: HeaderValue =
    HeaderValue::from_static("x-request-id, mcp-session-id, www-authenticate");
/// Two hours, the longest that browsers keep it.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");
const VARY_ORIGIN: HeaderValue = HeaderValue::from_static("origin");

/// Whether a request asks what requests it may send.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight of an allowed origin: whatever headers it would like to send.
pub(crate) fn preflight(headers: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::from(Bytes::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let out = response.headers_mut();
    out.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    if let Some(asked) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        out.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    out.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    response
}

/// Lets pages of this allowed origin read the answer.
pub(crate) fn expose(out: &mut HeaderMap, origin: HeaderValue) {
    out.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    out.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    out.insert(VARY, VARY_ORIGIN);
}
