//! The body of an answer.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

/// Answers up to this size are copied into one buffer, which is cheaper than handling three.
const COALESCE_BYTES: usize = 4 << 10;

/// The body of an answer: nothing, or bytes that are all there already.
///
/// A large result is not copied: it goes out as the pieces it was made of.
#[derive(Debug, Clone, Default)]
pub struct Body {
    segments: [Bytes; 3],
}

impl Body {
    pub(crate) fn from_segments(segments: [Bytes; 3]) -> Self {
        let body = Self { segments };
        let len = body.len();
        if len > COALESCE_BYTES {
            return body;
        }
        let mut whole = Vec::with_capacity(len);
        for segment in &body.segments {
            whole.extend_from_slice(segment);
        }
        Self::from(Bytes::from(whole))
    }

    fn len(&self) -> usize {
        self.segments.iter().map(Bytes::len).sum()
    }
}

impl From<Bytes> for Body {
    fn from(whole: Bytes) -> Self {
        Self {
            segments: [whole, Bytes::new(), Bytes::new()],
        }
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.segments.iter_mut().find(|it| !it.is_empty());
        Poll::Ready(next.map(|it| Ok(Frame::data(std::mem::take(it)))))
    }

    fn is_end_stream(&self) -> bool {
        self.segments.iter().all(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(u64::try_from(self.len()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, task::Waker};

    use super::*;

    fn check(sizes: [usize; 3], frames: &[usize]) {
        let body = Body::from_segments(sizes.map(|size| Bytes::from(vec![b'x'; size])));
        let total: usize = sizes.iter().sum();
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
    fn small_answers_are_one_frame_and_large_ones_are_not_copied() {
        check([0, 0, 0], &[]);
        check([10, 100, 1], &[111]);
        check([10, COALESCE_BYTES - 11, 1], &[COALESCE_BYTES]);
        check([10, COALESCE_BYTES, 1], &[10, COALESCE_BYTES, 1]);
        check([0, COALESCE_BYTES + 1, 0], &[COALESCE_BYTES + 1]);
    }
}
