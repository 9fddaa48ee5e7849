//! The loop that owns one stream: lines in, answers out, requests in between.

use std::{
    future::{Future, poll_fn},
    io,
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Duration,
};

use bytes::{Buf, Bytes, BytesMut};
use mcp_protocol::{
    ErrorObject, Incoming, Message, Notification, Request, RequestId,
    jsonrpc::{self, Invalid},
};
use mcp_server::{CallContext, Feed, Link, OUTGOING, Outgoing, Response, Server};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::mpsc,
};
use tokio_util::sync::CancellationToken;

use crate::{
    in_flight::{Answer, InFlight},
    lines::{Line, Lines},
    session::Opened,
};

/// Bounds on one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest line, in bytes. A longer one is skipped and answered with an error.
    pub line_bytes: usize,
    /// Requests under way at once; no more is read until one ends.
    pub in_flight: usize,
    /// How long requests may go on after the input has ended.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes: 4 << 20,
            // More than the calls a server lets in, so that pings and cancellations get through.
            in_flight: 512,
            // `echo … | server` gets its answer; a host that hangs up does not wait for long.
            grace: Duration::from_secs(2),
        }
    }
}

/// Unwritten answers beyond this many bytes stop the reading until the client has read some.
const UNWRITTEN: usize = 1 << 20;

/// How long a client that has asked for the end may take to read what is left.
const LAST_WRITE: Duration = Duration::from_millis(200);

/// Serves until `input` ends, `stop` fires or the output is closed.
///
/// At the end of the input, requests under way have [`Limits::grace`] to finish; `stop` ends them at
/// once. Errors are those of `input` and `output`; a closed output is an ordinary end.
pub async fn serve<R, W>(
    server: Arc<Server>,
    mut input: R,
    mut output: W,
    stop: CancellationToken,
    limits: Limits,
) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (sender, outgoing) = mpsc::channel(OUTGOING);
    let stopping = stop.child_token();
    let mut stream = Stream {
        server,
        opened: Opened::default(),
        link: Arc::new(Link::new(sender.clone(), stopping.clone())),
        sender,
        outgoing,
        feed: None,
        stopping,
        in_flight: InFlight::default(),
        lines: Lines::new(limits.line_bytes),
        unwritten: BytesMut::new(),
        limits,
    };
    let served = tokio::select! {
        served = stream.run(&mut input, &mut output) => served,
        () = stop.cancelled() => stream.last_write(&mut output).await,
    };
    stream.in_flight.shutdown().await;
    match served {
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        served => served,
    }
}

struct Stream {
    server: Arc<Server>,
    opened: Opened,
    /// What requests say before their answers, and its other end.
    link: Arc<Link>,
    sender: mpsc::Sender<Outgoing>,
    outgoing: mpsc::Receiver<Outgoing>,
    /// What changes, for a client that has shaken hands.
    feed: Option<Feed>,
    /// Requests without an end of their own are to end.
    stopping: CancellationToken,
    in_flight: InFlight,
    lines: Lines,
    unwritten: BytesMut,
    limits: Limits,
}

impl Stream {
    async fn run<R, W>(&mut self, input: &mut R, output: &mut W) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        loop {
            let can_write = self.unwritten.len() < UNWRITTEN;
            let room = can_write && self.in_flight.len() < self.limits.in_flight;
            if room && let Some(line) = self.lines.next() {
                self.line(line).await;
                continue;
            }
            // Every branch is cancel safe: nothing read or written is lost when another one is first.
            tokio::select! {
                written = output.write(&self.unwritten), if !self.unwritten.is_empty() => {
                    self.written(written?)?;
                }
                Some(message) = self.outgoing.recv(), if can_write => self.send(message),
                answer = self.in_flight.next(), if !self.in_flight.is_empty() => {
                    self.answer(answer.unwrap_or_default());
                }
                Some(message) = next_notification(&mut self.feed), if can_write => self.write(vec![message]),
                read = input.read_buf(&mut self.lines.buffer), if room => {
                    if read? == 0 {
                        break;
                    }
                }
                else => (),
            }
        }
        if let Some(line) = self.lines.rest() {
            self.line(line).await;
        }
        self.stopping.cancel();
        let grace = self.limits.grace;
        match tokio::time::timeout(grace, self.drain(output)).await {
            Ok(drained) => drained,
            Err(_) => {
                tracing::warn!(
                    requests = self.in_flight.len(),
                    "given up at the end of input"
                );
                Ok(())
            }
        }
    }

    async fn drain<W: AsyncWrite + Unpin>(&mut self, output: &mut W) -> io::Result<()> {
        loop {
            self.write_out(output).await?;
            if self.in_flight.is_empty() {
                return output.flush().await;
            }
            tokio::select! {
                Some(message) = self.outgoing.recv() => self.send(message),
                answer = self.in_flight.next() => self.answer(answer.unwrap_or_default()),
            }
        }
    }

    /// What has been answered is said to its end, so that no line is left half written.
    async fn last_write<W: AsyncWrite + Unpin>(&mut self, output: &mut W) -> io::Result<()> {
        let written = tokio::time::timeout(LAST_WRITE, self.write_out(output)).await;
        written.unwrap_or(Ok(()))
    }

    async fn write_out<W: AsyncWrite + Unpin>(&mut self, output: &mut W) -> io::Result<()> {
        while !self.unwritten.is_empty() {
            let written = output.write(&self.unwritten).await?;
            self.written(written)?;
        }
        Ok(())
    }

    fn written(&mut self, count: usize) -> io::Result<()> {
        if count == 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.unwritten.advance(count);
        Ok(())
    }

    /// Queues what a request says before its answer.
    fn send(&mut self, outgoing: Outgoing) {
        match outgoing {
            Outgoing::Message(message) => self.write(vec![message]),
            // There is no stream to leave.
            Outgoing::Poll(_) => (),
        }
    }

    /// Queues an answer, after all that was said before it.
    fn answer(&mut self, answer: Answer) {
        while let Ok(message) = self.outgoing.try_recv() {
            self.send(message);
        }
        self.write(answer);
    }

    /// Queues one line; an empty answer is none.
    fn write(&mut self, answer: Answer) {
        if answer.iter().all(Bytes::is_empty) {
            return;
        }
        for piece in answer {
            self.unwritten.extend_from_slice(&piece);
        }
        self.unwritten.extend_from_slice(b"\n");
    }

    async fn line(&mut self, line: Line) {
        let line = match line {
            Line::Text(line) => line,
            Line::TooLong => {
                let most = self.limits.line_bytes;
                let what = format_args!("the line is longer than {most} bytes");
                self.refuse(None, ErrorObject::invalid_request(what));
                return;
            }
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        match jsonrpc::parse(&line) {
            Ok(Incoming::Single(Message::Request(request))) => self.request(request).await,
            Ok(Incoming::Single(Message::Notification(it))) => self.notification(&it),
            Ok(Incoming::Single(Message::Response(it))) => self.response(it),
            Ok(Incoming::Batch(items)) => self.batch(items).await,
            Err(invalid) => self.refuse(invalid.id, invalid.error),
        }
    }

    async fn request(&mut self, request: Request) {
        let revision = match self.opened.revision_of(&request) {
            Ok(revision) => revision,
            Err(error) => {
                self.refuse(Some(request.id), error);
                return;
            }
        };
        if request.method == "initialize"
            && let Some(session) = self.opened.session()
        {
            let link = Link::new(self.sender.clone(), self.stopping.clone());
            self.link = Arc::new(link.in_session(Arc::clone(session)));
            self.feed = self.server.feed(session);
        }
        let id = request.id.clone();
        let (server, link) = (Arc::clone(&self.server), Arc::clone(&self.link));
        let work = async move {
            let cx = CallContext::over(link);
            let response = server.handle(revision, request, &cx).await;
            response.into_segments().into()
        };
        self.start(vec![id], work).await;
    }

    async fn batch(&mut self, items: Vec<Result<Message, Invalid>>) {
        let mut ids = Vec::new();
        let mut wanted = Vec::new();
        for item in items {
            match item {
                Ok(Message::Notification(it)) => self.notification(&it),
                Ok(Message::Response(it)) => self.response(it),
                Ok(Message::Request(request)) => {
                    ids.push(request.id.clone());
                    wanted.push(Ok(Message::Request(request)));
                }
                Err(invalid) => {
                    ids.extend(invalid.id.clone());
                    wanted.push(Err(invalid));
                }
            }
        }
        let Some(revision) = self.opened.negotiated().filter(|it| it.rules().batches) else {
            self.refuse_batch(ids);
            return;
        };
        let (server, link) = (Arc::clone(&self.server), Arc::clone(&self.link));
        let work = async move {
            let cx = CallContext::over(link);
            match server.handle_batch(revision, wanted, &cx).await {
                Ok(answers) => answers.into_iter().collect(),
                Err(error) => Response::error(None, error).into_segments().into(),
            }
        };
        self.start(ids, work).await;
    }

    /// Each request of a refused batch is told, since each is waited for.
    fn refuse_batch(&mut self, ids: Vec<RequestId>) {
        let error = ErrorObject::invalid_request("this protocol version has no batches");
        if ids.is_empty() {
            self.refuse(None, error);
            return;
        }
        for id in ids {
            self.refuse(Some(id), error.clone());
        }
    }

    /// Most answers need no waiting: they are written at once, in order, without a task.
    async fn start(
        &mut self,
        ids: Vec<RequestId>,
        work: impl Future<Output = Answer> + Send + 'static,
    ) {
        let mut work = Box::pin(work);
        let first = poll_fn(|cx| Poll::Ready(pin!(&mut work).poll(cx))).await;
        match first {
            Poll::Ready(answer) => self.answer(answer),
            Poll::Pending => self.in_flight.spawn(ids, work),
        }
    }

    fn notification(&mut self, notification: &Notification) {
        if notification.method == "notifications/cancelled"
            && let Some(params) = &notification.params
            && let Some(id) = params.get("requestId").and_then(RequestId::from_value)
        {
            self.in_flight.cancel(&id);
        }
    }

    /// Only a session asks, and only what it asked is waited for.
    fn response(&self, response: jsonrpc::Response) {
        if let Some(session) = self.opened.session() {
            session.answer(response);
        }
    }

    fn refuse(&mut self, id: Option<RequestId>, error: ErrorObject) {
        tracing::warn!(%error, "a line was refused");
        if id.is_some() || self.opened.errors_without_id() {
            self.write(Response::error(id, error).into_segments().into());
        }
    }
}

/// What has changed; for ever pending where nothing does.
async fn next_notification(feed: &mut Option<Feed>) -> Option<Bytes> {
    match feed {
        Some(feed) => feed.next().await,
        None => std::future::pending().await,
    }
}
