//! The server: an accept loop that owns its connections, and hyper on each connection.

use std::{
    convert::Infallible,
    future::{Ready, poll_fn, ready},
    pin::Pin,
    sync::Arc,
    task::Poll,
    time::Duration,
};

use bytes::Bytes;
use futures_util::stream::{Once, once};
use http_body_util::{BodyExt, Either, Full, Limited, StreamBody};
use hyper::{
    body::{Frame, Incoming},
    header::{CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue},
    server::conn::http1,
    service::service_fn,
    {Response, StatusCode},
};
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::{Mutex, RwLock};
use tokio::{
    io::AsyncWriteExt,
    sync::{Notify, oneshot, watch},
    task::JoinSet,
    time::{Instant, sleep_until, timeout},
};

use crate::{
    Exchange, Fault,
    answer::{Answer, Framing},
    page,
    processors::{Costs, Processors},
    raw::{self, Script},
    request::{Request, header},
    route,
    socket::{Upgrade, is_upgrade},
    state::State,
    traffic::Traffic,
    wire::{Listener, Wire},
};

/// Maximum number of open connections. Further ones wait to be accepted.
const CONNECTIONS: usize = 1024;
/// Maximum length of a request's head in the container.
const LONGEST_HEAD: usize = 8 * 1024;
/// Maximum length of the target within it.
const LONGEST_TARGET: usize = LONGEST_HEAD - 256;
/// Number of bytes that hyper buffers for a request's head.
const HEAD_BYTES: usize = 64 * 1024;
/// Maximum length of the body of a read-only POST request.
const BODY_BYTES: usize = 1024 * 1024;
/// Timeout for a request's head, and idle timeout of a kept-alive connection.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// Maximum lifetime of a connection, regardless of its use.
const CONNECTION_TIME: Duration = Duration::from_secs(60 * 60);
/// Timeout for a request's body.
const BODY_TIME: Duration = Duration::from_secs(10);
/// Delay after the system fails to accept a connection, for example because of too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// A running node, shared by its handle, the accept loop and the connections.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) state: RwLock<State>,
    pub(crate) traffic: Mutex<Traffic>,
    /// Source of connections, or `None` while the node refuses them.
    pub(crate) listener: Mutex<Option<Listener>>,
    /// Wakes the accept loop after the port was opened or closed.
    pub(crate) listener_changed: Notify,
    /// Number of state changes, for the websockets.
    changes: watch::Sender<u64>,
    costs: Option<Costs>,
    processors: Processors,
}

impl Server {
    pub(crate) fn new(state: State, listener: Listener, is_strict: bool) -> Self {
        Self {
            costs: state.scenario.costs,
            state: RwLock::new(state),
            traffic: Mutex::new(Traffic {
                is_strict,
                ..Traffic::default()
            }),
            listener: Mutex::new(Some(listener)),
            listener_changed: Notify::new(),
            changes: watch::Sender::new(0),
            processors: Processors::default(),
        }
    }

    /// Changes the state and notifies the websockets.
    pub(crate) fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.write());
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Returns a receiver that is notified of each change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Stores an unexpected request, or another failure, of a strict node.
    pub(crate) fn report(&self, unexpected: String) {
        self.traffic.lock().report(unexpected);
    }

    /// Records the number of rows read for the response to the request at an index of the journal, and waits for its processing time.
    async fn read(&self, place: u64, answer: &Answer) {
        let rows = answer.rows_read;
        let work = self.costs.map(|it| it.of(rows, answer.body.len()));
        let took = work.unwrap_or_default();
        self.traffic.lock().journal.read(place, rows, took);
        if let Some(costs) = self.costs {
            self.processors.work(costs, took).await;
        }
    }
}

/// Accepts connections until the sender of `stopping` is dropped. Returns when no connection is left.
pub(crate) async fn accept(server: Arc<Server>, mut stopping: oneshot::Receiver<()>) {
    let mut connections = JoinSet::new();
    loop {
        let next = poll_fn(|context| match server.listener.lock().as_mut() {
            Some(listener) => listener.poll_accept(context),
            None => Poll::Pending,
        });
        let tick = server.state.read().next_tick();
        tokio::select! {
            biased;
            _ = &mut stopping => break,
            () = server.listener_changed.notified() => {
                if server.listener.lock().is_none() {
                    connections.shutdown().await;
                }
            }
            Some(ended) = connections.join_next() => {
                if ended.is_err_and(|error| error.is_panic()) {
                    server.report("a request made the simulated node panic".to_owned());
                }
            }
            () = sleep_until(tick.unwrap_or_else(Instant::now)), if tick.is_some() => {
                server.change(State::tick);
            }
            accepted = next, if connections.len() < CONNECTIONS => match accepted {
                Ok(stream) => {
                    connections.spawn(serve(Arc::clone(&server), stream));
                }
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            },
        }
    }
    connections.shutdown().await;
}

/// Slot in which a request puts the takeover of its connection from hyper.
type Takeover = Arc<Mutex<Option<TakeoverResult>>>;

/// Takeover of a connection from hyper.
#[derive(Debug)]
enum TakeoverResult {
    Fault(Script),
    Socket(Box<Upgrade>),
}

/// Serves one connection.
async fn serve(server: Arc<Server>, stream: Box<dyn Wire>) {
    let takeover = Takeover::default();
    let service = service_fn(|request| {
        let respond = respond(Arc::clone(&server), Arc::clone(&takeover), request);
        let respond: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(respond);
        respond
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    // The client determines how the connection ends. The next steps are the same.
    let _ = timeout(
        CONNECTION_TIME,
        poll_fn(|context| connection.poll_without_shutdown(context)),
    )
    .await;
    let mut stream = connection.into_parts().io.into_inner();
    let taken = takeover.lock().take();
    match taken {
        Some(TakeoverResult::Fault(script)) => raw::play(script, stream).await,
        Some(TakeoverResult::Socket(upgrade)) => upgrade.serve(&server, stream).await,
        None => {
            // The client may have disconnected already.
            let _ = stream.shutdown().await;
        }
    }
}

/// A request in progress, until it is dropped.
struct InFlight<'a>(&'a Server);

impl<'a> InFlight<'a> {
    fn begin(server: &'a Server) -> Self {
        server.traffic.lock().begin();
        Self(server)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.traffic.lock().end();
    }
}

/// Marks a request whose connection is taken over from hyper.
#[derive(Debug, thiserror::Error)]
#[error("the connection is taken over")]
struct TakenOver;

async fn respond(
    server: Arc<Server>,
    takeover: Takeover,
    request: hyper::Request<Incoming>,
) -> Result<Response<Payload>, TakenOver> {
    let arrived = Instant::now();
    let is_refusing = server.listener.lock().is_none();
    let exchange = exchange(&request);
    let what = format!("{} {}", exchange.method, exchange.target);
    let (place, fault, latency) = { server.traffic.lock() }.arrive(request.uri().path(), exchange);
    let is_faulty = fault.is_some();
    let latest = arrived + latency;
    if is_upgrade(request.headers()) && fault.as_ref().is_none_or(Fault::shows_on_sockets) {
        let upgrade = upgrade(&server, &request).map(|it| it.with_fault(fault.clone()));
        if let Some(upgrade) = upgrade {
            // Without latency there is no wait, so the journal has the end of each requested websocket.
            if !latency.is_zero() {
                sleep_until(latest).await;
            }
            return Err(if is_refusing {
                take(&takeover, TakeoverResult::Fault(Script::Reset))
            } else {
                take(&takeover, TakeoverResult::Socket(Box::new(upgrade)))
            });
        }
    }
    let _in_flight = InFlight::begin(&server);
    let (answer, unexpected) = answer(&server, request).await;
    if unexpected && !is_faulty {
        server.report(what);
    }
    server.read(place, &answer).await;
    if !latency.is_zero() {
        sleep_until(latest).await;
    }
    let fault = if is_refusing {
        Some(Fault::ResetBeforeResponse)
    } else {
        fault
    };
    let planned = match (fault, answer.framing) {
        (Some(fault), _) => raw::plan(fault, &answer),
        (None, Framing::Silent) => raw::plan(Fault::StallBeforeHeaders, &answer),
        (None, Framing::Announced(length)) => Err(raw::with_length(&answer, length)),
        (None, Framing::Buffered | Framing::Length | Framing::Chunked) => Ok(answer),
    };
    match planned {
        Ok(answer) => Ok(response(answer)),
        Err(script) => Err(take(&takeover, TakeoverResult::Fault(script))),
    }
}

fn take(takeover: &Takeover, taken: TakeoverResult) -> TakenOver {
    *takeover.lock() = Some(taken);
    TakenOver
}

/// Returns the websocket for a request. A request without one gets a normal response, which is 404.
fn upgrade(server: &Server, request: &hyper::Request<Incoming>) -> Option<Upgrade> {
    let target = request.uri().path_and_query()?.as_str().to_owned();
    if target.len() > LONGEST_TARGET {
        return None;
    }
    let (uri, headers) = (request.uri(), request.headers().clone());
    let request = Request::new(request.method().clone(), uri, headers, Bytes::new())?;
    Upgrade::new(&server.state.read(), request, &target)
}

fn exchange(request: &hyper::Request<Incoming>) -> Exchange {
    let header = |name: &str| header(request.headers(), name).map(str::to_owned);
    let target = request
        .uri()
        .path_and_query()
        .map_or_else(|| request.uri().to_string(), ToString::to_string);
    Exchange {
        method: request.method().to_string(),
        target,
        accept: header("accept"),
        has_api_key: request.headers().contains_key("x-api-key"),
        trace_parent: header("traceparent"),
        rows_read: 0,
        work: Duration::ZERO,
    }
}

/// Returns the node's own response, and whether the request was unexpected.
async fn answer(server: &Server, request: hyper::Request<Incoming>) -> (Answer, bool) {
    let (head, body) = request.into_parts();
    let target = head
        .uri
        .path_and_query()
        .map_or("", hyper::http::uri::PathAndQuery::as_str);
    if target.len() > LONGEST_TARGET {
        return (page::bad_message(414), true);
    }
    let lines = head.headers.iter();
    let lengths = lines.map(|(name, value)| name.as_str().len() + value.len() + 4);
    let header_bytes: usize = lengths.sum();
    if target.len() + header_bytes > LONGEST_HEAD {
        return (page::bad_message(431), true);
    }
    let body = match timeout(BODY_TIME, Limited::new(body, BODY_BYTES).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) | Err(_) => return (page::bad_message(413), true),
    };
    let Some(request) = Request::new(head.method, &head.uri, head.headers, body) else {
        return (page::bad_message(400), true);
    };
    let routed = route::answer(&server.state.read(), request);
    (routed.answer, routed.unexpected)
}

/// The body of a response, either with its length or as a stream. Hyper sends the stream in chunks although its length is known.
type Payload = Either<Full<Bytes>, StreamBody<Once<Ready<Result<Frame<Bytes>, Infallible>>>>>;

fn response(answer: Answer) -> Response<Payload> {
    let mut response = Response::new(if answer.is_chunked() {
        Either::Right(StreamBody::new(once(ready(Ok(Frame::data(answer.body))))))
    } else {
        Either::Left(Full::new(answer.body))
    });
    // Only a test's fault can have an invalid status, which becomes a server error.
    *response.status_mut() =
        StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    let content_type = answer.content_type.map(HeaderValue::try_from);
    if let Some(Ok(value)) = content_type {
        headers.insert(CONTENT_TYPE, value);
    }
    for (name, value) in answer.headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.append(HeaderName::from_static(name), value);
        }
    }
    if answer.close {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
