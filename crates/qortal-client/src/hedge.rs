//! When a request that is still unanswered is sent to a second node as well, or once more to the same: later than is usual, and seldom.

use std::{
    collections::{HashMap, VecDeque},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use parking_lot::Mutex;

use crate::Endpoint;

/// An answer within this time is never late: a person hardly notices it.
const SOONEST: Duration = Duration::from_millis(300);

/// Of so many requests, one may be sent twice: 5 in a hundred.
const REQUESTS_A_HEDGE: u32 = 20;

/// How many of these may be saved up for a moment in which many are late.
const MOST_SAVED: u32 = 20;

/// The answers to one endpoint that say what is usual.
const REMEMBERED: usize = 64;

/// Of so many answers at least is told what is usual.
const ENOUGH: usize = 8;

/// What takes this many times as long as each of the last answers is not only slow.
const LOST_AFTER: u32 = 4;

/// How long endpoints usually take, and how many requests may still be sent twice.
#[derive(Debug, Default)]
pub(crate) struct Hedges {
    times: Mutex<HashMap<Endpoint, VecDeque<Duration>>>,
    /// Requests that were not hedged, up to a bound.
    saved: AtomicU32,
}

impl Hedges {
    /// Counts a request: it could be sent twice.
    pub(crate) fn earn(&self) {
        let most = MOST_SAVED * REQUESTS_A_HEDGE;
        let more = |saved: u32| (saved < most).then_some(saved + 1);
        // A full purse stays as it is.
        let _ = self
            .saved
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    /// Whether one may be sent twice now, which is then counted.
    pub(crate) fn spend(&self) -> bool {
        let less = |saved: u32| saved.checked_sub(REQUESTS_A_HEDGE);
        self.saved
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .is_ok()
    }

    /// Remembers how long an answer took.
    pub(crate) fn answered(&self, endpoint: Endpoint, time: Duration) {
        let mut times = self.times.lock();
        let times = times.entry(endpoint).or_default();
        if times.len() == REMEMBERED {
            times.pop_front();
        }
        times.push_back(time);
    }

    /// The time after which an answer is later than 95 in a hundred, at least 300 ms.
    pub(crate) fn patience(&self, endpoint: Endpoint) -> Duration {
        let mut sorted: Vec<_> = match self.times.lock().get(&endpoint) {
            Some(times) => times.iter().copied().collect(),
            None => return SOONEST,
        };
        sorted.sort_unstable();
        let late = sorted.get((sorted.len() * 95).div_ceil(100).saturating_sub(1));
        late.map_or(SOONEST, |it| SOONEST.max(*it))
    }

    /// Whether an answer takes so long that it was rather lost.
    pub(crate) fn is_unusual(&self, endpoint: Endpoint, age: Duration) -> bool {
        let times = self.times.lock();
        let known = times.get(&endpoint).filter(|it| it.len() >= ENOUGH);
        let longest = known.and_then(|it| it.iter().max());
        longest.is_some_and(|it| age >= *it * LOST_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Hedges, MOST_SAVED, REMEMBERED, SOONEST};
    use crate::Endpoint;

    #[test]
    fn no_more_than_five_in_a_hundred_are_sent_twice() {
        let hedges = Hedges::default();
        let asked = 1_000;
        let sent_twice = (0..asked).filter(|_| {
            hedges.earn();
            hedges.spend()
        });
        assert_eq!(sent_twice.count(), asked / 20);
    }

    #[test]
    fn what_is_saved_is_bounded() {
        let hedges = Hedges::default();
        for _ in 0..100_000 {
            hedges.earn();
        }
        let mut spent = 0;
        while hedges.spend() {
            spent += 1;
        }
        assert_eq!(spent, MOST_SAVED);
    }

    #[test]
    fn patience_is_what_is_usual_and_never_short() {
        let hedges = Hedges::default();
        let (quick, slow) = (Endpoint::BlocksHeight, Endpoint::Names);
        assert_eq!(hedges.patience(slow), SOONEST);
        for millis in 1..=100 {
            hedges.answered(quick, Duration::from_millis(millis));
            hedges.answered(slow, Duration::from_millis(10 * millis));
        }
        assert_eq!(hedges.patience(quick), SOONEST);
        // Of the latest 64, from 370 to 1000 ms, the 61st.
        assert_eq!(REMEMBERED, 64);
        assert_eq!(hedges.patience(slow), Duration::from_millis(970));
    }
}
