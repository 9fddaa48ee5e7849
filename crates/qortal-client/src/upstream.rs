//! One node: whether it answers, and how long its chain is.

use std::{sync::Arc, time::Duration};

use hyper::header::HeaderValue;
use parking_lot::Mutex;
use qortal_types::Height;
use tokio::time::Instant;
use tracing::warn;

use crate::{
    ApiKey, Config, ConfigError, Fallback, NodeError, config::base_url, heartbeats::Heartbeats,
    permits::Permits,
};

/// A height that was stated longer ago is not compared: by then the others may be as far ahead without anyone being behind.
const COMPARED: Duration = Duration::from_secs(5 * 60);

/// A cool-down beyond what a clock can tell lasts a day.
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
        let permits = if is_own {
            Permits::new(config.concurrency, Duration::ZERO)
        } else {
            Permits::new(config.public_concurrency, config.public_pause)
        };
        Ok(Self {
            base: base_url(url)?,
            position,
            is_own,
            is_only: config.own_nodes.is_empty() && config.public_urls.is_empty(),
            api_key: api_key.map(ApiKey::header).transpose()?,
            permits,
            breaker: Breaker::new(config.cool_down),
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

/// The circuit breaker of a node: whether it is asked, or others are preferred. Opens when the node does not answer. After a while
/// one request tries it again, while the others do not wait for that.
///
/// What came of a request that was sent before it opened or closed last says nothing new, and is ignored.
#[derive(Debug)]
pub(crate) struct Breaker {
    cool_down: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When to try again, while it is open.
    open_until: Option<Instant>,
    /// When it opened or closed last.
    changed: Option<Instant>,
}

impl Breaker {
    fn new(cool_down: Duration) -> Self {
        Self {
            cool_down,
            state: Mutex::default(),
        }
    }

    pub(crate) fn circuit(&self) -> Circuit {
        match self.state.lock().open_until {
            None => Circuit::Closed,
            Some(until) if Instant::now() < until => Circuit::Open,
            Some(_) => Circuit::HalfOpen,
        }
    }

    /// Whether the node is to be asked: its circuit is closed, or this is the one request that tries it again.
    pub(crate) fn admits(&self) -> bool {
        let mut state = self.state.lock();
        match state.open_until {
            None => true,
            Some(until) if Instant::now() < until => false,
            Some(_) => {
                state.open_until = Some(self.next_trial());
                true
            }
        }
    }

    /// Notes that the node does not answer what was sent then. Returns whether that is news; `None` if it says nothing.
    fn open(&self, sent: Instant) -> Option<bool> {
        self.change(sent, Some(self.next_trial()))
    }

    /// Notes that the node answered what was sent then. Returns whether that is news.
    pub(crate) fn close(&self, sent: Instant) -> bool {
        self.change(sent, None).unwrap_or(false)
    }

    fn change(&self, sent: Instant, open_until: Option<Instant>) -> Option<bool> {
        let mut state = self.state.lock();
        if state.changed.is_some_and(|changed| sent < changed) {
            return None;
        }
        let is_news = state.open_until.is_some() != open_until.is_some();
        state.open_until = open_until;
        if is_news {
            state.changed = Some(Instant::now());
        }
        Some(is_news)
    }

    fn next_trial(&self) -> Instant {
        let now = Instant::now();
        now.checked_add(self.cool_down)
            .unwrap_or(now + LONGEST_COOL_DOWN)
    }
}

/// The last height that a node stated.
#[derive(Debug, Default)]
pub(crate) struct StatedHeight(Mutex<Option<Stated>>);

#[derive(Debug, Clone, Copy)]
struct Stated {
    height: Height,
    at: Instant,
    /// Whether the node has not answered since.
    is_doubtful: bool,
}

impl StatedHeight {
    pub(crate) fn set(&self, height: Height) {
        *self.0.lock() = Some(Stated {
            height,
            at: Instant::now(),
            is_doubtful: false,
        });
    }

    /// Notes that the node does not answer. Its chain is as long as it was, and may be longer when it answers again.
    fn doubt(&self) {
        if let Some(stated) = &mut *self.0.lock() {
            stated.is_doubtful = true;
        }
    }

    /// The last height, however old.
    pub(crate) fn last(&self) -> Option<Height> {
        self.0.lock().map(|it| it.height)
    }

    /// The height that others can be compared with.
    pub(crate) fn reached(&self) -> Option<u32> {
        let stated = (*self.0.lock())?;
        (stated.at.elapsed() <= COMPARED).then_some(stated.height.number())
    }

    /// The height that can be compared with that of others, as far as the node still answers.
    pub(crate) fn current(&self) -> Option<u32> {
        self.stated_within(COMPARED).map(Height::number)
    }

    /// The height, if it was stated within this time and the node still answers.
    pub(crate) fn stated_within(&self, time: Duration) -> Option<Height> {
        let stated = (*self.0.lock())?;
        (!stated.is_doubtful && stated.at.elapsed() <= time).then_some(stated.height)
    }
}

#[cfg(test)]
mod tests;
