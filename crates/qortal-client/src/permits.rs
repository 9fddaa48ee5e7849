//! How many requests one node gets at once.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, sleep_until, timeout_at},
};

use crate::Tier;

/// The share of permits that slow requests may hold: half of them. The others are for quick ones, which must not wait, and a node
/// with few processors is not occupied by lists alone.
const SLOW_SHARE: usize = 2;

/// The places for requests to one node, and how fast they follow each other.
#[derive(Debug)]
pub(crate) struct Permits {
    all: Semaphore,
    /// A slow request needs one of these as well; there are fewer.
    slow: Semaphore,
    limit: usize,
    /// Requests that wait for a place.
    waiting: AtomicUsize,
    /// The time between the beginnings of two requests.
    pause: Duration,
    next_start: Mutex<Instant>,
}

/// A request's place. Dropping it gives it back.
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    _one_of_all: SemaphorePermit<'a>,
    _slow: Option<SemaphorePermit<'a>>,
}

/// Counts a request among those that wait, until it is dropped.
struct Waits<'a>(&'a AtomicUsize);

impl<'a> Waits<'a> {
    fn begin(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Permits {
    /// Creates `limit` places, at least 1.
    pub(crate) fn new(limit: usize, pause: Duration) -> Self {
        Self {
            all: Semaphore::new(limit),
            slow: Semaphore::new((limit / SLOW_SHARE).max(1)),
            limit,
            waiting: AtomicUsize::new(0),
            pause,
            next_start: Mutex::new(Instant::now()),
        }
    }

    pub(crate) const fn limit(&self) -> usize {
        self.limit
    }

    /// How many places are taken.
    pub(crate) fn taken(&self) -> usize {
        self.limit.saturating_sub(self.all.available_permits())
    }

    /// How many requests wait for a place.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Waits for a place; `None` if there is none until then.
    pub(crate) async fn acquire(&self, tier: Tier, until: Instant) -> Option<Permit<'_>> {
        let _waits = Waits::begin(&self.waiting);
        let work = async {
            let slow = match tier {
                Tier::Slow => Some(self.slow.acquire().await.ok()?),
                Tier::Quick => None,
            };
            let permit = Permit {
                _one_of_all: self.all.acquire().await.ok()?,
                _slow: slow,
            };
            if !self.pause.is_zero() {
                sleep_until(self.start()).await;
            }
            Some(permit)
        };
        timeout_at(until, work).await.ok()?
    }

    /// When the next request may begin.
    fn start(&self) -> Instant {
        let mut next = self.next_start.lock();
        let start = Instant::now().max(*next);
        *next = start + self.pause;
        start
    }
}

#[cfg(test)]
mod tests;
