//! The client of a node: every request goes through here.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use qortal_types::{Height, Timestamp};
use reqwest::header::HeaderValue;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};
use tracing::warn;

use crate::{
    Access, Config, ConfigError, CoreVersion, Endpoint, Method, NodeError, NodeErrorKind,
    NodeHealth, Observation, Observations, RequestCounter, Tier, Timeouts,
    answer::Answer,
    cache::Cache,
    call::{Call, Request, RequestKey},
    coalescer::RequestCoalescer,
    exchange::Exchange,
    socket::{Socket, Sockets},
    transport::{Received, Transport},
    upstream::{Source, Upstreams},
    version::{Build, Lack, lack},
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
    /// Where its requests note what was seen.
    observations: Option<Observations>,
    /// Where its requests are counted.
    counter: Option<RequestCounter>,
    /// The trace that they are part of.
    trace_parent: Option<HeaderValue>,
    /// Whether only the configured node is asked.
    is_own_only: bool,
}

#[derive(Debug)]
struct Inner {
    exchange: Exchange,
    has_api_key: bool,
    timeouts: Timeouts,
    concurrency: usize,
    coalescer: RequestCoalescer<RequestKey, Result<Received, NodeError>>,
    cache: Cache,
    cache_depth: u32,
    /// The highest block seen in any answer.
    tip: AtomicU32,
    /// A fact of the chain that never changes.
    second_block_time: OnceLock<Timestamp>,
    sockets: Sockets,
}

impl Node {
    /// Creates a client; no request is made.
    ///
    /// ```
    /// use qortal_client::{Config, Node};
    ///
    /// let node = Node::new(Config::new("http://127.0.0.1:12391"))?;
    /// assert!(!node.has_api_key());
    /// assert!(Node::new(Config::new("ftp://127.0.0.1")).is_err());
    /// # Ok::<(), qortal_client::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a URL or a setting is invalid.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        let inner = Inner {
            exchange: Exchange::new(
                Transport::new(&config)?,
                Upstreams::new(&config)?,
                config.timeouts.quick,
                config.observer.clone(),
            ),
            timeouts: config.timeouts,
            concurrency: config.concurrency,
            coalescer: RequestCoalescer::new(),
            cache: Cache::new(config.cache_bytes),
            cache_depth: config.cache_depth,
            tip: AtomicU32::new(0),
            second_block_time: OnceLock::new(),
            sockets: Sockets::new(&config),
            has_api_key: config.api_key.is_some(),
        };
        Ok(Self {
            inner: Arc::new(inner),
            observations: None,
            counter: None,
            trace_parent: None,
            is_own_only: false,
        })
    }

    /// Returns a client for the same node, with which everything is shared, and what will be seen while it answers.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// use qortal_client::Observation;
    ///
    /// let (node, observations) = node.observed();
    /// let block = node.last_block().await?;
    /// println!("height {}", block.height);
    /// for seen in observations.all() {
    ///     if let Observation::OtherNode { url, .. } = seen {
    ///         println!("according to {url}");
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn observed(&self) -> (Self, Observations) {
        let observations = Observations::default();
        let node = Self {
            observations: Some(observations.clone()),
            ..self.clone()
        };
        (node, observations)
    }

    /// Returns the same client, whose requests, and those of clients made from it, are counted.
    #[must_use]
    pub fn counted_by(&self, counter: &RequestCounter) -> Self {
        Self {
            counter: Some(counter.clone()),
            ..self.clone()
        }
    }

    /// Returns the same client, whose requests tell the configured node that they are part of a trace: this is the
    /// `traceparent` header of W3C Trace Context. Other nodes are not told. What cannot be a header is left out, and of
    /// requests that are joined only the first is told of.
    #[must_use]
    pub fn traced_by(&self, trace_parent: &str) -> Self {
        Self {
            trace_parent: HeaderValue::from_str(trace_parent).ok(),
            ..self.clone()
        }
    }

    /// Returns the same client without the other nodes, for what is about the chain as the configured node knows it.
    #[must_use]
    pub fn own_only(&self) -> Self {
        Self {
            is_own_only: true,
            ..self.clone()
        }
    }

    /// The request that a call makes.
    fn request(&self, call: Call) -> Result<Request, NodeError> {
        let mut request = call.into_request()?;
        request.trace_parent.clone_from(&self.trace_parent);
        if self.is_own_only && request.access == Access::AnyNode {
            request.access = Access::OwnNode;
        }
        Ok(request)
    }

    /// Returns the URL of the configured node.
    #[must_use]
    pub fn url(&self) -> &str {
        self.inner.exchange.upstreams.own().base.as_str()
    }

    /// Whether an API key is configured; whether the node accepts it is not checked.
    #[must_use]
    pub fn has_api_key(&self) -> bool {
        self.inner.has_api_key
    }

    /// Returns the URLs of the nodes that are queried while the configured one cannot be reached.
    pub fn public_urls(&self) -> impl Iterator<Item = &str> {
        self.inner
            .exchange
            .upstreams
            .public()
            .map(|it| it.base.as_str())
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

    /// Returns what is known about the health of each node, the configured one first.
    #[must_use]
    pub fn health(&self) -> Vec<NodeHealth> {
        self.inner.exchange.upstreams.health()
    }

    /// Makes the call and reads the answer.
    pub(crate) async fn ask(&self, call: Call) -> Result<Answer, NodeError> {
        let request = self.request(call)?;
        let received = self.fetch(&request).await?;
        self.answer(&request, received).await
    }

    /// The error itself, unless the node lacks the endpoint. `is_own` is whether the configured node refused: only its
    /// version can be asked for.
    async fn or_lack(&self, error: NodeError, is_own: bool) -> NodeError {
        let (Some(lack), Some(needs)) = (lack(&error), error.endpoint().since()) else {
            return error;
        };
        let has = match is_own {
            true => self.version().await,
            false => None,
        };
        let is_lacking = has.map_or(lack == Lack::Shown, |has| has < needs);
        match is_lacking {
            true => error.with_kind(NodeErrorKind::NotInThisVersion { needs, has }),
            false => error,
        }
    }

    /// The version of the configured node; `None` if it does not tell.
    async fn version(&self) -> Option<CoreVersion> {
        let request = Call::to(Endpoint::AdminInfo).into_request().ok()?;
        let received = self.fetch(&request).await.ok()?;
        let build: Build = Answer::new(request.endpoint, received).ok()?.json().ok()?;
        build.version()
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
        let request = self.request(call)?;
        if let Some(body) = self.inner.cache.get(&request.target) {
            return read(&self.answer(&request, Received::from_cache(body)).await?);
        }
        let received = self.fetch(&request).await?;
        let (body, is_own) = (received.body.clone(), received.source.is_own());
        let value = read(&self.answer(&request, received).await?)?;
        if is_own && height(&value).is_some_and(|height| self.is_deep(height)) {
            self.inner.cache.insert(&request.target, &body);
        }
        Ok(value)
    }

    /// The answer in what was received, after noting where it came from. A refusal because the node is too old for the
    /// endpoint says so.
    async fn answer(&self, request: &Request, received: Received) -> Result<Answer, NodeError> {
        let seen = match &received.source {
            Source::Own => None,
            Source::OwnBehind(blocks) => Some(Observation::OwnNodeBehind { blocks: *blocks }),
            Source::Other(url, reason) => Some(Observation::OtherNode {
                url: Arc::clone(url),
                reason: *reason,
            }),
        };
        if let Some(seen) = seen {
            self.note(seen);
        }
        let is_own = received.source.is_own();
        match Answer::new(request.endpoint, received) {
            Ok(answer) => Ok(answer.observed_by(self.observations.clone())),
            Err(error) => Err(self.or_lack(error, is_own).await),
        }
    }

    /// Tells observers what was seen.
    pub(crate) fn note(&self, seen: Observation) {
        if let Some(observations) = &self.observations {
            observations.add(seen);
        }
    }

    /// Remembers the height of the node that answered, and the minimum height of the chain if it is the configured one.
    pub(crate) fn observe_height(&self, answer: &Answer, height: Height) {
        let upstreams = &self.inner.exchange.upstreams;
        upstreams.saw_height(answer.source(), height);
        if !answer.source().is_own() {
            return;
        }
        self.inner.tip.fetch_max(height.number(), Ordering::Relaxed);
    }

    /// The time of the second block, once it was asked for.
    pub(crate) fn known_second_block_time(&self) -> &OnceLock<Timestamp> {
        &self.inner.second_block_time
    }

    fn is_deep(&self, height: Height) -> bool {
        let tip = self.inner.tip.load(Ordering::Relaxed);
        height.number() > 0 && height.number().saturating_add(self.inner.cache_depth) <= tip
    }

    async fn fetch(&self, request: &Request) -> Result<Received, NodeError> {
        let _counted = self.counter.as_ref().map(RequestCounter::begin);
        let after = self.time_limit(request);
        let deadline = Instant::now() + after;
        let work = self.inner.exchange.ask(request, after);
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
        let request = self.request(call)?;
        let failed = |kind| NodeError::new(request.endpoint, kind);
        let mut first_failure = None;
        let upstreams = &self.inner.exchange.upstreams;
        for choice in upstreams.in_order(request.access) {
            let upstream = choice.upstream;
            match self.inner.sockets.open(upstream, &request).await {
                Err(error) if error.is_unavailable() => {
                    if upstream.breaker.open() {
                        warn!(
                            node = upstream.base.as_str(),
                            error = error.details(),
                            "node does not answer"
                        );
                    }
                    first_failure.get_or_insert(error);
                }
                Err(error) if matches!(error.kind(), NodeErrorKind::NoSocket) => {
                    first_failure.get_or_insert(error);
                }
                Err(error) => return Err(self.or_lack(error, upstream.is_own).await),
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
