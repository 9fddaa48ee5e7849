//! One node: its availability and the height of its chain.

use std::{sync::Arc, time::Duration};

use hyper::header::HeaderValue;
use parking_lot::Mutex;
use qortal_types::Height;
use tokio::{task::AbortHandle, time::Instant};
use tracing::{info, warn};

use crate::{
    ApiKey, ConfigError, Endpoint, FallbackReason, NodeConfig, NodeError, NodeErrorKind,
    config::base_url, permits::Permits,
};

/// The interval at which one's own nodes are probed while they do not answer.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);

/// One node.
#[derive(Debug)]
pub(crate) struct Upstream {
    /// Its URL up to the path.
    pub(crate) base: Arc<str>,
    /// The place among all, the configured one first: that alone is asked about itself.
    pub(crate) position: usize,
    /// Whether it is one of the user's own nodes, which are trusted.
    pub(crate) is_own: bool,
    /// Whether there is no other node.
    pub(crate) is_only: bool,
    /// The own key, which is sent to no other.
    pub(crate) api_key: Option<HeaderValue>,
    /// One for each concurrent request.
    pub(crate) permits: Permits,
    /// The interval at which it is probed while it does not answer.
    pub(crate) probe_interval: Duration,
    /// The task that watches it.
    watch: Mutex<Option<AbortHandle>>,
    state: Mutex<State>,
}

/// The knowledge about a node. A result of a request that was sent before its circuit changed last says nothing new.
#[derive(Debug, Default)]
struct State {
    /// Since when the circuit is open.
    open: Option<Instant>,
    /// The time the circuit opened or closed last.
    changed: Option<Instant>,
    /// The time at which the last answered heartbeat was sent.
    alive: Option<Instant>,
    /// The last time at which a heartbeat showed that the node does not answer.
    died: Option<Instant>,
    /// The last time at which the node was seen to be back, and may have lost requests.
    back: Option<Instant>,
    /// The last height that it stated, and when; without a time if it has not answered since.
    height: Option<(Height, Option<Instant>)>,
    last_error: Option<NodeError>,
}

/// The node that an answer came from, with what its reader should know of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) url: Arc<str>,
    pub(crate) position: usize,
    /// One of the user's own nodes is trusted more than others.
    pub(crate) is_own: bool,
    /// Why it was asked, if it is not the configured one.
    pub(crate) reason: Option<FallbackReason>,
    /// How many blocks it is behind others, none of which answered.
    pub(crate) behind: Option<u32>,
}

impl Source {
    pub(crate) const fn is_configured(&self) -> bool {
        self.position == 0
    }
}

/// The state of the circuit to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Circuit {
    /// The node responds, as far as is known.
    Closed,
    /// The node does not respond. Others are preferred, and it is probed until it responds.
    Open,
}

impl Upstream {
    /// Creates the nodes of a configuration: the configured one, the user's others, the public ones.
    pub(crate) fn all(config: &NodeConfig) -> Result<Vec<Arc<Self>>, ConfigError> {
        let mut nodes: Vec<Arc<Self>> = Vec::new();
        for (position, (url, key)) in config.nodes().enumerate() {
            let added = Self::new(config, position, url, key)?;
            // Each of one's own has one key and one budget of requests.
            if added.is_own && nodes.iter().any(|it| it.base == added.base) {
                let url = added.base.as_ref().to_owned();
                return Err(ConfigError::Twice { url });
            }
            nodes.push(Arc::new(added));
        }
        Ok(nodes)
    }

    fn new(
        config: &NodeConfig,
        position: usize,
        url: &str,
        api_key: Option<&ApiKey>,
    ) -> Result<Self, ConfigError> {
        let is_own = position <= config.own_nodes.len();
        let (permits, probe_interval) = if is_own {
            let permits = Permits::new(config.concurrency, Duration::ZERO);
            (permits, PROBE_INTERVAL)
        } else {
            let permits = Permits::new(config.public_concurrency, config.public_pause);
            (permits, config.cool_down)
        };
        Ok(Self {
            base: base_url(url)?,
            position,
            is_own,
            is_only: config.own_nodes.is_empty() && config.public_urls.is_empty(),
            api_key: api_key.map(ApiKey::header).transpose()?,
            permits,
            probe_interval,
            watch: Mutex::default(),
            state: Mutex::default(),
        })
    }

    /// The node as the source of an answer, without what is said of it.
    pub(crate) fn source(&self) -> Source {
        Source {
            url: Arc::clone(&self.base),
            position: self.position,
            is_own: self.is_own,
            reason: None,
            behind: None,
        }
    }

    /// Whether the node answers, as far as is known.
    pub(crate) fn answers(&self) -> bool {
        self.state.lock().open.is_none()
    }

    pub(crate) fn circuit(&self) -> Circuit {
        match self.answers() {
            true => Circuit::Closed,
            false => Circuit::Open,
        }
    }

    /// Returns the failure of a request that would wait in vain, if the node leaves all unanswered.
    pub(crate) fn silence(&self, endpoint: Endpoint) -> Option<NodeError> {
        let state = self.state.lock();
        let since = state.open?;
        let is_timeout = state.last_error.as_ref()?.is_timeout();
        let lasts = Duration::from_secs(since.elapsed().as_secs());
        is_timeout.then(|| NodeError::new(endpoint, NodeErrorKind::Silent { lasts }))
    }

    /// Returns why it last did not answer, however long ago.
    pub(crate) fn last_error(&self) -> Option<NodeError> {
        self.state.lock().last_error.clone()
    }

    /// Opens the circuit: the node does not answer a request that was sent then. Its chain may be longer when it answers again.
    pub(crate) fn failed(&self, error: NodeError, sent: Instant) {
        let mut state = self.state.lock();
        if state.changed.is_some_and(|changed| sent < changed) {
            return;
        }
        if state.open.is_none() {
            (state.open, state.changed) = (Some(sent), Some(Instant::now()));
            warn!(
                node = &*self.base,
                error = error.details(),
                "node does not answer"
            );
        }
        if let Some((_, at)) = &mut state.height {
            *at = None;
        }
        state.last_error = Some(error);
    }

    /// Opens the circuit: the node does not answer a heartbeat that was sent then.
    pub(crate) fn died(&self, error: NodeError, sent: Instant) {
        self.failed(error, sent);
        self.state.lock().died = Some(Instant::now());
    }

    /// Closes the circuit: the node answered a heartbeat that was sent then, although not an earlier one if `has_lost`.
    pub(crate) fn lives(&self, sent: Instant, has_lost: bool) {
        let mut state = self.state.lock();
        let now = Some(Instant::now());
        state.alive = Some(sent);
        let is_back = state.open.is_some() && state.changed.is_none_or(|changed| sent >= changed);
        if is_back {
            (state.open, state.changed) = (None, now);
            info!(node = &*self.base, "node answers again");
        }
        if is_back || has_lost {
            state.back = now;
        }
    }

    /// Whether heartbeats showed since then that the node does not answer.
    pub(crate) fn died_since(&self, sent: Instant) -> bool {
        let state = self.state.lock();
        state.open.is_some() && state.died.is_some_and(|at| at > sent)
    }

    /// Whether the node lost a request that was sent then: it was away since, or answers what it was asked so much later.
    pub(crate) fn has_lost(&self, sent: Instant, later: Option<Duration>) -> bool {
        let state = self.state.lock();
        let later = later.zip(state.alive);
        let is_passed_over = later.is_some_and(|(later, alive)| alive >= sent + later);
        is_passed_over || state.back.is_some_and(|back| back > sent)
    }

    /// Keeps the task that watches the node, which is spawned unless there is one.
    pub(crate) fn watched_by(&self, spawn: impl FnOnce() -> AbortHandle) {
        let mut watch = self.watch.lock();
        if watch.as_ref().is_none_or(AbortHandle::is_finished) {
            *watch = Some(spawn());
        }
    }

    pub(crate) fn set_height(&self, height: Height) {
        self.state.lock().height = Some((height, Some(Instant::now())));
    }

    /// Returns the last height that it stated, however old.
    pub(crate) fn last_height(&self) -> Option<Height> {
        self.state.lock().height.map(|(height, _)| height)
    }

    /// Returns the height, if it was stated within this time and the node still answers.
    pub(crate) fn height_within(&self, time: Duration) -> Option<Height> {
        let (height, at) = self.state.lock().height?;
        (at?.elapsed() <= time).then_some(height)
    }
}

#[cfg(test)]
mod tests;
