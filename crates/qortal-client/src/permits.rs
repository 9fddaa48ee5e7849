//! How many requests a node gets at once, and how fast they follow each other.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, sleep, sleep_until, timeout_at},
};

use crate::Tier;

/// The share of places that slow requests leave to quick ones, which must not wait for them: one in four.
const QUICK_SHARE: usize = 4;

/// When slow requests held their places all this time, one more may try whether they are lost.
const TRIAL_AFTER: Duration = Duration::from_millis(1_500);

/// The places for requests to one node.
#[derive(Debug)]
pub(crate) struct Permits {
    all: Semaphore,
    /// A slow request needs one of these as well; there are fewer.
    slow: Semaphore,
    /// Instead of one of those, for one slow request at a time that waited too long.
    trial: Semaphore,
    /// For requests that gave their places back while the node may still work on them: bounds those too.
    overdue: Semaphore,
    limit: usize,
    /// Requests that wait for a place.
    waiting: AtomicUsize,
    /// The time between the beginnings of two requests.
    pause: Duration,
    next_start: Mutex<Instant>,
}

/// A request's place. Dropping it gives it back.
#[derive(Debug)]
pub(crate) enum Permit<'a> {
    /// One of the places, and for a slow request one of those for slow ones.
    Regular {
        _one_of_all: SemaphorePermit<'a>,
        one_of_slow: Option<SemaphorePermit<'a>>,
    },
    /// A place for a request that takes suspiciously long.
    Overdue { _one: SemaphorePermit<'a> },
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
        let reserved = limit.div_ceil(QUICK_SHARE);
        Self {
            all: Semaphore::new(limit),
            slow: Semaphore::new(limit.saturating_sub(reserved).max(1)),
            trial: Semaphore::new(1),
            overdue: Semaphore::new(limit),
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
            let one_of_slow = match tier {
                Tier::Slow => Some(self.acquire_slow().await?),
                Tier::Quick => None,
            };
            let permit = Permit::Regular {
                _one_of_all: self.all.acquire().await.ok()?,
                one_of_slow,
            };
            if !self.pause.is_zero() {
                sleep_until(self.start()).await;
            }
            Some(permit)
        };
        timeout_at(until, work).await.ok()?
    }

    async fn acquire_slow(&self) -> Option<SemaphorePermit<'_>> {
        let trial = async {
            sleep(TRIAL_AFTER).await;
            self.trial.acquire().await
        };
        tokio::select! {
            biased;
            permit = self.slow.acquire() => permit.ok(),
            permit = trial => permit.ok(),
        }
    }

    /// Exchanges the place of a slow request that takes suspiciously long for one of those that are kept for such requests. Nothing
    /// changes if there is none left.
    pub(crate) fn give_back<'a>(&'a self, permit: &mut Permit<'a>) {
        let Permit::Regular {
            one_of_slow: Some(_),
            ..
        } = permit
        else {
            return;
        };
        if let Ok(one) = self.overdue.try_acquire() {
            *permit = Permit::Overdue { _one: one };
        }
    }

    /// When the next request may begin.
    fn start(&self) -> Instant {
        let mut next = self
            .next_start
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let start = Instant::now().max(*next);
        *next = start + self.pause;
        start
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Permit, Permits, TRIAL_AFTER};
    use crate::Tier;

    async fn at_once(permits: &Permits, tier: Tier) -> Option<Permit<'_>> {
        permits.acquire(tier, Instant::now()).await
    }

    async fn check(limit: usize, slow: usize) {
        let permits = Permits::new(limit, Duration::ZERO);
        let mut taken = Vec::new();
        while let Some(permit) = at_once(&permits, Tier::Slow).await {
            taken.push(permit);
        }
        assert_eq!(taken.len(), slow, "of {limit}");
        while let Some(permit) = at_once(&permits, Tier::Quick).await {
            taken.push(permit);
        }
        assert_eq!(taken.len(), limit);
    }

    #[tokio::test(start_paused = true)]
    async fn slow_requests_leave_places_to_quick_ones() {
        for (limit, slow) in [(1, 1), (2, 1), (4, 3), (8, 6), (9, 6)] {
            check(limit, slow).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn those_that_wait_are_counted_until_they_give_up() {
        let permits = Permits::new(1, Duration::ZERO);
        let _first = at_once(&permits, Tier::Quick).await.unwrap();
        assert_eq!(permits.waiting(), 0);
        let until = Instant::now() + Duration::from_secs(1);
        let look = async {
            tokio::task::yield_now().await;
            permits.waiting()
        };
        let (second, waiting) = tokio::join!(permits.acquire(Tier::Quick, until), look);
        assert!(second.is_none());
        assert_eq!((waiting, permits.waiting()), (1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_too_long_may_try_one_at_a_time() {
        let permits = Permits::new(4, Duration::ZERO);
        let until = Instant::now() + Duration::from_secs(60);
        let mut taken = Vec::new();
        for _ in 0..4 {
            taken.push(permits.acquire(Tier::Slow, until).await.unwrap());
        }
        assert!(permits.acquire(Tier::Slow, until).await.is_none());
        taken.pop();
        assert!(
            permits
                .acquire(Tier::Slow, until + TRIAL_AFTER)
                .await
                .is_some()
        );
    }

    #[tokio::test(start_paused = true)]
    async fn what_takes_too_long_gives_its_place_back_within_a_bound() {
        let permits = Permits::new(2, Duration::ZERO);
        let mut waiting = Vec::new();
        for _ in 0..3 {
            let mut permit = at_once(&permits, Tier::Slow).await.unwrap();
            permits.give_back(&mut permit);
            waiting.push(permit);
        }
        assert!(at_once(&permits, Tier::Slow).await.is_none());
        waiting.clear();
        assert!(at_once(&permits, Tier::Slow).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn requests_begin_at_a_distance() {
        let permits = Permits::new(8, Duration::from_millis(100));
        let began = Instant::now();
        let until = began + Duration::from_secs(10);
        for _ in 0..3 {
            permits.acquire(Tier::Quick, until).await.unwrap();
        }
        assert_eq!(began.elapsed(), Duration::from_millis(200));
    }
}
