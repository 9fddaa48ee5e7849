//! The CORS headers of pages from allowed origins (Fetch standard, "HTTP-CORS protocol"). Other requests get
//! none.

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
/// Two hours in seconds, the longest that Chromium keeps a preflight response.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");
const VARY_ORIGIN: HeaderValue = HeaderValue::from_static("origin");

/// Whether this is a preflight request.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Returns the response to a preflight request of an allowed origin: it may send any header.
pub(crate) fn preflight(headers: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::from(Bytes::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let out = response.headers_mut();
    out.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    if let Some(requested) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        out.insert(ACCESS_CONTROL_ALLOW_HEADERS, requested.clone());
    }
    out.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    response
}

/// Lets pages of this allowed origin read the response.
pub(crate) fn expose(out: &mut HeaderMap, origin: HeaderValue) {
    out.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    out.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    out.append(VARY, VARY_ORIGIN);
}
