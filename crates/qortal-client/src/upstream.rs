//! The nodes, what is known about each, and the order in which they are tried.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use qortal_types::Height;
use tokio::time::Instant;

use crate::{
    Access, Circuit, Config, ConfigError, Fallback, NodeError, NodeHealth, breaker::Breaker,
    permits::Permits, pulse::Pulse, transport::BaseUrl,
};

/// How often the heights of nodes are compared, while there are requests.
const COMPARISON_INTERVAL: Duration = Duration::from_secs(60);

/// How many public nodes the configured one is compared with: one that is wrong is outvoted, and no one is asked needlessly.
const COMPARED: usize = 3;

/// One node.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) base: BaseUrl,
    /// Its place among all, the configured one first.
    pub(crate) position: usize,
    /// Whether it is the configured node, which may receive the API key.
    pub(crate) is_own: bool,
    /// One for each concurrent request.
    pub(crate) permits: Permits,
    /// Whether others are preferred.
    pub(crate) breaker: Breaker,
    pub(crate) pulse: Pulse,
    /// The last height it stated; 0 if none.
    height: AtomicU32,
    last_error: Mutex<Option<NodeError>>,
}

/// All nodes, the configured one first.
#[derive(Debug)]
pub(crate) struct Upstreams {
    own: Upstream,
    public: Vec<Upstream>,
    max_blocks_behind: u32,
    next_comparison: Mutex<Instant>,
}

/// Which node an answer came from. The configured one is trusted more than others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Own,
    /// It is this many blocks behind others, none of which could be asked.
    OwnBehind(u32),
    Other(Arc<str>, Fallback),
}

/// A node in the order in which they are tried.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    pub(crate) upstream: &'a Upstream,
    /// Whether it comes last, because it does not answer.
    pub(crate) is_deferred: bool,
    /// How many blocks the configured node is behind others, if too many.
    behind: Option<u32>,
}

impl Choice<'_> {
    pub(crate) fn source(&self) -> Source {
        match (self.upstream.is_own, self.behind) {
            (true, None) => Source::Own,
            (true, Some(blocks)) => Source::OwnBehind(blocks),
            (false, behind) => {
                let reason = match behind {
                    Some(blocks) => Fallback::Behind { blocks },
                    None => Fallback::Unavailable,
                };
                Source::Other(self.upstream.base.shared(), reason)
            }
        }
    }
}

impl Source {
    pub(crate) const fn is_own(&self) -> bool {
        match self {
            Self::Own | Self::OwnBehind(_) => true,
            Self::Other(..) => false,
        }
    }
}

impl Upstreams {
    pub(crate) fn new(config: &Config) -> Result<Self, ConfigError> {
        let upstream = |url: &str, position, limit, pause| {
            Ok(Upstream {
                base: BaseUrl::parse(url)?,
                position,
                is_own: position == 0,
                permits: Permits::new(limit, pause),
                breaker: Breaker::new(config.cool_down),
                pulse: Pulse::default(),
                height: AtomicU32::new(0),
                last_error: Mutex::new(None),
            })
        };
        for (limit, setting) in [
            (config.concurrency, "concurrency"),
            (config.public_concurrency, "public_concurrency"),
        ] {
            if limit == 0 {
                return Err(ConfigError::Zero { setting });
            }
        }
        let public = (1..).zip(&config.public_urls);
        Ok(Self {
            own: upstream(&config.base_url, 0, config.concurrency, Duration::ZERO)?,
            public: public
                .map(|(n, url)| upstream(url, n, config.public_concurrency, config.public_pause))
                .collect::<Result<_, _>>()?,
            max_blocks_behind: config.max_blocks_behind,
            next_comparison: Mutex::new(Instant::now()),
        })
    }

    pub(crate) const fn own(&self) -> &Upstream {
        &self.own
    }

    pub(crate) fn public(&self) -> impl Iterator<Item = &Upstream> {
        self.public.iter()
    }

    fn all(&self) -> impl Iterator<Item = &Upstream> {
        std::iter::once(&self.own).chain(&self.public)
    }

    /// The nodes in the order to try them: the configured one first, unless it is behind.
    pub(crate) fn in_order(&self, access: Access) -> VecDeque<Choice<'_>> {
        let choice = |upstream, behind| Choice {
            upstream,
            is_deferred: false,
            behind,
        };
        match access {
            Access::OwnNode | Access::OwnNodeWithKey => [choice(&self.own, None)].into(),
            Access::AnyNode => {
                let behind = self.behind();
                let mut choices: VecDeque<_> = self.all().map(|it| choice(it, behind)).collect();
                if behind.is_some() {
                    choices.rotate_left(1);
                }
                choices
            }
        }
    }

    /// How many blocks the configured node is behind the others, if too many: behind the middle one of those whose heights are
    /// known, so that one that is wrong counts little.
    fn behind(&self) -> Option<u32> {
        let mut heights: Vec<_> = self.public.iter().filter_map(Upstream::height).collect();
        heights.sort_unstable();
        let middle = heights.get(heights.len().checked_sub(1)? / 2)?.number();
        let behind = middle.saturating_sub(self.own.height()?.number());
        (behind > self.max_blocks_behind).then_some(behind)
    }

    /// Whether it is time to compare heights; the caller does it.
    pub(crate) fn are_heights_due(&self) -> bool {
        let is_alone = self.public.is_empty() || self.max_blocks_behind == u32::MAX;
        // While it does not answer, its height says nothing.
        if is_alone || self.own.breaker.circuit() != Circuit::Closed {
            return false;
        }
        let mut next = self
            .next_comparison
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let is_due = now >= *next;
        if is_due {
            *next = now + COMPARISON_INTERVAL;
        }
        is_due
    }

    /// The nodes whose heights are compared.
    pub(crate) fn compared(&self) -> impl Iterator<Item = &Upstream> {
        let answering = |it: &&Upstream| it.breaker.circuit() == Circuit::Closed;
        let public = self.public.iter().filter(answering).take(COMPARED);
        std::iter::once(&self.own).chain(public)
    }

    /// Remembers the height that a node stated.
    pub(crate) fn saw_height(&self, source: &Source, height: Height) {
        let upstream = match source {
            Source::Own | Source::OwnBehind(_) => Some(&self.own),
            Source::Other(url, _) => self.public.iter().find(|it| it.base.as_str() == &**url),
        };
        if let Some(upstream) = upstream {
            upstream.saw_height(height);
        }
    }

    pub(crate) fn health(&self) -> Vec<NodeHealth> {
        let behind = self.behind();
        self.all()
            .map(|it| NodeHealth {
                url: it.base.as_str().to_owned(),
                is_own: it.is_own,
                circuit: it.breaker.circuit(),
                height: it.height(),
                blocks_behind: behind.filter(|_| it.is_own),
                last_error: it.last_error().clone(),
                in_flight: it.permits.taken(),
            })
            .collect()
    }
}

impl Upstream {
    pub(crate) fn saw_height(&self, height: Height) {
        self.height.store(height.number(), Ordering::Relaxed);
    }

    fn height(&self) -> Option<Height> {
        match self.height.load(Ordering::Relaxed) {
            0 => None,
            height => Some(Height::new(height)),
        }
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
