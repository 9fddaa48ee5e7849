//! The body of an answer as hyper sends it: with its length, or in chunks although the length is known.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body, Frame, SizeHint};

/// The body of an answer.
#[derive(Debug)]
pub(crate) struct Payload {
    bytes: Full<Bytes>,
    chunked: bool,
}

impl Payload {
    pub(crate) fn new(bytes: Bytes, chunked: bool) -> Self {
        Self {
            bytes: Full::new(bytes),
            chunked,
        }
    }
}

impl Body for Payload {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.bytes).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        !self.chunked && self.bytes.is_end_stream()
    }

    /// Without a hint hyper sends chunks.
    fn size_hint(&self) -> SizeHint {
        if self.chunked {
            SizeHint::default()
        } else {
            self.bytes.size_hint()
        }
    }
}
