//! The service: one HTTP response for one HTTP request.

use std::{
    convert::Infallible,
    future::Future,
    panic::AssertUnwindSafe,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use futures_util::{FutureExt, future::join_all};
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode, Uri, body::Body as HttpBody,
    header::HeaderValue, http::request::Parts,
};
use mcp_protocol::ServerInfo;
use mcp_server::{PeerIp, ShutdownReport, transport::ServingGuard};
use message_buffer::ParsePool;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::{
    Body, ConfigError, HttpConfig, HttpLimits, PageAudience, PageRequest, TransportStats,
    authorizer::{Authorizer, Resource},
    exchange::{Endpoint, Sender},
    header::{RequestIds, X_REQUEST_ID},
    inflight::Detached,
    proxies::Proxies,
    refusal::{self, BodyUnread, Refusal},
    respond::{self, Shared},
    route::{self, Pages},
    session::Sessions,
    site::{Allowed, Caller, Hosts},
    stream_quota::StreamQuota,
};

const HEALTH: &str = "/health";
/// The path prefix where clients look for an authorization server (RFC 8615, RFC 9728).
const WELL_KNOWN: &str = "/.well-known/";

/// An MCP service for hosts with their own HTTP server. Clones share its state.
///
/// The host must limit connections, and the time to read a head and to write a response. The service enforces all other
/// limits. The host should add the [`PeerIp`](mcp_server::PeerIp) of the client to the extensions of each
/// request. Without it, clients without a token share one rate limit for calls.
#[derive(Debug, Clone)]
pub struct Service {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    endpoints: Vec<Endpoint>,
    pages: Pages,
    allowed: Allowed,
    /// The trusted proxies, or `None` without any.
    proxies: Option<Proxies>,
    authorizer: Option<Arc<Authorizer>>,
    shared: Shared,
    request_ids: RequestIds,
    serving: Vec<ServingGuard>,
    usage: TransportStats,
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
    /// Creates a service. It does not start anything or bind an address.
    ///
    /// # Errors
    /// Returns an error for the first invalid part of the configuration: no endpoint, an invalid or duplicate path, or
    /// an invalid host, origin, network or authorization.
    pub fn new(config: HttpConfig) -> Result<Self, ConfigError> {
        if config.endpoints.is_empty() && config.routes.is_empty() {
            return Err(ConfigError::NoEndpoint);
        }
        let first = config.endpoints.first();
        let server_info = first.map(|(_, server)| server.server_info());
        let healthy = health("ok", server_info);
        let draining = health("draining", server_info);
        for (n, (path, _)) in config.endpoints.iter().enumerate() {
            if !is_endpoint_path(path) {
                return Err(ConfigError::Path(path.clone()));
            }
            let mut earlier = config.endpoints.iter().take(n);
            if earlier.any(|(other, _)| other == path) {
                return Err(ConfigError::DuplicatePath(path.clone()));
            }
        }
        let is_endpoint = |path: &str| config.endpoints.iter().any(|(it, _)| it == path);
        let pages = Pages::new(config.routes, is_endpoint_path, is_endpoint)?;
        let limits = config.limits;
        let usage = config.stats;
        let authorizer = config.authorization.map(|it| {
            let paths = config.endpoints.iter().map(|(path, _)| path.as_str());
            Authorizer::new(it, paths).map(Arc::new)
        });
        let authorizer = authorizer.transpose()?;
        let serving = config
            .endpoints
            .iter()
            .map(|(_, server)| server.register_transport());
        let serving = serving.collect();
        let endpoints = config.endpoints.into_iter().map(|(path, server)| {
            let sessions = || Sessions::new(limits.sessions, limits.session_timeout, &usage);
            let sessions = server.needs_sessions().then(sessions);
            Endpoint {
                path,
                server,
                sessions: sessions.map(Arc::new),
                authorizer: authorizer.clone(),
            }
        });
        Ok(Self {
            inner: Arc::new(Inner {
                allowed: Allowed::new(&config.allowed_hosts, &config.allowed_origins)?,
                proxies: Proxies::new(&config.trusted_proxies)?,
                endpoints: endpoints.collect(),
                authorizer,
                pages,
                shared: Shared {
                    limits,
                    detached: Arc::new(Detached::default()),
                    turns: ParsePool::default(),
                    streams: Arc::new(StreamQuota::new(&limits, &usage)),
                    stopping: CancellationToken::new(),
                },
                request_ids: RequestIds::new(),
                serving,
                usage,
                healthy,
                draining,
            }),
        })
    }

    /// Handles one request. An invalid request gets an error response.
    ///
    /// # Cancel safety
    /// Drop the future when the client disconnects. This cancels the request unless it belongs to a session. In a
    /// session, a disconnect is not a cancellation (2025-11-25 `basic/transports`, "Sending Messages to the Server"),
    /// and the request continues for [`HttpLimits::abandoned_timeout`]. [`Service::shutdown`] waits for it.
    pub async fn answer<B: HttpBody>(&self, request: Request<B>) -> Response<Body> {
        let peer = request.extensions().get().copied();
        self.answer_peer(request, peer).await
    }

    /// Handles one request of the client at this address.
    pub(crate) async fn answer_peer<B: HttpBody>(
        &self,
        request: Request<B>,
        peer: Option<PeerIp>,
    ) -> Response<Body> {
        let request_id = self.inner.request_ids.of(request.headers());
        let caller = self.inner.allowed.caller(request.headers());
        let has_body = !request.body().is_end_stream();
        let span =
            tracing::debug_span!("http", request_id = request_id.to_str().unwrap_or_default());
        let answered = {
            // Pinned by reference, because each adapter would copy the complete future.
            let answer = pin!(self.inner.answer(request, peer, &caller, &request_id));
            AssertUnwindSafe(answer)
                .catch_unwind()
                .instrument(span)
                .await
        };
        let mut response = match answered {
            Ok(Ok(response)) => response,
            Ok(Err(refusal)) => {
                self.inner.usage.refused(refusal.cause());
                refusal.into_response()
            }
            // The server catches panics of tools, so this one is from this crate or from the host's body.
            Err(_) => refusal::fault(None).into_response(),
        };
        if !has_body {
            response.extensions_mut().remove::<BodyUnread>();
        }
        let headers = response.headers_mut();
        headers.insert(X_REQUEST_ID, request_id);
        if let Caller::AllowedOrigin(origin) = caller {
            respond::expose(headers, origin);
        }
        response
    }

    /// Starts draining. From now on `/health` responds with 503, so load balancers stop sending requests, and
    /// long-lived streams are closed. Everything else continues.
    pub fn announce_shutdown(&self) {
        self.inner.shared.stopping.cancel();
    }

    /// Waits for everything in progress. Requests that have not finished after `drain` get an error response.
    ///
    /// Call it after the last call of [`Service::answer`].
    pub async fn shutdown(&self, drain: Duration) -> ShutdownReport {
        self.announce_shutdown();
        self.inner.shared.detached.close(drain).await;
        self.ended().await
    }

    /// Waits until nothing is in progress.
    pub(crate) async fn finished(&self) {
        self.inner.shared.detached.finished().await;
    }

    /// Ends everything in progress with an error response.
    pub(crate) fn abort(&self) {
        self.inner.shared.detached.abort();
    }

    /// Ends the tasks of the servers, once nothing is in progress.
    pub(crate) async fn ended(&self) -> ShutdownReport {
        let tasks = join_all(self.inner.serving.iter().map(ServingGuard::shutdown)).await;
        let unfinished = self.inner.shared.detached.unfinished();
        ShutdownReport::default().with_unfinished(unfinished + tasks.into_iter().sum::<usize>())
    }

    pub(crate) fn usage(&self) -> &TransportStats {
        &self.inner.usage
    }

    pub(crate) fn limits(&self) -> &HttpLimits {
        &self.inner.shared.limits
    }
}

impl Inner {
    async fn answer<B: HttpBody>(
        &self,
        request: Request<B>,
        peer: Option<PeerIp>,
        caller: &Caller,
        request_id: &HeaderValue,
    ) -> Result<Response<Body>, Refusal> {
        let (mut parts, body) = request.into_parts();
        self.check_size(&parts.uri, &parts.headers)?;
        // Request logs read the ID from here. It is the client's ID or a new one.
        parts.headers.insert(X_REQUEST_ID, request_id.clone());
        let peer = match &self.proxies {
            Some(proxies) => proxies.client_of(peer, &parts.headers),
            None => peer,
        };
        let route = self.route(parts.uri.path());
        let is_preflight = parts.method == Method::OPTIONS
            && respond::is_preflight(&parts.headers)
            && matches!(caller, Caller::AllowedOrigin(_));
        let path = match route {
            Route::Endpoint(endpoint) => &endpoint.path,
            Route::Health | Route::Metadata(_) | Route::WellKnown | Route::Nothing => {
                parts.uri.path()
            }
        };
        let (page, is_negotiated) = match parts.method {
            Method::GET | Method::HEAD => self.pages.find(path, &parts.headers, caller),
            _ => (None, false),
        };
        if matches!(route, Route::Nothing) && page.is_none() && !is_preflight {
            // Clients send POST requests. A router that strips a prefix leaves another path than the endpoint's.
            if parts.method == Method::POST {
                tracing::warn!(
                    path,
                    "the path of a request has no endpoint: a router must pass the complete path (with axum, use `route_service`, not `nest_service`)"
                );
            }
            return Ok(negotiated(refusal::not_found(), is_negotiated));
        }
        let hosts = Hosts::of(parts.version, &parts.uri, &parts.headers)?;
        // Load balancers probe each replica by its IP address.
        let is_probe = matches!(page, Some((_, PageAudience::Probes)));
        if !is_probe && !matches!(route, Route::Health) {
            self.allowed.check_hosts(&hosts)?;
        }
        match caller {
            Caller::Direct => (),
            Caller::AllowedOrigin(_) if is_preflight => {
                return Ok(respond::preflight(&parts.headers));
            }
            Caller::AllowedOrigin(_) => (),
            Caller::ForbiddenOrigin => return Err(self.allowed.reject_origin(&parts.headers)),
        }
        let page = page.map(|(page, _)| (page, PageRequest::of(&parts, &hosts)));
        match (route, page) {
            (Route::Endpoint(endpoint), None) if !is_negotiated => {
                self.exchange(endpoint, parts, peer, body).await
            }
            (Route::Endpoint(endpoint), page) => {
                let answer = Box::pin(self.exchange(endpoint, parts, peer, body)).await;
                let answer = answer.unwrap_or_else(Refusal::into_response);
                let answer = match page {
                    Some((page, visit)) if !answer.status().is_success() => {
                        route::explain(page, &visit, answer).await
                    }
                    Some(_) | None => answer,
                };
                Ok(negotiated(answer, is_negotiated))
            }
            (Route::Metadata(resource), _) => resource.describe(&parts.method),
            (Route::Health, _) => self.health(&parts.method),
            (Route::Nothing, Some((page, visit))) => {
                Ok(negotiated(route::show(page, &visit).await, is_negotiated))
            }
            (Route::WellKnown | Route::Nothing, _) => Ok(refusal::not_found()),
        }
    }

    async fn exchange<B: HttpBody>(
        &self,
        endpoint: &Endpoint,
        parts: Parts,
        peer: Option<PeerIp>,
        body: B,
    ) -> Result<Response<Body>, Refusal> {
        let Some(authorizer) = &endpoint.authorizer else {
            let from = Sender { peer, grant: None };
            return endpoint.exchange(&self.shared, parts, from, body).await;
        };
        let Parts { uri, headers, .. } = &parts;
        let (resource, grant) = authorizer.check(&endpoint.path, uri, headers).await?;
        let grant = Some(grant);
        let answer = endpoint.exchange(&self.shared, parts, Sender { peer, grant }, body);
        let mut response = answer.await?;
        resource.challenge_for_scopes(&mut response);
        Ok(response)
    }

    fn check_size(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let target = uri.path_and_query().map_or(0, |it| it.as_str().len());
        if target > self.shared.limits.target_bytes {
            return Err(refusal::target_too_long(self.shared.limits.target_bytes));
        }
        let lines = headers.iter();
        let head: usize = lines
            .map(|(name, value)| name.as_str().len() + value.len())
            .sum();
        if head > self.shared.limits.header_bytes {
            return Err(refusal::head_too_large(self.shared.limits.header_bytes));
        }
        Ok(())
    }

    fn route(&self, path: &str) -> Route<'_> {
        // Users type a trailing slash, and some frameworks add it.
        let endpoint = path.strip_suffix('/').unwrap_or(path);
        let is_meant = |it: &&Endpoint| it.path == path || it.path == endpoint;
        match self.endpoints.iter().find(is_meant) {
            Some(endpoint) => Route::Endpoint(endpoint),
            None if path == HEALTH => Route::Health,
            None if path.contains(WELL_KNOWN) => {
                let authorizer = self.authorizer.as_ref();
                let described = authorizer.and_then(|it| it.described_at(path));
                described.map_or(Route::WellKnown, Route::Metadata)
            }
            None => Route::Nothing,
        }
    }

    fn health(&self, method: &Method) -> Result<Response<Body>, Refusal> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err(refusal::method_not_allowed("GET, HEAD"));
        }
        let (status, body) = if self.shared.stopping.is_cancelled() {
            (StatusCode::SERVICE_UNAVAILABLE, &self.draining)
        } else {
            (StatusCode::OK, &self.healthy)
        };
        Ok(Body::from(body.clone()).into_json(status))
    }
}

fn negotiated(mut response: Response<Body>, is_negotiated: bool) -> Response<Body> {
    if is_negotiated {
        route::vary(response.headers_mut());
    }
    response
}

fn health(status: &str, server_info: Option<&ServerInfo>) -> Bytes {
    let health = match server_info {
        Some(info) => json!({"status": status, "name": info.name, "version": info.version}),
        None => json!({"status": status}),
    };
    Bytes::from(health.to_string())
}

fn is_endpoint_path(path: &str) -> bool {
    // Only characters that a URL parser leaves unchanged: no query, nothing to percent-encode.
    let is_path_byte = |byte: u8| byte.is_ascii_graphic() && !b"?#\"<>`{}\\^|".contains(&byte);
    path.starts_with('/')
        && path.bytes().all(is_path_byte)
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
