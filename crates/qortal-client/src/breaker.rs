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
///
/// What came of a request that was sent before it opened or closed last says nothing new, and is ignored.
#[derive(Debug)]
pub(crate) struct Breaker {
    cool_down: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    /// When to try again, while it is open.
    open_until: Option<Instant>,
    /// When it opened or closed last.
    changed: Option<Instant>,
}

impl State {
    fn is_newer_than(self, sent: Instant) -> bool {
        self.changed.is_some_and(|changed| sent < changed)
    }
}

impl Breaker {
    pub(crate) const fn new(cool_down: Duration) -> Self {
        Self {
            cool_down,
            state: Mutex::new(State {
                open_until: None,
                changed: None,
            }),
        }
    }

    pub(crate) fn circuit(&self) -> Circuit {
        match self.state().open_until {
            None => Circuit::Closed,
            Some(until) if Instant::now() < until => Circuit::Open,
            Some(_) => Circuit::HalfOpen,
        }
    }

    /// Whether the node is to be asked: its circuit is closed, or this is the one request that tries it again.
    pub(crate) fn admits(&self) -> bool {
        let mut state = self.state();
        match state.open_until {
            None => true,
            Some(until) if Instant::now() < until => false,
            Some(_) => {
                state.open_until = Some(self.next_trial());
                true
            }
        }
    }

    /// Notes that the node does not answer what was sent then. Returns whether that is news.
    pub(crate) fn open(&self, sent: Instant) -> bool {
        let mut state = self.state();
        if state.is_newer_than(sent) {
            return false;
        }
        let is_news = state.open_until.replace(self.next_trial()).is_none();
        if is_news {
            state.changed = Some(Instant::now());
        }
        is_news
    }

    /// Notes that the node answered what was sent then. Returns whether that is news.
    pub(crate) fn close(&self, sent: Instant) -> bool {
        let mut state = self.state();
        if state.is_newer_than(sent) {
            return false;
        }
        let is_news = state.open_until.take().is_some();
        if is_news {
            state.changed = Some(Instant::now());
        }
        is_news
    }

    fn next_trial(&self) -> Instant {
        let now = Instant::now();
        // A cool-down beyond what a clock can tell lasts a day.
        now.checked_add(self.cool_down)
            .unwrap_or(now + Duration::from_secs(24 * 60 * 60))
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{Instant, advance};

    use super::{Breaker, Circuit};

    #[tokio::test(start_paused = true)]
    async fn an_open_circuit_lets_one_request_through_after_each_cool_down() {
        let breaker = Breaker::new(Duration::from_secs(60));
        assert!(breaker.admits() && breaker.admits());
        assert!(breaker.open(Instant::now()));
        assert!(!breaker.open(Instant::now()), "it was so already");
        assert_eq!(breaker.circuit(), Circuit::Open);
        for _ in 0..2 {
            assert!(!breaker.admits());
            advance(Duration::from_secs(61)).await;
            assert_eq!(breaker.circuit(), Circuit::HalfOpen);
            assert!(breaker.admits());
        }
        assert!(!breaker.admits());
        assert!(breaker.close(Instant::now()));
        assert!(!breaker.close(Instant::now()), "it was so already");
        assert_eq!(breaker.circuit(), Circuit::Closed);
        assert!(breaker.admits() && breaker.admits());
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_sent_before_the_last_change_changes_nothing() {
        let breaker = Breaker::new(Duration::from_secs(60));
        let early = Instant::now();
        advance(Duration::from_secs(1)).await;
        assert!(breaker.open(Instant::now()));
        assert!(!breaker.close(early));
        assert_eq!(breaker.circuit(), Circuit::Open);
        advance(Duration::from_secs(59)).await;
        assert!(!breaker.open(early));
        advance(Duration::from_secs(2)).await;
        assert_eq!(breaker.circuit(), Circuit::HalfOpen, "it rests no longer");
        assert!(breaker.close(Instant::now()));
        assert!(!breaker.open(early));
        assert_eq!(breaker.circuit(), Circuit::Closed);
    }

    #[tokio::test(start_paused = true)]
    async fn any_cool_down_is_possible() {
        let breaker = Breaker::new(Duration::MAX);
        breaker.open(Instant::now());
        assert!(!breaker.admits());
        let breaker = Breaker::new(Duration::ZERO);
        breaker.open(Instant::now());
        assert!(breaker.admits());
    }
}
