//! When things happen in the demo: all of it is told as a time before the start, and the heights follow from that.

use super::draw::{Kind, number};

pub(super) const MINUTE: i64 = 60_000;
pub(super) const HOUR: i64 = 60 * MINUTE;
pub(super) const DAY: i64 = 24 * HOUR;

/// The height at the start. The main network reached it in November 2026.
pub(super) const TIP: i64 = 2_814_207;
/// When the main network began, in ms since the epoch; by that, clients recognize it.
pub(super) const GENESIS: i64 = 1_593_450_000_000;
/// A start before 2025 is taken for a clock that is not set.
const EARLIEST_START: i64 = 1_735_689_600_000;
/// Blocks before the start that come about once a minute; older ones are spread over the years.
const RECENT: i64 = 150 * 24 * 60;
/// How old the newest block is at the start.
const TIP_AGE: i64 = 20_000;
/// How much sooner or later than that a block may come, in ms.
const JITTER: i64 = 12_000;
/// The newest blocks, which have no transactions: what is younger than these waits.
pub(super) const QUIET: i64 = 2;

/// The moment at which the demo starts, from which all its times are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Demo {
    pub(super) start: i64,
}

impl Demo {
    /// `now` is the time of the machine in ms since the epoch.
    pub(crate) fn at(now: i64) -> Self {
        Self {
            start: now.max(EARLIEST_START),
        }
    }

    /// The node's time at the start, in ms since the epoch.
    pub(crate) fn start(self) -> i64 {
        self.start
    }

    /// The moment so many ms before the start.
    pub(super) fn before(self, ago: i64) -> i64 {
        self.start - ago
    }

    /// The timestamp of the block at a height, also of one to come.
    pub(crate) fn time(self, height: i64) -> i64 {
        let first = TIP - RECENT;
        if height < first {
            let years = self.evenly(first) - GENESIS;
            return GENESIS + (height - 1) * (years / (first - 1));
        }
        self.evenly(height) + number(Kind::Block, height) % (2 * JITTER) - JITTER
    }

    fn evenly(self, height: i64) -> i64 {
        self.start - TIP_AGE - (TIP - height) * MINUTE
    }

    /// The height of the newest block that is not younger than a moment; 0 before the first one.
    pub(crate) fn height_at(self, time: i64) -> i64 {
        let first = TIP - RECENT;
        let mut height = match time < self.time(first) {
            true => {
                let years = self.evenly(first) - GENESIS;
                (time - GENESIS).div_euclid(years / (first - 1)) + 1
            }
            false => TIP - (self.start - TIP_AGE - time).div_euclid(MINUTE),
        };
        while self.time(height + 1) <= time {
            height += 1;
        }
        while height > 0 && self.time(height) > time {
            height -= 1;
        }
        height.max(0)
    }

    /// The height of the block that takes in what happened so many ms before the start.
    pub(super) fn height_after(self, ago: i64) -> i64 {
        self.height_at(self.before(ago)) + 1
    }

    /// The timestamp of that block.
    pub(super) fn block_time_after(self, ago: i64) -> i64 {
        self.time(self.height_after(ago))
    }
}

#[cfg(test)]
mod tests {
    use super::{DAY, Demo, GENESIS, RECENT, TIP};

    const NOW: i64 = 1_795_370_000_000;

    #[test]
    fn heights_and_times_are_the_same_order() {
        let demo = Demo::at(NOW);
        assert_eq!(demo.time(1), GENESIS);
        let age = NOW - demo.time(TIP);
        assert!((8_000..=32_000).contains(&age), "{age}");
        let ranges = [
            1..2_000,
            TIP - RECENT - 1_000..TIP - RECENT + 1_000,
            TIP - 3_000..TIP + 100,
        ];
        for height in ranges.into_iter().flatten() {
            let time = demo.time(height);
            assert!(time < demo.time(height + 1), "{height}");
            assert_eq!(demo.height_at(time), height);
            assert_eq!(demo.height_at(time - 1), height - 1);
        }
        assert_eq!(demo.height_at(GENESIS - 1), 0);
    }

    #[test]
    fn the_height_at_the_start_is_always_the_same() {
        for later in 0..40 {
            let demo = Demo::at(NOW + later * 7 * DAY + later * 1_234);
            assert_eq!(demo.height_at(demo.start()), TIP);
        }
        assert!(Demo::at(0).time(2) > GENESIS);
    }
}
