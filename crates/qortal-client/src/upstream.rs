//! One node: whether it answers, and how long its chain is.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use hyper::header::HeaderValue;
use parking_lot::Mutex;
use qortal_types::Height;
use tokio::time::Instant;
use tracing::warn;

use crate::{
    ApiKey, Config, ConfigError, Endpoint, Fallback, NodeError, NodeErrorKind, config::base_url,
    heartbeats::Heartbeats, permits::Permits,
};

/// The longest cool-down, so that its end can be computed.
const LONGEST_COOL_DOWN: Duration = Duration::from_secs(24 * 60 * 60);

/// One node.
#[derive(Debug)]
pub(crate) struct Upstream {
    /// Its URL up to the path.
    pub(crate) base: Arc<str>,
    /// Its place among all, the configured one first.
    pub(crate) position: usize,
    /// Whether it is one of the user's own nodes, which are trusted.
    pub(crate) is_own: bool,
    /// Whether there is no other node.
    pub(crate) is_only: bool,
    /// Its own key, which is sent to no other.
    pub(crate) api_key: Option<HeaderValue>,
    /// One for each concurrent request.
    pub(crate) permits: Permits,
    /// Whether others are preferred.
    pub(crate) breaker: Breaker,
    /// Whether a task probes it.
    pub(crate) is_probed: AtomicBool,
    pub(crate) heartbeats: Heartbeats,
    pub(crate) height: StatedHeight,
    pub(crate) last_error: Mutex<Option<NodeError>>,
}

/// Which node an answer came from, and what its reader should know of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) url: Arc<str>,
    pub(crate) position: usize,
    /// One of the user's own nodes is trusted more than others.
    pub(crate) is_own: bool,
    /// Why it was asked, if it is not the configured one.
    pub(crate) reason: Option<Fallback>,
    /// How many blocks it is behind others, none of which answered.
    pub(crate) behind: Option<u32>,
}

impl Source {
    pub(crate) const fn is_configured(&self) -> bool {
        self.position == 0
    }
}

impl Upstream {
    pub(crate) fn new(
        config: &Config,
        position: usize,
        url: &str,
        api_key: Option<&ApiKey>,
    ) -> Result<Self, ConfigError> {
        let is_own = position <= config.own_nodes.len();
        let (permits, cool_down) = if is_own {
            // It is probed instead.
            (
                Permits::new(config.concurrency, Duration::ZERO),
                LONGEST_COOL_DOWN,
            )
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
            breaker: Breaker::new(cool_down),
            is_probed: AtomicBool::new(false),
            heartbeats: Heartbeats::default(),
            height: StatedHeight::default(),
            last_error: Mutex::new(None),
        })
    }

    /// Whether it is the first node, which alone is asked about itself.
    pub(crate) const fn is_configured(&self) -> bool {
        self.position == 0
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

    /// Returns the failure of a request that would wait in vain, if the node left all unanswered within `recent`.
    pub(crate) fn silence(&self, endpoint: Endpoint, recent: Duration) -> Option<NodeError> {
        let lasts = self.breaker.silent_for(recent)?;
        let is_timeout = self.last_error.lock().as_ref()?.is_timeout();
        let lasts = Duration::from_secs(lasts.as_secs());
        is_timeout.then(|| NodeError::new(endpoint, NodeErrorKind::Silent { lasts }))
    }

    /// Notes that it does not answer what was sent then.
    pub(crate) fn lost(&self, error: &NodeError, sent: Instant) {
        let Some(is_news) = self.breaker.open(sent) else {
            return;
        };
        self.height.doubt();
        if is_news {
            let error = error.details();
            warn!(node = &*self.base, error, "node does not answer");
        }
    }

    /// The same, and remembers why.
    pub(crate) fn failed(&self, error: NodeError, sent: Instant) {
        self.lost(&error, sent);
        *self.last_error.lock() = Some(error);
    }
}

/// The state of the circuit to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Circuit {
    /// The node answers, as far as is known.
    Closed,
    /// The node does not answer; others are preferred.
    Open,
    /// It is time to try the node again; the next request does.
    HalfOpen,
}

/// The circuit breaker of a node: whether it is queried, or others are preferred. It opens when the node does not answer. One's own
/// nodes are probed then; of a public one, one request after each cool-down finds out whether it is back.
///
/// A result of a request that was sent before the last change says nothing new, and is ignored.
#[derive(Debug)]
pub(crate) struct Breaker {
    cool_down: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    open: Option<Opened>,
    /// When it opened or closed last.
    changed: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
struct Opened {
    since: Instant,
    /// When the node last proved not to answer.
    checked: Instant,
    /// When to try again.
    until: Instant,
}

impl Breaker {
    /// Creates a closed one. Nothing is tried again after a cool-down that no clock can tell.
    fn new(cool_down: Duration) -> Self {
        Self {
            cool_down: cool_down.min(LONGEST_COOL_DOWN),
            state: Mutex::default(),
        }
    }

    pub(crate) fn circuit(&self) -> Circuit {
        match self.state.lock().open {
            None => Circuit::Closed,
            Some(open) if Instant::now() < open.until => Circuit::Open,
            Some(_) => Circuit::HalfOpen,
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.state.lock().open.is_none()
    }

    /// Whether the node is to be queried: its circuit is closed, or this is the one request that tries it again.
    pub(crate) fn admits(&self) -> bool {
        let mut state = self.state.lock();
        let now = Instant::now();
        let Some(open) = &mut state.open else {
            return true;
        };
        let is_tried = now >= open.until;
        if is_tried {
            open.until = now + self.cool_down;
        }
        is_tried
    }

    /// Returns for how long the node has not answered, if it was found so within `recent`.
    pub(crate) fn silent_for(&self, recent: Duration) -> Option<Duration> {
        let open = self.state.lock().open?;
        (open.checked.elapsed() <= recent).then(|| open.since.elapsed())
    }

    /// Notes that the node does not answer a request that was sent then. Returns whether that is news, `None` if it says nothing.
    fn open(&self, sent: Instant) -> Option<bool> {
        let now = Instant::now();
        let opened = Opened {
            since: sent,
            checked: now,
            until: now + self.cool_down,
        };
        self.change(sent, Some(opened))
    }

    /// Notes that the node answered a request that was sent then. Returns whether that is news.
    pub(crate) fn close(&self, sent: Instant) -> bool {
        self.change(sent, None).unwrap_or(false)
    }

    fn change(&self, sent: Instant, open: Option<Opened>) -> Option<bool> {
        let mut state = self.state.lock();
        if state.changed.is_some_and(|changed| sent < changed) {
            return None;
        }
        let since = state.open.map(|it| it.since);
        let is_news = since.is_some() != open.is_some();
        state.open = open.map(|it| Opened {
            since: since.unwrap_or(it.since),
            ..it
        });
        if is_news {
            state.changed = Some(Instant::now());
        }
        Some(is_news)
    }
}

/// The last height that a node stated, and when; without a time if the node has not answered since.
#[derive(Debug, Default)]
pub(crate) struct StatedHeight(Mutex<Option<(Height, Option<Instant>)>>);

impl StatedHeight {
    pub(crate) fn set(&self, height: Height) {
        *self.0.lock() = Some((height, Some(Instant::now())));
    }

    /// Notes that the node does not answer. Its chain may be longer when it answers again.
    fn doubt(&self) {
        if let Some((_, at)) = &mut *self.0.lock() {
            *at = None;
        }
    }

    /// Returns the last height, however old.
    pub(crate) fn last(&self) -> Option<Height> {
        self.0.lock().map(|(height, _)| height)
    }

    /// Returns the height, if it was stated within this time and the node still answers.
    pub(crate) fn within(&self, time: Duration) -> Option<Height> {
        let (height, at) = (*self.0.lock())?;
        (at?.elapsed() <= time).then_some(height)
    }
}

#[cfg(test)]
mod tests;
