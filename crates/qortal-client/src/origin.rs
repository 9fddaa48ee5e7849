//! The nodes that can be asked, and which one is next.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::Semaphore, time::Instant};

use crate::{Access, Config, ConfigError, transport::BaseUrl};

/// One node.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) base: BaseUrl,
    /// Whether it is the configured node, which may see the API key.
    pub(crate) is_own: bool,
    /// One for each request that may run at once.
    pub(crate) permits: Semaphore,
    /// Until when other nodes are preferred.
    resting_until: Mutex<Option<Instant>>,
}

/// All nodes, the configured one first.
#[derive(Debug)]
pub(crate) struct Origins {
    own: Origin,
    public: Vec<Origin>,
    cool_down: Duration,
}

impl Origins {
    pub(crate) fn new(config: &Config) -> Result<Self, ConfigError> {
        if config.concurrency == 0 {
            return Err(ConfigError::Zero {
                setting: "concurrency",
            });
        }
        let origin = |url: &str, is_own| {
            Ok(Origin {
                base: BaseUrl::parse(url)?,
                is_own,
                permits: Semaphore::new(config.concurrency),
                resting_until: Mutex::new(None),
            })
        };
        Ok(Self {
            own: origin(&config.base_url, true)?,
            public: config
                .public_urls
                .iter()
                .map(|url| origin(url, false))
                .collect::<Result<_, _>>()?,
            cool_down: config.cool_down,
        })
    }

    pub(crate) fn own(&self) -> &Origin {
        &self.own
    }

    pub(crate) fn public(&self) -> impl Iterator<Item = &Origin> {
        self.public.iter()
    }

    /// The nodes to ask, in order: those that rest come last, because they may be back.
    pub(crate) fn in_order(&self, access: Access) -> Vec<&Origin> {
        match access {
            Access::OwnNode | Access::OwnNodeWithKey => vec![&self.own],
            Access::AnyNode => {
                let now = Instant::now();
                let all = || std::iter::once(&self.own).chain(&self.public);
                all()
                    .filter(|origin| !origin.rests(now))
                    .chain(all().filter(|origin| origin.rests(now)))
                    .collect()
            }
        }
    }

    /// Notes that a node could not be reached. Returns whether that is news.
    pub(crate) fn failed(&self, origin: &Origin) -> bool {
        let now = Instant::now();
        let was_resting = origin.rests(now);
        origin.set_rest(now.checked_add(self.cool_down));
        !was_resting
    }
}

impl Origin {
    /// Notes that a node answered. Returns whether that is news.
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
