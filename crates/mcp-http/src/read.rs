//! Reading a request's body within its limits.

use std::{future::poll_fn, pin::pin, time::Duration};

use bytes::{Buf, Bytes};
use hyper::body::Body as HttpBody;
use tokio::time::timeout;

use crate::refusal::{self, Refusal};

/// Reserved at once on the word of a Content-Length; more only for bytes that have arrived.
const TRUSTED_BYTES: usize = 64 << 10;

/// The whole body, without a copy if it came in one piece.
pub(crate) async fn body<B: HttpBody>(
    body: B,
    limit: usize,
    deadline: Duration,
) -> Result<Bytes, Refusal> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit {
        return Err(refusal::body_too_large(limit));
    }
    match timeout(deadline, collect(body, announced, limit)).await {
        Ok(outcome) => outcome,
        Err(_) => Err(refusal::body_too_slow()),
    }
}

async fn collect<B: HttpBody>(body: B, announced: usize, limit: usize) -> Result<Bytes, Refusal> {
    let mut body = pin!(body);
    let mut whole = Vec::new();
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let frame = frame.map_err(|_| refusal::body_broken())?;
        // Trailers say nothing here.
        let Ok(mut data) = frame.into_data() else {
            continue;
        };
        let len = data.remaining();
        if len > limit.saturating_sub(whole.len()) {
            return Err(refusal::body_too_large(limit));
        }
        if whole.is_empty() && body.is_end_stream() {
            return Ok(data.copy_to_bytes(len));
        }
        if whole.is_empty() {
            whole.reserve(announced.clamp(len, TRUSTED_BYTES.max(len)));
        }
        while data.has_remaining() {
            let chunk = data.chunk();
            whole.extend_from_slice(chunk);
            let len = chunk.len();
            data.advance(len);
        }
    }
    Ok(Bytes::from(whole))
}
