//! Event stream responses: the messages of a request in progress, and then its response (2025-11-25 `basic/transports`,
//! 2026-07-28 `basic/transports/streamable-http`).

use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use mcp_protocol::transport::sse;
use mcp_server::transport::ChannelEvent;
use tokio::{
    sync::mpsc,
    time::{Instant, Sleep, sleep},
};

use crate::{body::COALESCE_BYTES, session::HttpSession};

/// The last message of a stream, in segments. `None` if the stream ends without one.
pub(crate) type Last = Option<[Bytes; 2]>;

/// A future that ends a stream with its output.
pub(crate) type Completion = Pin<Box<dyn Future<Output = Last> + Send>>;

/// The time without events after which a comment is sent, so no proxy considers the stream dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The messages of a stream, and the future that sends them.
pub(crate) struct Source {
    pub(crate) outgoing: mpsc::Receiver<ChannelEvent>,
    pub(crate) work: Completion,
}

/// The body of an event stream. Dropping it drops the source.
pub(crate) struct Events {
    /// The source. `None` at the end of the stream.
    source: Option<Source>,
    ready: VecDeque<Bytes>,
    keep_alive: Pin<Box<Sleep>>,
    /// The session that stores the rest of the stream if the client is released to poll for it.
    session: Option<Arc<HttpSession>>,
}

impl Events {
    pub(crate) fn new(source: Source, session: Option<Arc<HttpSession>>) -> Self {
        Self {
            source: Some(source),
            ready: VecDeque::new(),
            keep_alive: Box::pin(sleep(KEEP_ALIVE)),
            session,
        }
    }

    /// Starts the stream with a message that has already been received from the source.
    pub(crate) fn starting_with(mut self, first: ChannelEvent) -> Self {
        self.push(first);
        self
    }

    /// Ends the stream with this message, after those in the queue.
    pub(crate) fn ending_with(mut self, last: Last) -> Self {
        self.end(last);
        self
    }

    pub(crate) fn is_over(&self) -> bool {
        self.source.is_none() && self.ready.is_empty()
    }

    /// Polls for the next event or comment. Returns `None` at the end of the stream.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                let deadline = Instant::now() + KEEP_ALIVE;
                self.keep_alive.as_mut().reset(deadline);
                return Poll::Ready(Some(piece));
            }
            let Some(source) = &mut self.source else {
                return Poll::Ready(None);
            };
            if let Poll::Ready(Some(outgoing)) = source.outgoing.poll_recv(cx) {
                self.push(outgoing);
                continue;
            }
            if let Poll::Ready(last) = source.work.as_mut().poll(cx) {
                self.end(last);
                continue;
            }
            if self.keep_alive.as_mut().poll(cx).is_ready() {
                self.ready.push_back(Bytes::from_static(sse::COMMENT));
                continue;
            }
            return Poll::Pending;
        }
    }

    fn push(&mut self, outgoing: ChannelEvent) {
        match outgoing {
            ChannelEvent::Message(message) => self.ready.push_back(sse::event(&[message]).into()),
            ChannelEvent::ReleaseStream(after) => {
                let Some(session) = &self.session else { return };
                let Some(source) = self.source.take() else {
                    return;
                };
                match session.park(source) {
                    Ok(id) => {
                        let event = sse::reconnect_event(id, after);
                        self.ready.push_back(Bytes::from(event));
                    }
                    // Too many streams are parked, so this one stays open.
                    Err(source) => self.source = Some(source),
                }
            }
        }
    }

    fn end(&mut self, last: Last) {
        let Some(mut source) = self.source.take() else {
            return;
        };
        while let Ok(outgoing) = source.outgoing.try_recv() {
            if let ChannelEvent::Message(message) = outgoing {
                self.ready.push_back(sse::event(&[message]).into());
            }
        }
        let Some(last) = last else { return };
        // A large result is not copied. Its bytes count toward the memory budget until they have been written.
        match last.iter().map(Bytes::len).sum::<usize>() {
            0..=COALESCE_BYTES => self.ready.push_back(sse::event(&last).into()),
            _ => {
                let [start, end] = [sse::EVENT_START, sse::EVENT_END].map(Bytes::from_static);
                self.ready.push_back(start);
                self.ready.extend(last);
                self.ready.push_back(end);
            }
        }
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Events")
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use mcp_server::MemoryBudget;

    use super::*;

    async fn check(bytes: usize, expected_pieces: usize) {
        let budget = MemoryBudget::default();
        let mut held = budget.empty_reservation();
        assert!(held.try_grow_to(bytes));
        let reserved = budget.used();
        let result = held.attach_to(Bytes::from(vec![b'x'; bytes]));
        let last = Some([Bytes::from_static(b"{"), result]);
        let work: Completion = Box::pin(std::future::ready(last));
        let (_, outgoing) = mpsc::channel(1);
        let mut events = Events::new(Source { outgoing, work }, None);
        let mut cx = Context::from_waker(Waker::noop());
        let mut pieces = Vec::new();
        while let Poll::Ready(Some(piece)) = events.poll_next(&mut cx) {
            pieces.push(piece);
        }
        let expected = format!("data: {{{}\n\n", "x".repeat(bytes));
        assert_eq!(pieces.concat(), expected.as_bytes());
        assert_eq!(pieces.len(), expected_pieces);
        assert_eq!(budget.used(), reserved);
        drop(pieces);
        assert_eq!(budget.used(), 0);
    }

    #[tokio::test]
    async fn a_large_last_event_counts_until_it_has_been_written() {
        check(100, 1).await;
        check(500_000, 4).await;
    }
}
