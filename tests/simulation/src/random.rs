//! Everything that is random, from one seed.

use std::{ops::Range, time::Duration};

/// SplitMix64 (Steele, Lea and Flood, 2014): short, and the same everywhere.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Another source of its own, so that what one part draws does not change what another does.
    pub(crate) const fn fork(&mut self) -> Self {
        Self(self.next())
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number of the range; its start if it is empty.
    pub(crate) fn within(&mut self, range: Range<u64>) -> u64 {
        let count = range.end.saturating_sub(range.start).max(1);
        range.start + self.next() % count
    }

    pub(crate) fn index(&mut self, range: Range<usize>) -> usize {
        let Range { start, end } = range;
        let offset = self.within(0..(end - start) as u64);
        start + usize::try_from(offset).unwrap_or_default()
    }

    /// True in so many of a hundred cases.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.within(0..100) < chance
    }

    pub(crate) fn millis(&mut self, range: Range<u64>) -> Duration {
        Duration::from_millis(self.within(range))
    }

    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        let index = self.index(0..choices.len());
        choices
            .get(index)
            .expect("there is something to choose from")
    }
}
