//! The socket of a connection, with timeouts for a stalled peer, and a lingering close for a peer that is still
//! sending.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

use crate::{HttpLimits, discard::Discard};

/// Time allowed for a peer to finish sending a rejected request. A socket closed with unread bytes is reset, and the
/// reset can overtake the error response.
const LINGER: Duration = Duration::from_secs(1);

/// The value of `Progress::waiting` while the server is working.
const WORKING: u64 = u64::MAX;

/// The progress of the requests on a connection, shared with its socket.
#[derive(Debug)]
pub(crate) struct Progress {
    /// A counter that is odd while a request is being handled. It is incremented at the request's head and at the end
    /// of the response.
    turn: AtomicU32,
    body_unread: AtomicBool,
    stopping: AtomicBool,
    opened: Instant,
    /// The time when the server began to wait for the peer, in milliseconds after `opened`, or [`WORKING`].
    waiting: AtomicU64,
}

impl Progress {
    /// Creates the progress of a newly accepted connection.
    pub(crate) fn new() -> Self {
        Self {
            turn: AtomicU32::new(0),
            body_unread: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            opened: Instant::now(),
            waiting: AtomicU64::new(0),
        }
    }

    /// Returns the time for which the server has been waiting for the peer to send a head or a body, or to read a
    /// response. Returns `None` while the server is working.
    pub(crate) fn waiting_for(&self) -> Option<Duration> {
        match self.waiting.load(Ordering::Relaxed) {
            WORKING => None,
            at => Some(
                self.opened
                    .elapsed()
                    .saturating_sub(Duration::from_millis(at)),
            ),
        }
    }

    fn wait_from(&self, since: Instant) {
        let at = since.duration_since(self.opened).as_millis();
        let at = u64::try_from(at).unwrap_or(0);
        self.waiting.store(at, Ordering::Relaxed);
    }

    /// Records that the head of a request has been read.
    pub(crate) fn head_read(&self, has_body: bool) {
        self.body_unread.store(false, Ordering::Relaxed);
        self.turn.fetch_add(1, Ordering::Relaxed);
        if has_body {
            self.wait_from(Instant::now());
        } else {
            self.body_read();
        }
    }

    /// Records that the body of a request has been read.
    fn body_read(&self) {
        self.waiting.store(WORKING, Ordering::Relaxed);
    }

    /// Records that the response is complete, with the last event of a stream.
    fn answered(&self, body_unread: bool) {
        self.body_unread.store(body_unread, Ordering::Relaxed);
        self.turn.fetch_add(1, Ordering::Relaxed);
        self.wait_from(Instant::now());
    }

    /// Records that the server is stopping and no longer lingers.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    fn is_worth_lingering(&self, in_head: bool) -> bool {
        let may_be_sending = in_head || self.body_unread.load(Ordering::Relaxed);
        may_be_sending && !self.stopping.load(Ordering::Relaxed)
    }
}

/// The body of a request. It reports its end to [`Progress`].
#[derive(Debug)]
pub(crate) struct Received<B> {
    body: B,
    progress: Arc<Progress>,
}

impl<B> Received<B> {
    pub(crate) fn new(body: B, progress: Arc<Progress>) -> Self {
        Self { body, progress }
    }
}

impl<B: HttpBody + Unpin> HttpBody for Received<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let poll = Pin::new(&mut self.body).poll_frame(cx);
        if self.body.is_end_stream() || matches!(poll, Poll::Ready(None | Some(Err(_)))) {
            self.progress.body_read();
        }
        poll
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A guard that reports the end of a response to [`Progress`] on drop.
#[derive(Debug)]
pub(crate) struct Answering {
    progress: Arc<Progress>,
    body_unread: bool,
}

impl Answering {
    pub(crate) fn new(progress: Arc<Progress>, body_unread: bool) -> Self {
        Self {
            progress,
            body_unread,
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.progress.answered(self.body_unread);
    }
}

/// A stream with timeouts.
///
/// Reads time out only between requests. A body has a separate timeout. While a request is being handled, a read only
/// detects that the peer has disconnected.
#[derive(Debug)]
pub(crate) struct Deadlines<S> {
    stream: S,
    limits: HttpLimits,
    progress: Arc<Progress>,
    /// The value of [`Progress::turn`] that `since` and `in_head` belong to.
    turn: u32,
    since: Instant,
    in_head: bool,
    read: Timer,
    write: Timer,
    stalled_since: Option<Instant>,
    linger: Timer,
    shut_down: Option<Instant>,
}

impl<S> Deadlines<S> {
    pub(crate) fn new(stream: S, limits: &HttpLimits, progress: Arc<Progress>) -> Self {
        Self {
            stream,
            limits: *limits,
            progress,
            turn: 0,
            since: Instant::now(),
            in_head: false,
            read: Timer::default(),
            write: Timer::default(),
            stalled_since: None,
            linger: Timer::default(),
            shut_down: None,
        }
    }

    fn follow_turn(&mut self) {
        let turn = self.progress.turn.load(Ordering::Relaxed);
        if turn != self.turn {
            self.turn = turn;
            self.since = Instant::now();
            self.in_head = false;
        }
    }

    fn is_between_requests(&self) -> bool {
        self.turn.is_multiple_of(2)
    }
}

impl<S: Discard> Deadlines<S> {
    /// Forwards the outcome of a write, unless the peer has not read for too long.
    fn within_write_timeout(
        &mut self,
        cx: &mut Context<'_>,
        poll: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if poll.is_ready() {
            self.stalled_since = None;
            self.follow_turn();
            if self.is_between_requests() && !self.in_head {
                // A peer that reads a long response slowly is not idle. The timer is set here because hyper does
                // not poll a pending read again until it is woken.
                self.since = Instant::now();
                self.progress.wait_from(self.since);
                let _ = self.read.is_over(cx, self.since + self.limits.idle_timeout);
            }
            return poll;
        }
        self.stalled(cx)
    }

    /// Forwards the outcome of a flush or a shutdown, with the limit of a write.
    fn within_flush_timeout(
        &mut self,
        cx: &mut Context<'_>,
        poll: Poll<io::Result<()>>,
    ) -> Poll<io::Result<()>> {
        if poll.is_ready() {
            self.stalled_since = None;
            return poll;
        }
        self.stalled(cx)
    }

    fn stalled<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        let since = *self.stalled_since.get_or_insert_with(Instant::now);
        if self.write.is_over(cx, since + self.limits.write_timeout) {
            self.stream.discard_unsent();
            Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
        } else {
            Poll::Pending
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Deadlines<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        this.follow_turn();
        let before = buf.filled().len();
        let poll = Pin::new(&mut this.stream).poll_read(cx, buf);
        if !this.is_between_requests() {
            return poll;
        }
        if poll.is_ready() {
            if !this.in_head && buf.filled().len() > before {
                this.in_head = true;
                this.since = Instant::now();
            }
            return poll;
        }
        let limits = &this.limits;
        let limit = match (this.in_head, this.turn) {
            (true, _) => limits.header_timeout,
            (false, 0) => limits.first_request_timeout.min(limits.idle_timeout),
            (false, _) => limits.idle_timeout,
        };
        if this.read.is_over(cx, this.since + limit) {
            Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
        } else {
            Poll::Pending
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Discard + Unpin> AsyncWrite for Deadlines<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.within_write_timeout(cx, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.within_write_timeout(cx, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Flushes the stream. Bytes that TLS has encrypted still have to be written, and wait for the peer as any write
    /// does.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_flush(cx);
        self.within_flush_timeout(cx, poll)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let since = match this.shut_down {
            Some(since) => since,
            None => {
                let poll = Pin::new(&mut this.stream).poll_shutdown(cx);
                ready!(this.within_flush_timeout(cx, poll))?;
                *this.shut_down.insert(Instant::now())
            }
        };
        if !this.progress.is_worth_lingering(this.in_head) {
            return Poll::Ready(Ok(()));
        }
        let mut scratch = [0; 4096];
        loop {
            if this.linger.is_over(cx, since + LINGER) {
                return Poll::Ready(Ok(()));
            }
            let mut buf = ReadBuf::new(&mut scratch);
            match ready!(Pin::new(&mut this.stream).poll_read(cx, &mut buf)) {
                Ok(()) if !buf.filled().is_empty() => (),
                Ok(()) | Err(_) => return Poll::Ready(Ok(())),
            }
        }
    }
}

/// A timer for a deadline that is often postponed. It is reset only when it fires early, or when the deadline moves
/// forward.
#[derive(Debug, Default)]
struct Timer {
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Timer {
    fn is_over(&mut self, cx: &mut Context<'_>, deadline: Instant) -> bool {
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if deadline < sleep.deadline() {
            sleep.as_mut().reset(deadline);
        }
        while sleep.as_mut().poll(cx).is_ready() {
            if sleep.deadline() >= deadline {
                return true;
            }
            sleep.as_mut().reset(deadline);
        }
        false
    }
}
