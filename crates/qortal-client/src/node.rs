//! The client of a node: every request goes through here.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use qortal_types::Height;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};
use tracing::{debug, info, warn};

use crate::{
    Config, ConfigError, Method, NodeError, NodeErrorKind, Tier, Timeouts,
    answer::Answer,
    cache::Cache,
    call::{Call, Request, RequestKey},
    coalescer::RequestCoalescer,
    socket::{Socket, Sockets},
    transport::{Failure, Received, Transport},
    upstream::{Upstream, Upstreams},
};

/// How long a request may exceed its timeout, to fail with a more specific error than ours.
const GRACE: Duration = Duration::from_millis(100);

/// The longest timeout, whatever is configured, so that deadlines can be computed.
const MAX_TIME_LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Read-only access to a Qortal Core node.
///
/// Cloning is cheap; clones share connections, limits and requests in flight. Every method ends within the time of its
/// endpoint's [`Tier`], and dropping its future ends the request.
#[derive(Debug, Clone)]
pub struct Node {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    transport: Transport,
    upstreams: Upstreams,
    has_api_key: bool,
    timeouts: Timeouts,
    concurrency: usize,
    coalescer: RequestCoalescer<RequestKey, Result<Received, NodeError>>,
    cache: Cache,
    cache_depth: u32,
    /// The highest block seen in any answer.
    tip: AtomicU32,
    sockets: Sockets,
}

impl Node {
    /// Creates a client; no request is made.
    ///
    /// # Errors
    ///
    /// Fails if a URL or a setting is invalid.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        let inner = Inner {
            transport: Transport::new(&config)?,
            upstreams: Upstreams::new(&config)?,
            timeouts: config.timeouts,
            concurrency: config.concurrency,
            coalescer: RequestCoalescer::new(),
            cache: Cache::new(config.cache_bytes),
            cache_depth: config.cache_depth,
            tip: AtomicU32::new(0),
            sockets: Sockets::new(&config),
            has_api_key: config.api_key.is_some(),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Returns the URL of the configured node.
    #[must_use]
    pub fn url(&self) -> &str {
        self.inner.upstreams.own().base.as_str()
    }

    /// Whether an API key is configured; whether the node accepts it is not checked.
    #[must_use]
    pub fn has_api_key(&self) -> bool {
        self.inner.has_api_key
    }

    /// Returns the URLs of the nodes that are queried while the configured one cannot be reached.
    pub fn public_urls(&self) -> impl Iterator<Item = &str> {
        self.inner.upstreams.public().map(|it| it.base.as_str())
    }

    /// Returns the timeouts of requests.
    #[must_use]
    pub fn timeouts(&self) -> Timeouts {
        self.inner.timeouts
    }

    /// Returns how many requests are sent to each node concurrently.
    #[must_use]
    pub fn concurrency(&self) -> usize {
        self.inner.concurrency
    }

    /// Makes the call and reads the answer.
    pub(crate) async fn ask(&self, call: Call) -> Result<Answer, NodeError> {
        let request = call.into_request()?;
        let received = self.fetch(&request).await?;
        Answer::new(request.endpoint, received)
    }

    /// Like [`ask`](Self::ask), for an answer that never changes once enough blocks follow.
    ///
    /// `height` returns the height of the block in the answer.
    pub(crate) async fn ask_immutable<T>(
        &self,
        call: Call,
        read: impl Fn(&Answer) -> Result<T, NodeError>,
        height: impl Fn(&T) -> Option<Height>,
    ) -> Result<T, NodeError> {
        let request = call.into_request()?;
        if let Some(body) = self.inner.cache.get(&request.target) {
            return read(&Answer::new(request.endpoint, Received::from_cache(body))?);
        }
        let received = self.fetch(&request).await?;
        let (body, is_own) = (received.body.clone(), received.is_own);
        let value = read(&Answer::new(request.endpoint, received)?)?;
        if is_own && height(&value).is_some_and(|height| self.is_deep(height)) {
            self.inner.cache.insert(&request.target, &body);
        }
        Ok(value)
    }

    /// Remembers the minimum height of the chain, if the configured node answered.
    pub(crate) fn observe_height(&self, answer: &Answer, height: Height) {
        if !answer.is_own() {
            return;
        }
        self.inner.tip.fetch_max(height.number(), Ordering::Relaxed);
    }

    fn is_deep(&self, height: Height) -> bool {
        let tip = self.inner.tip.load(Ordering::Relaxed);
        height.number() > 0 && height.number().saturating_add(self.inner.cache_depth) <= tip
    }

    async fn fetch(&self, request: &Request) -> Result<Received, NodeError> {
        let after = self.time_limit(request);
        let deadline = Instant::now() + after;
        let work = self.inner.exchange(request, deadline, after);
        match request.endpoint.method() {
            Method::Post => work.await,
            Method::Get | Method::Socket => {
                let joined = self.inner.coalescer.join(request.key(), work);
                // The request of another caller may end later than ours would have.
                match timeout_at(deadline + GRACE, joined).await {
                    Ok(result) => result,
                    Err(_) => Err(NodeError::new(
                        request.endpoint,
                        NodeErrorKind::TimedOut { after },
                    )),
                }
            }
        }
    }

    /// Opens a websocket on the first node that has one, in the order of preference.
    pub(crate) async fn open<T: DeserializeOwned>(
        &self,
        call: Call,
    ) -> Result<Socket<T>, NodeError> {
        let request = call.into_request()?;
        let failed = |kind| NodeError::new(request.endpoint, kind);
        let mut first_failure = None;
        for upstream in self.inner.upstreams.in_order(request.endpoint.access()) {
            match self.inner.sockets.open(upstream, &request).await {
                Err(error) if error.is_network_failure() => {
                    if self.inner.upstreams.failed(upstream) {
                        warn!(node = upstream.base.as_str(), endpoint = %request.endpoint, %error, "node does not answer");
                    }
                    first_failure.get_or_insert(error);
                }
                Err(error) if matches!(error.kind(), NodeErrorKind::NoSocket) => {
                    first_failure.get_or_insert(error);
                }
                opened => return opened,
            }
        }
        Err(first_failure.unwrap_or_else(|| failed(NodeErrorKind::Unreachable)))
    }

    fn time_limit(&self, request: &Request) -> Duration {
        match request.endpoint.tier() {
            Tier::Quick => self.inner.timeouts.quick,
            Tier::Slow => self.inner.timeouts.slow,
        }
        .min(MAX_TIME_LIMIT)
    }
}

impl Inner {
    /// Tries one node after another until one answers or the deadline passes.
    async fn exchange(
        &self,
        request: &Request,
        deadline: Instant,
        after: Duration,
    ) -> Result<Received, NodeError> {
        let mut first_failure = None;
        for upstream in self.upstreams.in_order(request.endpoint.access()) {
            let result = self.attempt(upstream, request, deadline, after).await;
            match result {
                Err(error) if error.is_network_failure() => {
                    // A slow request may be too much for a node that is otherwise healthy.
                    let is_too_much = matches!(error.kind(), NodeErrorKind::TimedOut { .. })
                        && request.endpoint.tier() == Tier::Slow;
                    if !is_too_much && self.upstreams.failed(upstream) {
                        warn!(node = upstream.base.as_str(), endpoint = %request.endpoint, %error, "node does not answer");
                    }
                    let is_late = Instant::now() >= deadline;
                    first_failure.get_or_insert(error);
                    if is_late {
                        break;
                    }
                }
                Err(error) if matches!(error.kind(), NodeErrorKind::Overloaded { .. }) => {
                    return Err(error);
                }
                result => {
                    if upstream.answered() {
                        info!(node = upstream.base.as_str(), "node answers again");
                    }
                    return result;
                }
            }
        }
        Err(first_failure
            .unwrap_or_else(|| NodeError::new(request.endpoint, NodeErrorKind::Unreachable)))
    }

    /// Sends the request to one node.
    async fn attempt(
        &self,
        upstream: &Upstream,
        request: &Request,
        deadline: Instant,
        after: Duration,
    ) -> Result<Received, NodeError> {
        let failed = |kind| NodeError::new(request.endpoint, kind);
        let Ok(Ok(_permit)) = timeout_at(deadline, upstream.permits.acquire()).await else {
            return Err(failed(NodeErrorKind::Overloaded {
                limit: self.concurrency,
            }));
        };
        let start = Instant::now();
        let exchange = self.transport.exchange(upstream, request);
        let result = match timeout_at(deadline, exchange).await {
            Ok(Ok(received)) => Ok(received),
            Ok(Err(Failure::Network(error))) => {
                Err(failed(NodeErrorKind::Unreachable).with_source(error))
            }
            Ok(Err(Failure::TooLarge { limit })) => Err(failed(NodeErrorKind::TooLarge { limit })),
            Ok(Err(Failure::Target)) => Err(failed(NodeErrorKind::BadParameter {
                name: "path and query",
                problem: "do not make a URL",
            })),
            Err(_) => Err(failed(NodeErrorKind::TimedOut { after })),
        };
        let (status, bytes) = result
            .as_ref()
            .map_or((0, 0), |received| (received.status, received.body.len()));
        let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        debug!(node = upstream.base.as_str(), endpoint = %request.endpoint, status, bytes, millis, "node asked");
        result
    }
}
