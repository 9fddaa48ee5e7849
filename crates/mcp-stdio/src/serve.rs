//! The loop that serves one stream. It reads messages, runs requests, and writes messages.

use std::{future::poll_fn, io, sync::Arc, task::Poll, time::Duration};

use bytes::{Buf, Bytes, BytesMut};
use mcp_protocol::{
    ErrorObject, Method, Request, RequestId,
    jsonrpc::{self, InvalidMessage, Message, MessageOrBatch, Notification},
};
use mcp_server::{
    BoxFuture, Extensions, RequestContext, Server, ShutdownReport, ShutdownToken,
    transport::{
        ChannelEvent, ClientChannel, MemoryReservation, NotificationStream, Response,
        out_of_memory, parsed_size_estimate,
    },
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::mpsc,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::{
    StdioLimits,
    in_flight::{Answer, InFlight, RequestIds},
    lines::{Line, Lines},
    session::StreamSession,
};

/// Maximum number of unwritten bytes. Beyond it, the server stops reading until the client has read some.
const UNWRITTEN: usize = 1 << 20;

/// The time without reads after which a client counts as stalled during the shutdown.
const STALLED: Duration = Duration::from_secs(4);

/// The time allowed for the client to read the remaining output once nothing is in flight.
const LAST_WRITE: Duration = Duration::from_secs(1);

/// Serves one client until `input` ends, `stop` is triggered, or `output` is closed.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_protocol::ServerInfo;
/// use mcp_server::{Server, ShutdownToken};
/// use mcp_stdio::{StdioLimits, serve};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder(ServerInfo::new("example", "1.0.0")).build()?;
/// let input: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
/// let mut output = Vec::new();
/// serve(Arc::new(server), input, &mut output, ShutdownToken::new(), StdioLimits::default()).await?;
/// assert_eq!(output, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
/// # Ok(())
/// # }
/// ```
///
/// Requests in flight have [`StdioLimits::grace_period`] to finish. Each remaining request then gets an error response. An immediate stop
/// does not wait, and neither does a stop combined with the end of the input, in either order.
///
/// # Errors
/// Returns the error of `input` or `output`. A closed output is not an error.
pub async fn serve<R, W>(
    server: Arc<Server>,
    input: R,
    output: W,
    stop: impl Into<ShutdownToken>,
    limits: StdioLimits,
) -> io::Result<ShutdownReport>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    serve_with_extensions(server, Extensions::new(), input, output, stop, limits).await
}

/// Serves one client as [`serve`] does, and adds `extensions` to all its requests. The [scope](mcp_server::ServerBuilder::list_variant) and
/// the tools of the server can read them.
///
/// # Errors
/// Fails as [`serve`] does.
pub async fn serve_with_extensions<R, W>(
    server: Arc<Server>,
    extensions: Extensions,
    mut input: R,
    mut output: W,
    stop: impl Into<ShutdownToken>,
    limits: StdioLimits,
) -> io::Result<ShutdownReport>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    let (input, output): (&mut Input<'_>, &mut Output<'_>) = (&mut input, &mut output);
    let stop = stop.into();
    let stopping = stop.drain_token().child_token();
    let (channel, outgoing) = ClientChannel::new(stopping.clone());
    let mut stream = Stream {
        server,
        session: StreamSession::default(),
        extensions,
        channel: Arc::new(channel),
        outgoing,
        notifications: None,
        stopping,
        in_flight: InFlight::default(),
        lines: Lines::new(limits.line_bytes),
        unwritten: BytesMut::new(),
        unflushed: false,
        limits,
    };
    let serving = stream.server.register_transport();
    let served = stream.serve(input, output, &stop).await;
    // Nothing outlives the stream, regardless of how it ended.
    stream.in_flight.shutdown().await;
    let tasks = serving.shutdown().await;
    match served {
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Ok(ShutdownReport::default()),
        served => served.map(|it| it.with_unfinished(it.unfinished + tasks)),
    }
}

type Input<'a> = dyn AsyncRead + Unpin + Send + 'a;
type Output<'a> = dyn AsyncWrite + Unpin + Send + 'a;

struct Stream {
    server: Arc<Server>,
    session: StreamSession,
    extensions: Extensions,
    /// The sender of messages from running requests to `outgoing`.
    channel: Arc<ClientChannel>,
    outgoing: mpsc::Receiver<ChannelEvent>,
    /// The notifications for a client that has sent `initialize`.
    notifications: Option<NotificationStream>,
    /// Ends requests that would otherwise run indefinitely.
    stopping: CancellationToken,
    in_flight: InFlight,
    lines: Lines,
    unwritten: BytesMut,
    /// Whether there is something to write or to flush.
    unflushed: bool,
    limits: StdioLimits,
}

impl Stream {
    async fn serve(
        &mut self,
        input: &mut Input<'_>,
        output: &mut Output<'_>,
        stop: &ShutdownToken,
    ) -> io::Result<ShutdownReport> {
        let input_ended = tokio::select! {
            biased;
            read = self.run(input, output) => {
                read?;
                true
            }
            () = stop.drain_token().cancelled() => false,
        };
        self.stopping.cancel();
        // A host that both stops the server and closes the input needs no more responses, in either order.
        let at_once = async {
            if input_ended {
                stop.drain_token().cancelled().await;
            } else {
                tokio::select! {
                    () = stop.abort_token().cancelled() => (),
                    () = skip(input) => (),
                }
            }
        };
        let grace = self.limits.grace_period;
        tokio::select! {
            biased;
            drained = self.drain(output) => {
                if drained? {
                    return Ok(ShutdownReport::default());
                }
            }
            () = tokio::time::sleep(grace) => (),
            () = at_once => (),
        }
        let unfinished = self.in_flight.shutdown().await;
        tracing::warn!(
            requests = unfinished.len(),
            "requests were aborted before they finished"
        );
        let count = unfinished.len();
        for wanted in unfinished {
            self.answer(stopped(wanted));
        }
        self.last_write(output).await?;
        // Unread responses count as unfinished, too.
        let unread = usize::from(!self.unwritten.is_empty());
        Ok(ShutdownReport::default().with_unfinished(count.max(unread)))
    }

    /// Reads and handles messages until the input ends.
    async fn run(&mut self, input: &mut Input<'_>, output: &mut Output<'_>) -> io::Result<()> {
        loop {
            let can_write = self.unwritten.len() < UNWRITTEN;
            let room = can_write && self.in_flight.len() < self.limits.requests_in_flight;
            if room && let Some(line) = self.lines.next() {
                self.line(line).await;
                continue;
            }
            self.lines.make_room();
            // Every branch is cancel safe: no bytes are lost if another one is ready first. The branches before reading
            // are bounded by the input. The last two are not, and would starve the client's input if they came first.
            tokio::select! {
                biased;
                written = write_or_flush(output, &self.unwritten), if self.unflushed => {
                    match written? {
                        Some(count) => self.written(count)?,
                        None => self.unflushed = false,
                    }
                }
                answer = self.in_flight.next(), if !self.in_flight.is_empty() => {
                    self.answer(answer.unwrap_or_default());
                }
                read = input.read_buf(&mut self.lines.buffer), if room => {
                    if read? == 0 {
                        break;
                    }
                }
                Some(message) = self.outgoing.recv(), if can_write => self.send(message),
                Some(message) = next_notification(&mut self.notifications), if can_write => self.write_line(&message),
                else => (),
            }
        }
        if let Some(line) = self.lines.rest() {
            self.line(line).await;
        }
        Ok(())
    }

    /// Writes the responses of all requests in flight. Returns `false` if the client no longer reads.
    async fn drain(&mut self, output: &mut Output<'_>) -> io::Result<bool> {
        loop {
            if !self.write_out(output).await? {
                return Ok(false);
            }
            if self.in_flight.is_empty() {
                let flushed = timeout(STALLED, output.flush()).await;
                return flushed.map_or(Ok(false), |it| it.map(|()| true));
            }
            tokio::select! {
                biased;
                answer = self.in_flight.next() => self.answer(answer.unwrap_or_default()),
                Some(message) = self.outgoing.recv() => self.send(message),
            }
        }
    }

    /// Writes the queued lines, so no line is left incomplete.
    async fn last_write(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        let write = async {
            if self.write_out(output).await? {
                output.flush().await
            } else {
                Ok(())
            }
        };
        let written = timeout(LAST_WRITE, write).await;
        written.unwrap_or(Ok(()))
    }

    /// Writes everything in the queue. Returns `false` if the client no longer reads.
    async fn write_out(&mut self, output: &mut Output<'_>) -> io::Result<bool> {
        while !self.unwritten.is_empty() {
            match timeout(STALLED, output.write(&self.unwritten)).await {
                Ok(written) => self.written(written?)?,
                Err(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    fn written(&mut self, count: usize) -> io::Result<()> {
        if count == 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.unwritten.advance(count);
        Ok(())
    }

    /// Queues a message that a request sends before its response.
    fn send(&mut self, outgoing: ChannelEvent) {
        match outgoing {
            ChannelEvent::Message(message) => self.write_line(&message),
            // Only an HTTP client can be released to poll.
            ChannelEvent::ReleaseStream(_) => (),
        }
    }

    /// Queues a response, after the messages that precede it.
    fn answer(&mut self, answer: Answer) {
        while let Ok(message) = self.outgoing.try_recv() {
            self.send(message);
        }
        self.write(answer);
    }

    fn write(&mut self, answer: Answer) {
        match answer {
            Answer::Nothing => (),
            Answer::One(response) => {
                self.unflushed = true;
                response.write_to(&mut self.unwritten);
                self.unwritten.extend_from_slice(b"\n");
            }
            Answer::Batch(responses) => self.write_line(&responses),
        }
    }

    fn write_line(&mut self, line: &[u8]) {
        self.unflushed = true;
        self.unwritten.extend_from_slice(line);
        self.unwritten.extend_from_slice(b"\n");
    }

    async fn line(&mut self, line: Line) {
        let line = match line {
            Line::Text(line) => line,
            Line::TooLong(id) => {
                let max = self.limits.line_bytes;
                let what = format!("the line is longer than {max} bytes");
                self.refuse(id, ErrorObject::invalid_request(what));
                return;
            }
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let mut memory = self.server.memory_budget().empty_reservation();
        let has_room = memory.try_grow_to(parsed_size_estimate(&line));
        match jsonrpc::parse(&line) {
            Ok(MessageOrBatch::Single(Message::Request(request))) if !has_room => {
                self.refuse(Some(request.id), out_of_memory());
            }
            Ok(MessageOrBatch::Single(Message::Request(request))) => {
                self.request(request, memory).await;
            }
            Ok(MessageOrBatch::Single(Message::Notification(it))) => self.notification(&it),
            Ok(MessageOrBatch::Single(Message::Response(it))) => self.response(it),
            Ok(MessageOrBatch::Batch(items)) => self.batch(items, has_room.then_some(memory)).await,
            Err(invalid) => self.refuse(invalid.id, invalid.error),
        }
    }

    async fn request(&mut self, request: Request, memory: MemoryReservation) {
        let revision = match self.session.revision_of(&request) {
            Ok(revision) => revision,
            Err(error) => {
                self.refuse(Some(request.id), error);
                return;
            }
        };
        if request.method == Method::Initialize.as_str()
            && let Some(session) = self.session.get()
        {
            let channel = ClientChannel::clone(&self.channel);
            self.channel = Arc::new(channel.with_session(Arc::clone(session)));
            self.notifications = self.server.notification_stream(session);
        }
        let id = request.id.clone();
        let (server, cx) = (Arc::clone(&self.server), self.context(memory));
        let work =
            Box::pin(async move { Answer::One(server.handle(revision, request, &cx).await) });
        self.start(RequestIds::One(id), work).await;
    }

    /// Handles a batch if there is enough memory.
    async fn batch(
        &mut self,
        items: Vec<Result<Message, InvalidMessage>>,
        memory: Option<MemoryReservation>,
    ) {
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
        let Some(revision) = self.session.negotiated().filter(|it| it.features().batches) else {
            let error = ErrorObject::invalid_request("this protocol version supports no batches");
            self.refuse_batch(ids, &error);
            return;
        };
        let Some(memory) = memory else {
            self.refuse_batch(ids, &out_of_memory());
            return;
        };
        let (server, cx) = (Arc::clone(&self.server), self.context(memory));
        let work = Box::pin(async move {
            match server.handle_batch(revision, wanted, &cx).await {
                Ok(Some(answers)) => Answer::Batch(answers),
                Ok(None) => Answer::Nothing,
                Err(error) => Answer::One(Response::error(None, error)),
            }
        });
        self.start(RequestIds::Batch(ids), work).await;
    }

    /// Creates the context of a message. It holds `memory` as long as the message is in progress.
    fn context(&self, memory: MemoryReservation) -> RequestContext {
        let mut extensions = self.extensions.clone();
        if !memory.is_empty() {
            extensions.insert(memory);
        }
        RequestContext::from_extensions(extensions).with_channel(Arc::clone(&self.channel))
    }

    /// Sends an error for each request of a rejected batch, because the client waits for each response.
    fn refuse_batch(&mut self, ids: Vec<RequestId>, error: &ErrorObject) {
        if ids.is_empty() {
            self.refuse(None, error.clone());
            return;
        }
        for id in ids {
            self.refuse(Some(id), error.clone());
        }
    }

    /// Runs a request. Most requests complete at the first poll. Their responses are sent immediately, in order, without a task.
    async fn start(&mut self, wanted: RequestIds, mut work: BoxFuture<'static, Answer>) {
        let first = poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx))).await;
        match first {
            Poll::Ready(answer) => self.answer(answer),
            Poll::Pending => self.in_flight.spawn(wanted, work),
        }
    }

    fn notification(&mut self, notification: &Notification) {
        if notification.method == "notifications/cancelled"
            && let Some(params) = &notification.params
            && let Some(id) = params.get("requestId").and_then(RequestId::read)
        {
            self.in_flight.cancel(&id);
        }
    }

    /// Passes a response to the session that sent the request.
    fn response(&self, response: jsonrpc::Response) {
        if let Some(session) = self.session.get() {
            session.receive_response(response);
        }
    }

    fn refuse(&mut self, id: Option<RequestId>, error: ErrorObject) {
        // Logged as an escaped string, because it may quote the client.
        tracing::warn!(error = error.to_string(), "invalid message");
        if id.is_some() || self.session.errors_without_id() {
            self.write(Answer::One(Response::error(id, error)));
        }
    }
}

/// Writes some of the bytes and returns their number. Without bytes it flushes, to detect a failed output.
async fn write_or_flush(output: &mut Output<'_>, bytes: &[u8]) -> io::Result<Option<usize>> {
    match bytes {
        [] => output.flush().await.map(|()| None),
        bytes => output.write(bytes).await.map(Some),
    }
}

/// Waits for the end of the input and ignores further messages.
async fn skip(input: &mut Input<'_>) {
    let mut late = [0; 1024];
    while input.read(&mut late).await.is_ok_and(|count| count > 0) {}
}

/// Returns the error responses to requests that the server does not finish.
fn stopped(wanted: RequestIds) -> Answer {
    let error = |id| Response::error(Some(id), ErrorObject::server_stopped());
    match wanted {
        RequestIds::One(id) => Answer::One(error(id)),
        RequestIds::Batch(ids) => Answer::Batch(Response::batch(ids.into_iter().map(error))),
    }
}

/// Waits for the next notification. Never completes if there is no stream.
async fn next_notification(notifications: &mut Option<NotificationStream>) -> Option<Bytes> {
    match notifications {
        Some(notifications) => notifications.next().await,
        None => std::future::pending().await,
    }
}
