//! One HTTP request in, one HTTP answer out.

use std::{
    convert::Infallible,
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use bytes::Bytes;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri, body::Body as HttpBody};
use mcp_protocol::ServerInfo;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{
    authorization::{Guard, Resource},
    body::Body,
    config::{Config, ConfigError, Limits},
    cors,
    detached::Detached,
    exchange::{Endpoint, Works},
    refusal::{self, BodyUnread, Refusal},
    request_id::{RequestIds, X_REQUEST_ID},
    session::Sessions,
    site::{Allowed, Caller},
};

const HEALTH: &str = "/health";
/// Clients look here for an authorization server (RFC 8615, RFC 9728); there may be none.
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
    endpoints: Vec<Endpoint>,
    allowed: Allowed,
    guard: Option<Guard>,
    works: Works,
    request_ids: RequestIds,
    healthy: Bytes,
    draining: Bytes,
}

enum Route<'a> {
    Endpoint(&'a Endpoint),
    Health,
    Metadata(&'a Resource),
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
        let limits = config.limits;
        let guard = config.authorization.map(|it| {
            let paths = config.endpoints.iter().map(|(path, _)| path.as_str());
            Guard::new(it, paths)
        });
        let endpoints = config.endpoints.into_iter().map(|(path, server)| {
            let sessions = server
                .needs_sessions()
                .then(|| Arc::new(Sessions::new(limits.sessions, limits.session_timeout)));
            Endpoint {
                path,
                server,
                sessions,
            }
        });
        Ok(Self {
            shared: Arc::new(Shared {
                allowed: Allowed::new(&config.allowed_hosts, &config.allowed_origins)?,
                guard: guard.transpose()?,
                endpoints: endpoints.collect(),
                works: Works {
                    limits,
                    variants: config.variants,
                    detached: Detached::default(),
                    stopping: CancellationToken::new(),
                },
                request_ids: RequestIds::new(),
                healthy,
                draining,
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

    /// From now on `/health` says 503, so that a load balancer looks elsewhere, and streams without an
    /// end of their own end. All else goes on.
    pub fn start_draining(&self) {
        self.shared.works.stopping.cancel();
    }

    /// Waits until nothing this service started is alive; what has not finished after `drain` is ended.
    ///
    /// To be called after the last [`Service::answer`].
    pub async fn close(&self, drain: Duration) {
        self.start_draining();
        self.shared.works.detached.close(drain).await;
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.works.limits
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
            Route::Endpoint(endpoint) => {
                if let Some(guard) = &self.guard {
                    guard
                        .check(&endpoint.path, &parts.uri, &parts.headers)
                        .await?;
                }
                endpoint.exchange(&self.works, &parts, body).await
            }
            Route::Metadata(resource) => resource.describe(&parts.method),
            Route::Health => self.health(&parts.method),
            Route::WellKnown | Route::Nothing => Ok(refusal::not_found()),
        }
    }

    fn check_size(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let target = uri.path_and_query().map_or(0, |it| it.as_str().len());
        if target > self.works.limits.target_bytes {
            return Err(refusal::target_too_long(self.works.limits.target_bytes));
        }
        let lines = headers.iter();
        let head: usize = lines
            .map(|(name, value)| name.as_str().len() + value.len())
            .sum();
        if head > self.works.limits.header_bytes {
            return Err(refusal::head_too_large(self.works.limits.header_bytes));
        }
        Ok(())
    }

    fn route(&self, path: &str) -> Route<'_> {
        match self.endpoints.iter().find(|it| it.path == path) {
            Some(endpoint) => Route::Endpoint(endpoint),
            None if path == HEALTH => Route::Health,
            None if path.contains(WELL_KNOWN) => {
                let described = self.guard.as_ref().and_then(|it| it.described_at(path));
                described.map_or(Route::WellKnown, Route::Metadata)
            }
            None => Route::Nothing,
        }
    }

    fn health(&self, method: &Method) -> Result<Response<Body>, Refusal> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err(refusal::method_not_allowed("GET, HEAD"));
        }
        let (status, body) = match self.works.stopping.is_cancelled() {
            false => (StatusCode::OK, &self.healthy),
            true => (StatusCode::SERVICE_UNAVAILABLE, &self.draining),
        };
        Ok(refusal::json(status, Body::from(body.clone())))
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

impl<B> hyper::service::Service<Request<B>> for Service
where
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn call(&self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.answer(request).await) })
    }
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
