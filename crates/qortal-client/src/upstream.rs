//! The nodes, what is known about each, and the order in which they are tried.

use std::{
    collections::VecDeque,
    iter::once,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use reqwest::header::HeaderValue;
use tokio::time::Instant;

use crate::{
    Access, ApiKey, Circuit, Config, ConfigError, Fallback, NodeError, NodeHealth,
    breaker::Breaker,
    heights::{StatedHeight, best},
    permits::Permits,
    pulse::Pulse,
    transport::BaseUrl,
};

/// How often the heights of one's own nodes are learned, while there are requests.
const COMPARISON_INTERVAL: Duration = Duration::from_secs(15);

/// The same for public nodes, which serve others too.
const PUBLIC_COMPARISON_INTERVAL: Duration = Duration::from_secs(60);

/// An own node that stated its height within this time is not asked for it. That is shorter than the interval: a node states its height
/// a moment after it was asked, and is asked again when the next comparison is due.
const RECENT: Duration = Duration::from_secs(10);

/// How many public nodes one's own are compared with: one that is wrong is outvoted, and no one is asked needlessly.
const COMPARED: usize = 3;

/// One node.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) base: BaseUrl,
    /// Its place among all, the configured one first.
    pub(crate) position: usize,
    /// Whether it is one of the user's own nodes, which are trusted.
    pub(crate) is_own: bool,
    /// Its own key, which is sent to no other.
    pub(crate) api_key: Option<HeaderValue>,
    /// One for each concurrent request.
    pub(crate) permits: Permits,
    /// Whether others are preferred.
    pub(crate) breaker: Breaker,
    pub(crate) pulse: Pulse,
    pub(crate) height: StatedHeight,
    last_error: Mutex<Option<NodeError>>,
}

/// All nodes: the configured one, the user's others, the public ones.
#[derive(Debug)]
pub(crate) struct Upstreams {
    configured: Upstream,
    others: Vec<Upstream>,
    max_blocks_behind: u32,
    next_comparison: Mutex<Instant>,
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

/// A node in the order in which they are tried.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    pub(crate) upstream: &'a Upstream,
    /// Whether it comes last, because it does not answer.
    pub(crate) is_deferred: bool,
    /// How many blocks it is behind others, if too many.
    pub(crate) behind: Option<u32>,
    /// Why it is asked, if it is not the configured one.
    pub(crate) reason: Fallback,
}

impl Choice<'_> {
    pub(crate) fn source(&self) -> Source {
        Source {
            reason: (!self.upstream.is_configured()).then_some(self.reason),
            behind: self.behind,
            ..Source::of(self.upstream)
        }
    }
}

impl Source {
    /// The node itself, without what is said of it.
    pub(crate) fn of(upstream: &Upstream) -> Self {
        Self {
            url: upstream.base.shared(),
            position: upstream.position,
            is_own: upstream.is_own,
            reason: None,
            behind: None,
        }
    }

    pub(crate) const fn is_configured(&self) -> bool {
        self.position == 0
    }
}

impl Upstreams {
    pub(crate) fn new(config: &Config) -> Result<Self, ConfigError> {
        for (limit, setting) in [
            (config.concurrency, "concurrency"),
            (config.public_concurrency, "public_concurrency"),
        ] {
            if limit == 0 {
                return Err(ConfigError::Zero { setting });
            }
        }
        let own = |position, url: &str, key: Option<&ApiKey>| {
            Ok::<_, ConfigError>(Upstream {
                api_key: key.map(ApiKey::header).transpose()?,
                ..Upstream::new(config, position, url)?
            })
        };
        let configured = own(0, &config.base_url, config.api_key.as_ref())?;
        let mut others: Vec<Upstream> = Vec::new();
        for (position, node) in (1..).zip(&config.own_nodes) {
            let added = own(position, &node.url, node.api_key.as_ref())?;
            // Each has one key and one budget of requests.
            if once(&configured)
                .chain(&others)
                .any(|it| it.base == added.base)
            {
                let url = added.base.as_str().to_owned();
                return Err(ConfigError::Twice { url });
            }
            others.push(added);
        }
        for (position, url) in (1 + others.len()..).zip(&config.public_urls) {
            others.push(Upstream::new(config, position, url)?);
        }
        Ok(Self {
            configured,
            others,
            max_blocks_behind: config.max_blocks_behind,
            next_comparison: Mutex::new(Instant::now()),
        })
    }

    pub(crate) const fn configured(&self) -> &Upstream {
        &self.configured
    }

    /// All of them, in the order of preference.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Upstream> {
        once(&self.configured).chain(&self.others)
    }

    pub(crate) fn own(&self) -> impl Iterator<Item = &Upstream> {
        self.all().filter(|it| it.is_own)
    }

    /// Whether a late request can be sent to another of them.
    pub(crate) fn has_several_own(&self) -> bool {
        self.own().nth(1).is_some()
    }

    pub(crate) fn public(&self) -> impl Iterator<Item = &Upstream> {
        self.others.iter().filter(|it| !it.is_own)
    }

    /// The nodes in the order to try them: the configured one first, those that are behind last.
    pub(crate) fn in_order(&self, access: Access) -> VecDeque<Choice<'_>> {
        let best = self.best();
        let configured_behind = self.behind(&self.configured, best);
        let reason = match configured_behind {
            Some(blocks) => Fallback::Behind { blocks },
            None => Fallback::Unavailable,
        };
        let choice = |upstream, behind| Choice {
            upstream,
            is_deferred: false,
            behind,
            reason,
        };
        let compared = |upstream| choice(upstream, self.behind(upstream, best));
        let mut choices: VecDeque<_> = match access {
            Access::OwnNode | Access::OwnNodeWithKey => {
                return [choice(&self.configured, None)].into();
            }
            Access::OwnNodesWithKey => {
                let may = |it: &&Upstream| it.is_configured() || it.api_key.is_some();
                self.own().filter(may).map(compared).collect()
            }
            Access::AnyNode => self.all().map(compared).collect(),
        };
        // Stable: among those that are behind, and among the others, the order stays.
        choices.make_contiguous().sort_by_key(|it| it.behind);
        choices
    }

    fn best(&self) -> Option<u32> {
        let own = self.own().filter_map(|it| it.height.reached());
        let public = self.public().filter_map(|it| it.height.reached());
        best(own, public)
    }

    /// How many blocks a node is behind the others, if too many.
    fn behind(&self, upstream: &Upstream, best: Option<u32>) -> Option<u32> {
        let behind = best?.saturating_sub(upstream.height.current()?);
        (behind > self.max_blocks_behind).then_some(behind)
    }

    /// Whether it is time to compare heights; the caller does it.
    pub(crate) fn are_heights_due(&self) -> bool {
        if self.others.is_empty() || self.max_blocks_behind == u32::MAX {
            return false;
        }
        let mut next = self.next_comparison();
        let now = Instant::now();
        let is_due = now >= *next;
        if is_due {
            *next = now + COMPARISON_INTERVAL;
        }
        is_due
    }

    /// Nodes that answer, and that have not stated their height lately in what they were asked anyway.
    pub(crate) fn compared(&self) -> impl Iterator<Item = &Upstream> {
        let answering = |it: &&Upstream| it.breaker.circuit() == Circuit::Closed;
        let public = self.public().filter(answering).take(COMPARED);
        self.own().filter(answering).chain(public).filter(|it| {
            let recent = match it.is_own {
                true => RECENT,
                false => PUBLIC_COMPARISON_INTERVAL,
            };
            it.height.stated_within(recent).is_none()
        })
    }

    /// Notes that a node does not answer what was sent then. Returns whether that is news.
    pub(crate) fn lost(&self, upstream: &Upstream, sent: Instant) -> bool {
        upstream.height.doubt();
        upstream.breaker.open(sent)
    }

    /// Notes that a node answered what was sent then. Returns whether that is news. It may be behind: its height is compared with
    /// the next request.
    pub(crate) fn found(&self, upstream: &Upstream, sent: Instant, is_late: bool) -> bool {
        let is_news = match self.others.is_empty() {
            // No other can be preferred.
            true => upstream.breaker.close(Instant::now()),
            false => !is_late && upstream.breaker.close(sent),
        };
        if is_news {
            *self.next_comparison() = Instant::now();
        }
        is_news
    }

    pub(crate) fn health(&self) -> Vec<NodeHealth> {
        let best = self.best();
        self.all()
            .map(|it| NodeHealth {
                url: it.base.as_str().to_owned(),
                is_own: it.is_own,
                circuit: it.breaker.circuit(),
                height: it.height.last(),
                blocks_behind: self.behind(it, best),
                last_error: it.last_error().clone(),
                in_flight: it.permits.taken(),
                waiting: it.permits.waiting(),
            })
            .collect()
    }

    fn next_comparison(&self) -> std::sync::MutexGuard<'_, Instant> {
        self.next_comparison
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Upstream {
    /// A node without a key.
    fn new(config: &Config, position: usize, url: &str) -> Result<Self, ConfigError> {
        let is_own = position <= config.own_nodes.len();
        let permits = match is_own {
            true => Permits::new(config.concurrency, Duration::ZERO),
            false => Permits::new(config.public_concurrency, config.public_pause),
        };
        Ok(Self {
            base: BaseUrl::parse(url)?,
            position,
            is_own,
            api_key: None,
            permits,
            breaker: Breaker::new(config.cool_down),
            pulse: Pulse::default(),
            height: StatedHeight::default(),
            last_error: Mutex::new(None),
        })
    }

    /// Whether it is the first node, which alone is asked about itself.
    pub(crate) const fn is_configured(&self) -> bool {
        self.position == 0
    }

    pub(crate) fn set_last_error(&self, error: NodeError) {
        *self.last_error() = Some(error);
    }

    fn last_error(&self) -> std::sync::MutexGuard<'_, Option<NodeError>> {
        self.last_error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
