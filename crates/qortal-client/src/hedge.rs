//! How many requests are sent to a second node as well: few of those that are late.

use std::sync::atomic::{AtomicU32, Ordering};

/// Of so many requests, one may be sent twice: 5 in a hundred.
const REQUESTS_A_HEDGE: u32 = 20;

/// How many of these may be saved up for a moment in which many are late.
const MOST_SAVED: u32 = 20;

/// How many requests may still be sent twice.
#[derive(Debug, Default)]
pub(crate) struct Hedges {
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
}

#[cfg(test)]
mod tests {
    use super::{Hedges, MOST_SAVED};

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
}
