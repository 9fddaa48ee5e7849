//! The client of a node. Every request goes through it.

mod reading;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures_util::future::BoxFuture;
use hyper::header::HeaderValue;
use message_buffer::ParsePool;
use qortal_types::{Height, Timestamp};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

use crate::{
    Access, CacheUsage, ConfigError, Endpoint, NodeConfig, NodeError, NodeErrorKind, NodeHealth,
    Observation, Observations, Tier, Timeouts,
    answer::Answer,
    cache::Cache,
    call::{Call, Request, RequestCounter},
    exchange::Exchange,
    refused::{Build, explained},
    socket::{Socket, Sockets},
    transport::Received,
    upstream::Source,
};

/// How long a request may exceed its timeout, to fail with a more specific error than ours.
const GRACE: Duration = Duration::from_millis(100);

/// The longest timeout, whatever is configured, so that deadlines can be computed.
const MAX_TIME_LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The future of a node's response. The request is sent when the future is awaited.
///
/// The future is boxed so that response parsing is compiled in this crate, and not again in each dependent crate.
pub type NodeFuture<'node, T> = BoxFuture<'node, Result<T, NodeError>>;

/// Read-only access to a Qortal Core node.
///
/// Cloning is cheap, and clones share connections, limits and requests in flight. Every request ends within the time of its
/// endpoint's [`Tier`], and dropping a future ends its requests.
#[derive(Debug, Clone)]
pub struct Node {
    inner: Arc<Inner>,
    /// The collector of observations.
    observations: Option<Observations>,
    /// Where its requests are counted.
    counter: Option<RequestCounter>,
    /// The trace that they are part of.
    trace_parent: Option<HeaderValue>,
    /// Whether only the configured node is queried.
    is_own_only: bool,
}

#[derive(Debug)]
struct Inner {
    exchange: Exchange,
    has_api_key: bool,
    timeouts: Timeouts,
    concurrency: usize,
    cache: Arc<Cache>,
    /// For reading large answers.
    turns: ParsePool,
    /// A fact of the chain that never changes.
    second_block_time: OnceLock<Timestamp>,
    sockets: Sockets,
}

impl Node {
    /// Creates a client without sending a request.
    ///
    /// ```
    /// use qortal_client::{NodeConfig, Node};
    ///
    /// let node = Node::new(NodeConfig::new("http://127.0.0.1:12391"))?;
    /// assert!(!node.has_api_key());
    /// assert!(Node::new(NodeConfig::new("ftp://127.0.0.1")).is_err());
    /// # Ok::<(), qortal_client::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a URL or a setting is invalid.
    pub fn new(config: NodeConfig) -> Result<Self, ConfigError> {
        let cache = Arc::new(Cache::new(&config));
        let inner = Inner {
            exchange: Exchange::new(&config, Arc::clone(&cache))?,
            timeouts: config.timeouts,
            concurrency: config.concurrency,
            sockets: Sockets::new(&config, &cache)?,
            cache,
            turns: ParsePool::default(),
            second_block_time: OnceLock::new(),
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

    /// Returns a client that shares everything with this one, and the observations made during its requests.
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

    /// Returns a clone that counts its requests, and the requests of clients made from it.
    #[must_use]
    pub fn counted_by(&self, counter: &RequestCounter) -> Self {
        Self {
            counter: Some(counter.clone()),
            ..self.clone()
        }
    }

    /// Returns a clone that sends the `traceparent` header of W3C Trace Context to the configured node.
    ///
    /// The header is not sent to other nodes, and is omitted if the value is not valid in a header. If requests are joined, only
    /// the first one's trace is sent.
    #[must_use]
    pub fn traced_by(&self, trace_parent: &str) -> Self {
        Self {
            trace_parent: HeaderValue::from_str(trace_parent).ok(),
            ..self.clone()
        }
    }

    /// Returns a clone that queries only the configured node, for facts about the chain from that node's perspective.
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
        let mut nodes = self.inner.exchange.nodes();
        nodes.next().map_or("", |it| &it.base)
    }

    /// Returns `true` if an API key is configured. Whether the node accepts it is not checked.
    #[must_use]
    pub fn has_api_key(&self) -> bool {
        self.inner.has_api_key
    }

    /// Returns the URLs of the user's other nodes. They are queried while the configured node does not respond, is behind, or is
    /// late.
    pub fn own_urls(&self) -> impl Iterator<Item = &str> {
        let others = self.inner.exchange.nodes().skip(1);
        others.filter(|it| it.is_own).map(|it| &*it.base)
    }

    /// Returns the URLs of the public nodes. They are queried while the user's own nodes cannot be reached.
    pub fn public_urls(&self) -> impl Iterator<Item = &str> {
        let nodes = self.inner.exchange.nodes();
        nodes.filter(|it| !it.is_own).map(|it| &*it.base)
    }

    /// Returns the timeouts of requests.
    #[must_use]
    pub fn timeouts(&self) -> Timeouts {
        self.inner.timeouts
    }

    /// Returns the maximum number of concurrent requests to each node.
    #[must_use]
    pub fn concurrency(&self) -> usize {
        self.inner.concurrency
    }

    /// Returns the health of each node, the configured one first.
    #[must_use]
    pub fn health(&self) -> Vec<NodeHealth> {
        self.inner.exchange.health()
    }

    /// Requests the height from each of the user's own nodes, so that [`health`](Self::health) reports an unresponsive node before
    /// it is needed.
    pub async fn probe(&self) {
        self.inner.exchange.look().await;
    }

    /// Returns the cache statistics.
    #[must_use]
    pub fn cache_usage(&self) -> CacheUsage {
        self.inner.cache.usage()
    }

    /// Makes the call.
    pub(crate) async fn ask(&self, call: Call) -> Result<Answer, NodeError> {
        let request = self.request(call)?;
        let received = self.fetch(&request).await?;
        self.answer(&request, received).await
    }

    /// Returns the build of the configured node, or `None` if the node does not return it.
    async fn build(&self) -> Option<Build> {
        let request = Call::to(Endpoint::AdminInfo).into_request().ok()?;
        let received = self.fetch(&request).await.ok()?;
        let answer = Answer::new(request.endpoint, received).ok()?;
        serde_json::from_slice(answer.body()).ok()
    }

    /// Returns the response, after recording its source. A rejection because the node is too old for the endpoint, or has no
    /// network time yet, becomes an error with that reason.
    async fn answer(&self, request: &Request, received: Received) -> Result<Answer, NodeError> {
        self.note_source(&received.source);
        let is_configured = received.source.is_configured();
        match Answer::new(request.endpoint, received) {
            Ok(answer) => Ok(answer),
            Err(error) => Err(explained(error, is_configured, || self.build()).await),
        }
    }

    /// Tells observers which node answered, unless it is the configured one as it should be.
    fn note_source(&self, source: &Source) {
        let is_own = source.is_own;
        if let Some(reason) = source.reason {
            let url = Arc::clone(&source.url);
            self.note(Observation::OtherNode {
                url,
                is_own,
                reason,
            });
        }
        if let Some(blocks) = source.behind {
            self.note_behind(source, blocks);
        }
    }

    fn note_behind(&self, source: &Source, blocks: u32) {
        self.note(if source.is_configured() {
            Observation::OwnNodeBehind { blocks }
        } else {
            Observation::OtherNodeBehind { blocks }
        });
    }

    /// Tells observers what was seen.
    pub(crate) fn note(&self, seen: Observation) {
        if let Some(observations) = &self.observations {
            observations.add(seen);
        }
    }

    /// Remembers the height of the node that answered. Notes if the chain was seen to be longer, and that is not noted yet.
    pub(crate) fn observe_height(&self, answer: &Answer, height: Height) {
        let source = answer.source();
        let behind = self.inner.exchange.saw_height(source.position, height);
        let is_of_one = self.is_own_only || answer.endpoint().access().is_of_one();
        if let (Some(blocks), None, false) = (behind, source.behind, is_of_one) {
            self.note_behind(source, blocks);
        }
    }

    /// Has what is asked of an endpoint be asked anew.
    pub(crate) fn forget(&self, endpoint: Endpoint) {
        self.inner.cache.forget_below(endpoint.template());
    }

    /// The highest block that one of the own nodes has stated.
    pub(crate) fn known_tip(&self) -> Option<Height> {
        self.inner.cache.tip()
    }

    /// The time of the second block, once it was asked for.
    pub(crate) fn known_second_block_time(&self) -> &OnceLock<Timestamp> {
        &self.inner.second_block_time
    }

    /// Returns a cached response, the response to another caller's identical request, or a new response from the nodes.
    async fn fetch(&self, request: &Request) -> Result<Received, NodeError> {
        let _counted = self.counter.as_ref().map(RequestCounter::begin);
        let after = self.time_limit(request.endpoint);
        let ask = || self.inner.exchange.ask(request, after);
        let deadline = Instant::now() + after;
        let answered = self.inner.cache.get(request, ask);
        // The request of another caller may end later than ours would have.
        match timeout_at(deadline + GRACE, answered).await {
            Ok(result) => result,
            Err(_) => Err(NodeError::new(
                request.endpoint,
                NodeErrorKind::TimedOut { after },
            )),
        }
    }

    /// Opens a websocket on the first node that has one, in the order of preference.
    pub(crate) fn open<T: DeserializeOwned + 'static>(
        &self,
        call: Call,
    ) -> NodeFuture<'_, Socket<T>> {
        Box::pin(async move {
            let request = self.request(call)?;
            let mut first_failure = None;
            for upstream in self.inner.exchange.in_order(request.access) {
                let sent = Instant::now();
                match self.inner.sockets.open(upstream, &request).await {
                    Err(error) if error.is_unavailable() => {
                        upstream.failed(error.clone(), sent);
                        self.inner.exchange.watch_away();
                        first_failure.get_or_insert(error);
                    }
                    Err(error) if matches!(error.kind(), NodeErrorKind::NoSocket) => {
                        first_failure.get_or_insert(error);
                    }
                    Err(error) => {
                        let is_configured = upstream.position == 0;
                        return Err(explained(error, is_configured, || self.build()).await);
                    }
                    opened => return opened,
                }
            }
            Err(first_failure
                .unwrap_or_else(|| NodeError::new(request.endpoint, NodeErrorKind::Unreachable)))
        })
    }

    fn time_limit(&self, endpoint: Endpoint) -> Duration {
        match endpoint.tier() {
            Tier::Quick => self.inner.timeouts.quick,
            Tier::Slow => self.inner.timeouts.slow,
        }
        .min(MAX_TIME_LIMIT)
    }
}
