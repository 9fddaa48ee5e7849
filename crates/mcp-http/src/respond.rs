//! The state that all endpoints share, and the responses to their requests. Responses to pages of allowed origins have
//! CORS headers (Fetch standard, "HTTP-CORS protocol"). Others have none.

use std::{pin::Pin, sync::Arc};

use bytes::Bytes;
use hyper::{
    HeaderMap, Response, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
        ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, VARY,
    },
};
use mcp_protocol::{RequestId, Revision};
use mcp_server::transport::ChannelEvent;
use message_buffer::ParsePool;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    Body, HttpLimits,
    body::json,
    events::{Events, Last, Source},
    inflight::{Detached, Unfinished},
    refusal::{self, Refusal},
    session::HttpSession,
    stream_quota::StreamQuota,
};

/// Keeps proxies from buffering events (2026-07-28 `basic/transports/streamable-http`).
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
const CORS_METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const CORS_EXPOSED: HeaderValue =
    HeaderValue::from_static("x-request-id, mcp-session-id, www-authenticate");
/// Two hours in seconds, the maximum time for which Chromium caches a preflight response.
const CORS_MAX_AGE: HeaderValue = HeaderValue::from_static("7200");
const VARY_ORIGIN: HeaderValue = HeaderValue::from_static("origin");

/// The state that all endpoints share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) limits: HttpLimits,
    pub(crate) detached: Arc<Detached>,
    pub(crate) streams: Arc<StreamQuota>,
    pub(crate) turns: ParsePool,
    /// Ends long-lived requests and streams.
    pub(crate) stopping: CancellationToken,
}

pub(crate) type Outcome = Pin<
    Box<dyn Future<Output = Result<Option<mcp_server::transport::Response>, Unfinished>> + Send>,
>;

impl Shared {
    /// Creates the error for a request without a response. It is counted if the server stops.
    pub(crate) fn unfinished(&self, why: Unfinished, id: Option<RequestId>) -> Refusal {
        unfinished(&self.detached, why, id)
    }

    /// Responds with JSON, or with an event stream if a message is sent before the response.
    pub(crate) async fn stream_if_needed(
        &self,
        mut outgoing: mpsc::Receiver<ChannelEvent>,
        mut work: Outcome,
        revision: Revision,
        session: Option<Arc<HttpSession>>,
        id: RequestId,
    ) -> Result<Response<Body>, Refusal> {
        let first = tokio::select! {
            biased;
            Some(first) = outgoing.recv() => first,
            outcome = &mut work => {
                let response = outcome.map_err(|why| self.unfinished(why, Some(id)))?;
                return Ok(match outgoing.try_recv() {
                    Ok(first) => {
                        let work = Box::pin(std::future::ready(None));
                        let events = Events::new(Source { outgoing, work }, None);
                        stream(events.starting_with(first).ending_with(last(response)))
                    }
                    Err(_) => match response {
                        Some(response) => json(response, revision),
                        // The client has cancelled the request.
                        None => accepted(),
                    },
                });
            }
        };
        let detached = Arc::clone(&self.detached);
        let work = Box::pin(async move {
            match work.await {
                Ok(response) => last(response),
                Err(why) => unfinished(&detached, why, Some(id)).into_segments(),
            }
        });
        let events = Events::new(Source { outgoing, work }, session);
        Ok(stream(events.starting_with(first)))
    }
}

fn last(response: Option<mcp_server::transport::Response>) -> Last {
    response.map(mcp_server::transport::Response::into_segments)
}

pub(crate) fn stream(events: Events) -> Response<Body> {
    let mut response = Response::new(Body::from(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

pub(crate) fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::default());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

fn unfinished(detached: &Detached, why: Unfinished, id: Option<RequestId>) -> Refusal {
    match why {
        Unfinished::Panicked => refusal::fault(id),
        Unfinished::Aborted => {
            detached.count_unfinished();
            refusal::stopped(id)
        }
    }
}

/// Returns whether an `OPTIONS` request with these headers is a preflight request.
pub(crate) fn is_preflight(headers: &HeaderMap) -> bool {
    headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Returns the response to a preflight request of an allowed origin, which may send any header.
pub(crate) fn preflight(headers: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::from(Bytes::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let out = response.headers_mut();
    out.insert(ACCESS_CONTROL_ALLOW_METHODS, CORS_METHODS);
    if let Some(requested) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        out.insert(ACCESS_CONTROL_ALLOW_HEADERS, requested.clone());
    }
    out.insert(ACCESS_CONTROL_MAX_AGE, CORS_MAX_AGE);
    response
}

/// Allows pages of this origin to read the response.
pub(crate) fn expose(out: &mut HeaderMap, origin: HeaderValue) {
    out.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    out.insert(ACCESS_CONTROL_EXPOSE_HEADERS, CORS_EXPOSED);
    out.append(VARY, VARY_ORIGIN);
}
