//! Reads the body of a request within its limits.

use std::{pin::pin, task::Poll, time::Duration};

use bytes::{Buf, Bytes};
use http_body_util::BodyExt;
use hyper::body::Body as HttpBody;
use mcp_server::Reservation;
use paged_buffer::Buffer;
use tokio::time::timeout;

use crate::{
    detached::first_poll,
    refusal::{self, Refusal},
};

/// Reads a whole body.
///
/// # Errors
/// Fails if it is larger than `limit`, `memory` is spent, it is not complete after `deadline`, or it cannot be read.
pub(crate) async fn body<B: HttpBody>(
    body: B,
    limit: usize,
    deadline: Duration,
    memory: &mut Reservation,
) -> Result<Bytes, Refusal> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit {
        return Err(refusal::body_too_large(limit));
    }
    let mut reading = pin!(collect(body, announced, limit, memory));
    // Most bodies come with their head, and need no timer.
    if let Poll::Ready(outcome) = first_poll(reading.as_mut()).await {
        return outcome;
    }
    match timeout(deadline, reading).await {
        Ok(outcome) => outcome,
        Err(_) => Err(refusal::body_too_slow()),
    }
}

/// Copies the frames into one buffer, unless there is only one. [`BodyExt::collect`] would keep every frame, so that a body in chunks of one
/// byte takes many times the limit.
async fn collect<B: HttpBody>(
    body: B,
    announced: usize,
    limit: usize,
    memory: &mut Reservation,
) -> Result<Bytes, Refusal> {
    let mut body = pin!(body);
    let mut whole = Buffer::new(announced, limit);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| refusal::body_broken())?;
        // Trailers are ignored.
        let Ok(mut data) = frame.into_data() else {
            continue;
        };
        if data.remaining() > limit.saturating_sub(whole.len()) {
            return Err(refusal::body_too_large(limit));
        }
        // What is parsed from it takes about as much.
        if !memory.grow_to(2 * (whole.len() + data.remaining())) {
            return Err(refusal::no_memory_for_body());
        }
        if whole.is_empty() && body.is_end_stream() {
            return Ok(data.copy_to_bytes(data.remaining()));
        }
        while data.has_remaining() {
            let chunk = data.chunk();
            let length = chunk.len();
            if whole.extend(chunk).is_err() {
                return Err(refusal::no_memory_for_body());
            }
            data.advance(length);
        }
    }
    Ok(whole.freeze())
}
