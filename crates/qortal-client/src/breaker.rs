//! The circuit breaker of a node: whether it is asked, or others are preferred.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

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

/// Opens when the node does not answer. After a while one request tries it again, while the others do not wait for that.
#[derive(Debug)]
pub(crate) struct Breaker {
    cool_down: Duration,
    /// When to try again, while it is open.
    open_until: Mutex<Option<Instant>>,
}

impl Breaker {
    pub(crate) const fn new(cool_down: Duration) -> Self {
        Self {
            cool_down,
            open_until: Mutex::new(None),
        }
    }

    pub(crate) fn circuit(&self) -> Circuit {
        match *self.open_until() {
            None => Circuit::Closed,
            Some(until) if Instant::now() < until => Circuit::Open,
            Some(_) => Circuit::HalfOpen,
        }
    }

    /// Whether the node is to be asked: its circuit is closed, or this is the one request that tries it again.
    pub(crate) fn admits(&self) -> bool {
        let mut open_until = self.open_until();
        match *open_until {
            None => true,
            Some(until) if Instant::now() < until => false,
            Some(_) => {
                *open_until = Some(self.next_trial());
                true
            }
        }
    }

    /// Notes that the node does not answer. Returns whether that is news.
    pub(crate) fn open(&self) -> bool {
        let next_trial = self.next_trial();
        self.open_until().replace(next_trial).is_none()
    }

    /// Notes that the node answered. Returns whether that is news.
    pub(crate) fn close(&self) -> bool {
        self.open_until().take().is_some()
    }

    fn next_trial(&self) -> Instant {
        let now = Instant::now();
        // A cool-down beyond what a clock can tell lasts a day.
        now.checked_add(self.cool_down)
            .unwrap_or(now + Duration::from_secs(24 * 60 * 60))
    }

    fn open_until(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.open_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::advance;

    use super::{Breaker, Circuit};

    #[tokio::test(start_paused = true)]
    async fn an_open_circuit_lets_one_request_through_after_each_cool_down() {
        let breaker = Breaker::new(Duration::from_secs(60));
        assert!(breaker.admits() && breaker.admits());
        assert!(breaker.open());
        assert!(!breaker.open(), "it was so already");
        assert_eq!(breaker.circuit(), Circuit::Open);
        for _ in 0..2 {
            assert!(!breaker.admits());
            advance(Duration::from_secs(61)).await;
            assert_eq!(breaker.circuit(), Circuit::HalfOpen);
            assert!(breaker.admits());
        }
        assert!(!breaker.admits());
        assert!(breaker.close());
        assert!(!breaker.close(), "it was so already");
        assert_eq!(breaker.circuit(), Circuit::Closed);
        assert!(breaker.admits() && breaker.admits());
    }

    #[tokio::test(start_paused = true)]
    async fn any_cool_down_is_possible() {
        let breaker = Breaker::new(Duration::MAX);
        breaker.open();
        assert!(!breaker.admits());
        let breaker = Breaker::new(Duration::ZERO);
        breaker.open();
        assert!(breaker.admits());
    }
}
