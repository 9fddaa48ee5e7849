//! Response bodies.

use std::{
    any::Any,
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use hyper::{
    Response, StatusCode,
    body::{Body as HttpBody, Frame, SizeHint},
    header::{CONTENT_TYPE, HeaderValue},
};
use mcp_protocol::{Revision, error};
use mcp_server::transport;

use crate::events::Events;

/// Maximum size of a response that is copied into one buffer. Below it, a copy is cheaper than two writes.
pub(crate) const COALESCE_BYTES: usize = 4 << 10;

/// The media type of every response that is not an event stream.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The body of a response: bytes, or a stream of events.
///
/// Large results are not copied. They are sent in the segments in which they were rendered.
#[derive(Debug)]
pub struct Body {
    content: Content,
    /// A guard to drop with the body.
    _guard: Option<Box<dyn Any + Send>>,
}

#[derive(Debug)]
enum Content {
    Whole([Bytes; 2]),
    Events(Box<Events>),
}

impl Body {
    /// Keeps `guard` until an event stream is dropped. For any other body, it is dropped immediately.
    pub(crate) fn with_guard(mut self, guard: impl Send + 'static) -> Self {
        if matches!(self.content, Content::Events(_)) {
            self._guard = Some(Box::new(guard));
        }
        self
    }

    /// Creates a JSON response.
    pub(crate) fn into_json(self, status: StatusCode) -> Response<Self> {
        let mut response = Response::new(self);
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, JSON);
        response
    }

    fn whole(segments: [Bytes; 2]) -> Self {
        Self {
            content: Content::Whole(segments),
            _guard: None,
        }
    }
}

/// A marker for a response to a request that needs more scopes. The challenge lists these scopes.
#[derive(Debug, Clone)]
pub(crate) struct InsufficientScope(pub(crate) Vec<String>);

/// Returns the HTTP response for a server response, in the form of a revision.
pub(crate) fn json(response: transport::Response, revision: Revision) -> Response<Body> {
    let code = match &response.reply {
        transport::ResponsePayload::Error(error) => error.code,
        transport::ResponsePayload::Result(_) => 0,
    };
    // 2026-07-28 `basic/transports/streamable-http` and `basic/index`. In older revisions, an error response has the
    // same status as any other response. Missing scopes have the same status in all revisions.
    let status = match (code, revision.has_handshake()) {
        (error::INSUFFICIENT_SCOPE, _) => StatusCode::FORBIDDEN,
        (error::METHOD_NOT_FOUND, false) => StatusCode::NOT_FOUND,
        (error::MISSING_CLIENT_CAPABILITY, false) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    };
    let required = match &response.reply {
        transport::ResponsePayload::Error(error) if status == StatusCode::FORBIDDEN => {
            error.required_scopes()
        }
        transport::ResponsePayload::Error(_) | transport::ResponsePayload::Result(_) => Vec::new(),
    };
    let mut response = Body::from(response).into_json(status);
    if !required.is_empty() {
        response
            .extensions_mut()
            .insert(InsufficientScope(required));
    }
    response
}

impl Default for Body {
    fn default() -> Self {
        Self::from(Bytes::new())
    }
}

impl From<Bytes> for Body {
    fn from(whole: Bytes) -> Self {
        Self::whole([whole, Bytes::new()])
    }
}

impl From<transport::Response> for Body {
    fn from(response: transport::Response) -> Self {
        let len = response.expected_len();
        if len > COALESCE_BYTES {
            return Self::whole(response.into_segments());
        }
        let mut whole = Vec::with_capacity(len);
        response.write_to(&mut whole);
        Self::from(Bytes::from(whole))
    }
}

impl From<Events> for Body {
    fn from(events: Events) -> Self {
        Self {
            content: Content::Events(Box::new(events)),
            _guard: None,
        }
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match &mut self.content {
            Content::Whole(segments) => {
                let next = segments.iter_mut().find(|it| !it.is_empty());
                next.map(std::mem::take)
            }
            Content::Events(events) => ready!(events.poll_next(cx)),
        };
        Poll::Ready(next.map(|it| Ok(Frame::data(it))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            Content::Whole(segments) => segments.iter().all(Bytes::is_empty),
            Content::Events(events) => events.is_over(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Content::Whole(segments) => {
                let len = segments.iter().map(Bytes::len).sum::<usize>();
                SizeHint::with_exact(u64::try_from(len).unwrap_or(u64::MAX))
            }
            Content::Events(_) => SizeHint::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, task::Waker};

    use mcp_protocol::RequestId;

    use super::*;

    fn check(result: usize, frames: &[usize]) {
        let result = vec![b'x'; result];
        let body = Body::from(transport::Response::result(RequestId::Integer(1), result));
        let total: usize = frames.iter().sum();
        assert_eq!(body.size_hint().exact(), u64::try_from(total).ok());
        let mut body = pin!(body);
        let mut cx = Context::from_waker(Waker::noop());
        let mut seen = Vec::new();
        while let Poll::Ready(Some(Ok(frame))) = body.as_mut().poll_frame(&mut cx) {
            seen.push(frame.into_data().unwrap().len());
        }
        assert_eq!(seen, frames);
        assert!(body.is_end_stream());
    }

    #[test]
    fn small_bodies_are_one_frame_and_large_ones_are_not_copied() {
        let head = br#"{"jsonrpc":"2.0","id":1,"result":"#.len();
        check(100, &[head + 100 + 1]);
        check(COALESCE_BYTES / 2, &[head + COALESCE_BYTES / 2 + 1]);
        // hyper writes what it has once that is more than it buffers, so that an end of its own would be a packet.
        check(COALESCE_BYTES, &[head, COALESCE_BYTES + 1]);
    }
}
