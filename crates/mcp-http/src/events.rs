//! An answer that is an event stream: what a request says while it runs, then its response
//! (2025-11-25 `basic/transports`, 2026-07-28 `basic/transports/streamable-http`).

use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use mcp_server::Outgoing;
use tokio::{
    sync::mpsc,
    time::{Instant, Sleep, sleep},
};

use crate::session::HttpSession;

/// What comes last on a stream, in pieces; `None` if there is nothing to say.
pub(crate) type Last = Option<[Bytes; 3]>;

/// Work whose outcome ends a stream.
pub(crate) type Work = Pin<Box<dyn Future<Output = Last> + Send>>;

/// A comment goes out after so long a silence, so that nothing on the way takes the stream for dead.
const SILENCE: Duration = Duration::from_secs(15);

/// Messages, and the work that they come from.
pub(crate) struct Source {
    pub(crate) outgoing: mpsc::Receiver<Outgoing>,
    pub(crate) work: Work,
}

/// The body of an event stream. Dropping it ends the work, unless that runs on its own.
pub(crate) struct Events {
    /// `None` once nothing more will come.
    source: Option<Source>,
    ready: VecDeque<Bytes>,
    silence: Pin<Box<Sleep>>,
    /// Where the rest is kept for a client that is let go.
    session: Option<Arc<HttpSession>>,
}

impl Events {
    pub(crate) fn new(source: Source, session: Option<Arc<HttpSession>>) -> Self {
        Self {
            source: Some(source),
            ready: VecDeque::new(),
            silence: Box::pin(sleep(SILENCE)),
            session,
        }
    }

    /// Begins with a message that has been taken from the source already.
    pub(crate) fn starting_with(mut self, first: Outgoing) -> Self {
        self.take(first);
        self
    }

    /// Ends with this, after what has been said before.
    pub(crate) fn ending_with(mut self, last: Last) -> Self {
        self.end(last);
        self
    }

    pub(crate) fn is_over(&self) -> bool {
        self.source.is_none() && self.ready.is_empty()
    }

    /// The next piece of the stream; `None` at its end.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                let deadline = Instant::now() + SILENCE;
                self.silence.as_mut().reset(deadline);
                return Poll::Ready(Some(piece));
            }
            let Some(source) = &mut self.source else {
                return Poll::Ready(None);
            };
            if let Poll::Ready(Some(outgoing)) = source.outgoing.poll_recv(cx) {
                self.take(outgoing);
                continue;
            }
            if let Poll::Ready(last) = source.work.as_mut().poll(cx) {
                self.end(last);
                continue;
            }
            if self.silence.as_mut().poll(cx).is_ready() {
                self.ready.push_back(Bytes::from_static(b":\n\n"));
                continue;
            }
            return Poll::Pending;
        }
    }

    fn take(&mut self, outgoing: Outgoing) {
        match outgoing {
            Outgoing::Message(message) => self.ready.push_back(event(&[message])),
            Outgoing::Poll(after) => {
                let Some(session) = &self.session else { return };
                let Some(source) = self.source.take() else {
                    return;
                };
                match session.park(source) {
                    Ok(id) => {
                        let after = after.as_millis();
                        let piece = format!("id: {id}\nretry: {after}\ndata: \n\n");
                        self.ready.push_back(Bytes::from(piece));
                    }
                    // Too many have been let go; this one stays.
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
            if let Outgoing::Message(message) = outgoing {
                self.ready.push_back(event(&[message]));
            }
        }
        if let Some(last) = last {
            self.ready.push_back(event(&last));
        }
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Events")
    }
}

/// One event. JSON in its compact form has no line ends.
fn event(pieces: &[Bytes]) -> Bytes {
    let len: usize = pieces.iter().map(Bytes::len).sum();
    let mut event = Vec::with_capacity(len + 8);
    event.extend_from_slice(b"data: ");
    for piece in pieces {
        event.extend_from_slice(piece);
    }
    event.extend_from_slice(b"\n\n");
    Bytes::from(event)
}
