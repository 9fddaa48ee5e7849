//! The nodes, and the order in which they are tried.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::Semaphore, time::Instant};

use crate::{Access, Config, ConfigError, transport::BaseUrl};

/// One node.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) base: BaseUrl,
    /// Whether it is the configured node, which may receive the API key.
    pub(crate) is_own: bool,
    /// One for each concurrent request.
    pub(crate) permits: Semaphore,
    /// Other nodes are preferred until then.
    resting_until: Mutex<Option<Instant>>,
}

/// All nodes, the configured one first.
#[derive(Debug)]
pub(crate) struct Upstreams {
    own: Upstream,
    public: Vec<Upstream>,
    cool_down: Duration,
}

impl Upstreams {
    pub(crate) fn new(config: &Config) -> Result<Self, ConfigError> {
        if config.concurrency == 0 {
            return Err(ConfigError::Zero {
                setting: "concurrency",
            });
        }
        let upstream = |url: &str, is_own| {
            Ok(Upstream {
                base: BaseUrl::parse(url)?,
                is_own,
                permits: Semaphore::new(config.concurrency),
                resting_until: Mutex::new(None),
            })
        };
        Ok(Self {
            own: upstream(&config.base_url, true)?,
            public: config
                .public_urls
                .iter()
                .map(|url| upstream(url, false))
                .collect::<Result<_, _>>()?,
            cool_down: config.cool_down,
        })
    }

    pub(crate) fn own(&self) -> &Upstream {
        &self.own
    }

    pub(crate) fn public(&self) -> impl Iterator<Item = &Upstream> {
        self.public.iter()
    }

    /// The nodes in the order to try them: those resting come last, because they may be back.
    pub(crate) fn in_order(&self, access: Access) -> Vec<&Upstream> {
        match access {
            Access::OwnNode | Access::OwnNodeWithKey => vec![&self.own],
            Access::AnyNode => {
                let now = Instant::now();
                let all = || std::iter::once(&self.own).chain(&self.public);
                all()
                    .filter(|upstream| !upstream.rests(now))
                    .chain(all().filter(|upstream| upstream.rests(now)))
                    .collect()
            }
        }
    }

    /// Notes that a node could not be reached. Returns whether that is a change.
    pub(crate) fn failed(&self, upstream: &Upstream) -> bool {
        let now = Instant::now();
        let was_resting = upstream.rests(now);
        upstream.set_rest(now.checked_add(self.cool_down));
        !was_resting
    }
}

impl Upstream {
    /// Notes that a node answered. Returns whether that is a change.
    pub(crate) fn answered(&self) -> bool {
        self.set_rest(None).is_some()
    }

    fn rests(&self, now: Instant) -> bool {
        let until = *self
            .resting_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| now < until)
    }

    fn set_rest(&self, until: Option<Instant>) -> Option<Instant> {
        let mut resting_until = self
            .resting_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *resting_until, until)
    }
}
