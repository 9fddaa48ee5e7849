//! One HTTP request in, one HTTP answer out.

use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
    time::Duration,
};

use bytes::Bytes;
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode, Uri, body::Body as HttpBody,
    http::request::Parts,
};
use mcp_protocol::{Message, Revision, ServerInfo, error, jsonrpc};
use mcp_server::{CallContext, Reply, Server};
use serde_json::json;

use crate::{
    body::Body,
    config::{Config, ConfigError, Limits},
    cors,
    detached::{Detached, Unfinished},
    detect::{self, Work},
    media, read,
    refusal::{self, BodyUnread, Refusal},
    request_id::{RequestIds, X_REQUEST_ID},
    site::{Allowed, Caller},
};

const HEALTH: &str = "/health";
/// Clients look here for an authorization server (RFC 8615, RFC 9728); there is none.
const WELL_KNOWN: &str = "/.well-known/";

/// Answers HTTP requests; for hosts that have an HTTP server of their own. Clones share everything.
///
/// Limits on connections and on the time of heads and answers are the host's, all others are kept here.
#[derive(Debug, Clone)]
pub struct Service {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    endpoints: Vec<(String, Arc<Server>)>,
    allowed: Allowed,
    limits: Limits,
    request_ids: RequestIds,
    healthy: Bytes,
    draining: Bytes,
    is_draining: AtomicBool,
    detached: Detached,
}

enum Route<'a> {
    Endpoint(&'a Arc<Server>),
    Health,
    WellKnown,
    Nothing,
}

impl Service {
    /// Checks the configuration.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        let (_, first) = config.endpoints.first().ok_or(ConfigError::NoEndpoint)?;
        let healthy = health("ok", first.server_info());
        let draining = health("draining", first.server_info());
        for (n, (path, _)) in config.endpoints.iter().enumerate() {
            if !is_endpoint_path(path) {
                return Err(ConfigError::Path(path.clone()));
            }
            let mut earlier = config.endpoints.iter().take(n);
            if earlier.any(|(other, _)| other == path) {
                return Err(ConfigError::DuplicatePath(path.clone()));
            }
        }
        Ok(Self {
            shared: Arc::new(Shared {
                allowed: Allowed::new(&config.allowed_hosts, &config.allowed_origins)?,
                endpoints: config.endpoints,
                limits: config.limits,
                request_ids: RequestIds::new(),
                healthy,
                draining,
                is_draining: AtomicBool::new(false),
                detached: Detached::default(),
            }),
        })
    }

    /// Answers one request. Never fails: what cannot be served is answered with a refusal.
    ///
    /// # Cancel safety
    /// Dropping the future is how a disconnect is made known. It ends a request of the per-request
    /// lifecycle, for which a disconnect is the cancellation. Where there is a handshake it is none
    /// (2025-11-25 `basic/transports`, "Sending Messages to the Server"), and the work runs to its
    /// end unseen, within the deadline of the server; [`Service::close`] waits for it.
    pub async fn answer<B: HttpBody>(&self, request: Request<B>) -> Response<Body> {
        let request_id = self.shared.request_ids.of(request.headers());
        let caller = self.shared.allowed.caller(request.headers());
        let has_body = !request.body().is_end_stream();
        let mut response = match caught(self.shared.answer(request, &caller)).await {
            Ok(Ok(response)) => response,
            Ok(Err(refusal)) => refusal.into_response(),
            Err(Panicked) => refusal::fault(None).into_response(),
        };
        if !has_body {
            response.extensions_mut().remove::<BodyUnread>();
        }
        let headers = response.headers_mut();
        headers.insert(X_REQUEST_ID, request_id);
        if let Caller::Page(origin) = caller {
            cors::expose(headers, origin);
        }
        response
    }

    /// From now on `/health` says 503, so that a load balancer looks elsewhere. All else goes on.
    pub fn start_draining(&self) {
        self.shared.is_draining.store(true, Ordering::Relaxed);
    }

    /// Waits until nothing this service started is alive; what has not finished after `drain` is ended.
    ///
    /// To be called after the last [`Service::answer`].
    pub async fn close(&self, drain: Duration) {
        self.start_draining();
        self.shared.detached.close(drain).await;
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.limits
    }
}

impl Shared {
    async fn answer<B: HttpBody>(
        &self,
        request: Request<B>,
        caller: &Caller,
    ) -> Result<Response<Body>, Refusal> {
        let (parts, body) = request.into_parts();
        self.check_size(&parts.uri, &parts.headers)?;
        let route = self.route(parts.uri.path());
        let is_preflight =
            cors::is_preflight(&parts.method, &parts.headers) && matches!(caller, Caller::Page(_));
        if matches!(route, Route::Nothing) && !is_preflight {
            return Ok(refusal::not_found());
        }
        self.allowed
            .check_host(parts.version, &parts.uri, &parts.headers)?;
        match caller {
            Caller::NoOrigin => (),
            Caller::Page(_) if is_preflight => return Ok(cors::preflight(&parts.headers)),
            Caller::Page(_) => (),
            Caller::Stranger => return Err(refusal::origin_not_allowed()),
        }
        match route {
            Route::Endpoint(server) => self.exchange(server, &parts, body).await,
            Route::Health => self.health(&parts.method),
            Route::WellKnown | Route::Nothing => Ok(refusal::not_found()),
        }
    }

    fn check_size(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let target = uri.path_and_query().map_or(0, |it| it.as_str().len());
        if target > self.limits.target_bytes {
            return Err(refusal::target_too_long(self.limits.target_bytes));
        }
        let lines = headers.iter();
        let head: usize = lines
            .map(|(name, value)| name.as_str().len() + value.len())
            .sum();
        if head > self.limits.header_bytes {
            return Err(refusal::head_too_large(self.limits.header_bytes));
        }
        Ok(())
    }

    fn route(&self, path: &str) -> Route<'_> {
        let endpoint = self.endpoints.iter().find(|(its_path, _)| its_path == path);
        match endpoint {
            Some((_, server)) => Route::Endpoint(server),
            None if path == HEALTH => Route::Health,
            None if path.contains(WELL_KNOWN) => Route::WellKnown,
            None => Route::Nothing,
        }
    }

    fn health(&self, method: &Method) -> Result<Response<Body>, Refusal> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err(refusal::method_not_allowed("GET, HEAD"));
        }
        let (status, body) = match self.is_draining.load(Ordering::Relaxed) {
            false => (StatusCode::OK, &self.healthy),
            true => (StatusCode::SERVICE_UNAVAILABLE, &self.draining),
        };
        Ok(refusal::json(status, Body::from(body.clone())))
    }

    async fn exchange<B: HttpBody>(
        &self,
        server: &Arc<Server>,
        parts: &Parts,
        body: B,
    ) -> Result<Response<Body>, Refusal> {
        if parts.method != Method::POST {
            return Err(refusal::method_not_allowed("POST"));
        }
        if !media::is_json(&parts.headers) {
            return Err(refusal::not_json());
        }
        if media::is_encoded(&parts.headers) {
            return Err(refusal::encoded());
        }
        if !media::accepts_answer(&parts.headers) {
            return Err(refusal::not_acceptable());
        }
        let body = read::body(body, self.limits.body_bytes, self.limits.body_timeout).await?;
        let incoming = jsonrpc::parse(&body).map_err(refusal::unreadable)?;
        drop(body);
        match detect::work(incoming, &parts.headers)? {
            Work::Accept => Ok(accepted()),
            Work::Answer(revision, request) if revision.has_handshake() => {
                let id = request.id.clone();
                let server = Arc::clone(server);
                let work = async move { one(&server, revision, request).await };
                let outcome = self.detached.run(Box::pin(work)).await;
                outcome.map_err(|why| unfinished(why, Some(id)))
            }
            Work::Answer(revision, request) => Ok(one(server, revision, request).await),
            Work::AnswerAll(revision, items) => {
                let server = Arc::clone(server);
                let work = async move { all(&server, revision, items).await };
                let outcome = self.detached.run(Box::pin(work)).await;
                outcome.map_err(|why| unfinished(why, None))?
            }
        }
    }
}

async fn one(server: &Server, revision: Revision, request: jsonrpc::Request) -> Response<Body> {
    let response = server
        .handle(revision, request, &CallContext::default())
        .await;
    let status = match &response.reply {
        // 2026-07-28 `basic/transports/streamable-http`; elsewhere an unknown method is an answer
        // like any other.
        Reply::Error(it) if it.code == error::METHOD_NOT_FOUND && !revision.has_handshake() => {
            StatusCode::NOT_FOUND
        }
        Reply::Error(_) | Reply::Result(_) => StatusCode::OK,
    };
    refusal::json(status, Body::from_segments(response.into_segments()))
}

async fn all(
    server: &Server,
    revision: Revision,
    items: Vec<Result<Message, jsonrpc::Invalid>>,
) -> Result<Response<Body>, Refusal> {
    let answers = server
        .handle_batch(revision, items, &CallContext::default())
        .await;
    match answers.map_err(refusal::batch)? {
        Some(answers) => Ok(refusal::json(StatusCode::OK, Body::from(answers))),
        None => Ok(accepted()),
    }
}

fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::default());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

fn unfinished(why: Unfinished, id: Option<mcp_protocol::RequestId>) -> Refusal {
    match why {
        Unfinished::Panicked => refusal::fault(id),
        Unfinished::Aborted => refusal::stopped(id),
    }
}

fn health(status: &str, server_info: &ServerInfo) -> Bytes {
    let health = json!({
        "status": status,
        "name": server_info.name,
        "version": server_info.version,
    });
    Bytes::from(health.to_string())
}

fn is_endpoint_path(path: &str) -> bool {
    // As a client's URL parser leaves a path: no query, nothing that would be encoded.
    let in_path = |byte: u8| byte.is_ascii_graphic() && !b"?#\"<>`{}\\^|".contains(&byte);
    path.starts_with('/')
        && path.bytes().all(in_path)
        && path != HEALTH
        && !path.contains(WELL_KNOWN)
}

/// Something in this crate, or in the host's body, panicked; a tool's panic ends in the server.
struct Panicked;

async fn caught<T>(answer: impl Future<Output = T>) -> Result<T, Panicked> {
    let mut answer = pin!(answer);
    poll_fn(
        move |cx| match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(cx))) {
            Ok(poll) => poll.map(Ok),
            Err(_) => Poll::Ready(Err(Panicked)),
        },
    )
    .await
}
