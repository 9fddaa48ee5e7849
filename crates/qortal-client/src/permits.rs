//! Request limits: the concurrency of one node, and the number of late requests that are also sent to a second node.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, sleep_until, timeout_at},
};

use crate::Tier;

/// The share of permits that slow requests may hold: half of them. The others are for quick ones, which must not wait, and a node
/// with few processors is not occupied by lists alone.
const SLOW_SHARE: usize = 2;

/// Of so many requests, one may be sent twice: 5 in a hundred.
const REQUESTS_A_HEDGE: u32 = 20;

/// The most of these that are saved up for a moment in which many are late.
const MOST_SAVED: u32 = 20;

/// The places for requests to one node, and how fast they follow each other.
#[derive(Debug)]
pub(crate) struct Permits {
    all: Semaphore,
    /// A slow request needs one of these as well; there are fewer.
    slow: Semaphore,
    /// The number of places.
    pub(crate) limit: usize,
    /// Each request that waits for a place has one more of it.
    waiting: Arc<()>,
    /// The time between the beginnings of two requests.
    pause: Duration,
    next_start: Mutex<Instant>,
}

/// A request's place, with one of those for slow requests. Dropping it gives both back.
pub(crate) type Permit<'a> = (SemaphorePermit<'a>, Option<SemaphorePermit<'a>>);

impl Permits {
    /// Creates `limit` places, at least 1.
    pub(crate) fn new(limit: usize, pause: Duration) -> Self {
        Self {
            all: Semaphore::new(limit),
            slow: Semaphore::new((limit / SLOW_SHARE).max(1)),
            limit,
            waiting: Arc::default(),
            pause,
            next_start: Mutex::new(Instant::now()),
        }
    }

    /// How many places are taken.
    pub(crate) fn taken(&self) -> usize {
        self.limit.saturating_sub(self.all.available_permits())
    }

    /// How many requests wait for a place.
    pub(crate) fn waiting(&self) -> usize {
        Arc::strong_count(&self.waiting) - 1
    }

    /// Waits for a place, or `None` if there is none until then.
    pub(crate) async fn acquire(&self, tier: Tier, until: Instant) -> Option<Permit<'_>> {
        let _waits = Arc::clone(&self.waiting);
        let work = async {
            let slow = match tier {
                Tier::Slow => Some(self.slow.acquire().await.ok()?),
                Tier::Quick => None,
            };
            let permit = (self.all.acquire().await.ok()?, slow);
            if !self.pause.is_zero() {
                sleep_until(self.start()).await;
            }
            Some(permit)
        };
        timeout_at(until, work).await.ok()?
    }

    /// The time the next request may begin.
    fn start(&self) -> Instant {
        let mut next = self.next_start.lock();
        let start = Instant::now().max(*next);
        *next = start + self.pause;
        start
    }
}

/// The requests that may still be sent twice.
#[derive(Debug, Default)]
pub(crate) struct Hedges {
    /// Requests that were not hedged, up to a bound.
    saved: Mutex<u32>,
}

impl Hedges {
    /// Counts a request: it could be sent twice.
    pub(crate) fn earn(&self) {
        let mut saved = self.saved.lock();
        *saved = (*saved + 1).min(MOST_SAVED * REQUESTS_A_HEDGE);
    }

    /// Whether one may be sent twice now, which is then counted.
    pub(crate) fn spend(&self) -> bool {
        let mut saved = self.saved.lock();
        let left = saved.checked_sub(REQUESTS_A_HEDGE);
        *saved = left.unwrap_or(*saved);
        left.is_some()
    }
}

#[cfg(test)]
mod tests;
