//! The budget of late requests that a second node receives as well.

use parking_lot::Mutex;

/// Of so many requests, one may be sent twice: 5 in a hundred.
const REQUESTS_A_HEDGE: u32 = 20;

/// How many of these may be saved up for a moment in which many are late.
const MOST_SAVED: u32 = 20;

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
