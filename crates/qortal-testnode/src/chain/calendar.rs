//! Block times of a chain that is made relative to the start of a node.

use super::blocks::{seed, splitmix64};

/// Average time between two blocks in ms: 1,185 blocks a day, as on the main network.
const BLOCK_TIME: i64 = 72_900;

/// Height at the start, which the main network reached in November 2026.
pub(crate) const TIP: i64 = 2_814_207;
/// Start of the main network in ms since the epoch, by which clients recognize it.
const GENESIS: i64 = 1_593_450_000_000;
/// A start before 2025 is treated as an unset clock.
const EARLIEST_START: i64 = 1_735_689_600_000;
/// Number of blocks before the start that are [`BLOCK_TIME`] apart, for 150 days. Older blocks are spread over the years.
const RECENT: i64 = 150 * 1_185;
/// Age of the newest block at the start, in ms.
const TIP_AGE: i64 = 30_000;
/// Maximum deviation of a block from its scheduled time, in ms. Two blocks are half a minute to two minutes apart.
const JITTER: i64 = 21_400;
/// The sequence of the jitter.
const SEQUENCE: u64 = 114;
/// Number of newest blocks without transactions. Younger transactions are unconfirmed.
pub(crate) const QUIET: i64 = 2;

/// The start of the simulation, the reference point of all the chain's times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Calendar {
    start: i64,
}

impl Calendar {
    /// Creates a calendar from the machine's time in ms since the epoch.
    pub(crate) fn at(now: i64) -> Self {
        Self {
            start: now.max(EARLIEST_START),
        }
    }

    /// Returns the node's time at the start, in ms since the epoch.
    pub(crate) fn start(self) -> i64 {
        self.start
    }

    /// Returns the timestamp of the block at a height, including future ones.
    pub(crate) fn time(self, height: i64) -> i64 {
        let first = TIP - RECENT;
        if height < first {
            return GENESIS + (height - 1) * self.early_pace();
        }
        self.evenly(height) + number(height) % (2 * JITTER) - JITTER
    }

    fn evenly(self, height: i64) -> i64 {
        self.start - TIP_AGE - (TIP - height) * BLOCK_TIME
    }

    /// Returns the height of the newest block at or before a time, or 0 before the first block.
    pub(crate) fn height_at(self, time: i64) -> i64 {
        let first = TIP - RECENT;
        let mut height = if time < self.time(first) {
            (time - GENESIS).div_euclid(self.early_pace()) + 1
        } else {
            TIP - (self.start - TIP_AGE - time).div_euclid(BLOCK_TIME)
        };
        while self.time(height + 1) <= time {
            height += 1;
        }
        while height > 0 && self.time(height) > time {
            height -= 1;
        }
        height.max(0)
    }

    /// Converts a time from a chain with another start. Recent times keep their distance to the start, older ones their block.
    pub(crate) fn moved(self, time: i64, from: Self) -> i64 {
        let first = TIP - RECENT;
        if time >= from.time(first) {
            return time + self.start - from.start;
        }
        let passed = i128::from(time - GENESIS) * i128::from(self.early_pace());
        GENESIS + i64::try_from(passed / i128::from(from.early_pace())).unwrap_or_default()
    }

    /// Returns the time between two of the blocks that are spread over the years.
    fn early_pace(self) -> i64 {
        let first = TIP - RECENT;
        (self.evenly(first) - GENESIS) / (first - 1)
    }
}

/// Returns the number at a position in a pseudo-random sequence (SplitMix64).
fn number(place: i64) -> i64 {
    i64::try_from(splitmix64(seed(place, SEQUENCE)) >> 1).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Calendar, GENESIS, RECENT, TIP};

    const NOW: i64 = 1_795_370_000_000;
    const DAY: i64 = 86_400_000;

    #[test]
    fn blocks_come_every_73_seconds_with_a_spread() {
        let chain = Calendar::at(NOW);
        let height = chain.height_at(NOW - DAY);
        assert!((1_184..=1_186).contains(&(TIP - height)), "{height}");
        let gaps = (TIP - 10_000..TIP + 100).map(|it| chain.time(it + 1) - chain.time(it));
        let (least, most) = gaps.fold((DAY, 0), |(least, most), gap| {
            (gap.min(least), gap.max(most))
        });
        assert!((30_000..35_000).contains(&least), "{least}");
        assert!((110_000..120_000).contains(&most), "{most}");
        // The average since the genesis is shorter.
        let early = (chain.time(2_000_000) - GENESIS) / 2_000_000;
        assert!((71_000..72_500).contains(&early), "{early}");
    }

    #[test]
    fn heights_and_times_are_the_same_order() {
        let chain = Calendar::at(NOW);
        assert_eq!(chain.time(1), GENESIS);
        let age = NOW - chain.time(TIP);
        assert!((8_000..=52_000).contains(&age), "{age}");
        let ranges = [
            1..2_000,
            TIP - RECENT - 1_000..TIP - RECENT + 1_000,
            TIP - 3_000..TIP + 100,
        ];
        for height in ranges.into_iter().flatten() {
            let time = chain.time(height);
            assert!(time < chain.time(height + 1), "{height}");
            assert_eq!(chain.height_at(time), height);
            assert_eq!(chain.height_at(time - 1), height - 1);
        }
        assert_eq!(chain.height_at(GENESIS - 1), 0);
    }

    #[test]
    fn the_height_at_the_start_is_always_the_same() {
        for later in 0..40 {
            let chain = Calendar::at(NOW + later * 7 * DAY + later * 1_234);
            assert_eq!(chain.height_at(chain.start()), TIP);
        }
        assert!(Calendar::at(0).time(2) > GENESIS);
    }

    #[test]
    fn moved_times_stay_in_their_blocks() {
        let from = Calendar::at(NOW);
        for later in [0, 12_345, 40 * DAY, 700 * DAY + 1, -300 * DAY] {
            let to = Calendar::at(NOW + later);
            for height in [1, 2, 500_000, TIP - RECENT - 1, TIP - RECENT, TIP - 7, TIP] {
                assert_eq!(
                    to.moved(from.time(height), from),
                    to.time(height),
                    "{height}"
                );
                let within = to.moved(from.time(height) + 1_000, from);
                assert!((to.time(height)..to.time(height + 1)).contains(&within));
            }
        }
    }
}
