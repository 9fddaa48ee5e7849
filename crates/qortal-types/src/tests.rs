//! Numbers for property loops: the same ones in every run, told apart by a seed.

/// The seed of every loop; a failing assertion names it together with the case.
pub(crate) const SEED: u64 = 0x51_0A_74_A1;

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new() -> Self {
        Self(SEED)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap();
        usize::try_from(self.next() % limit).unwrap()
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.next().to_le_bytes()[0])
    }

    /// Text of up to `limit` characters, half of them from the alphabet that the reader under test likes.
    pub(crate) fn text(&mut self, limit: usize, alphabet: &[char]) -> String {
        const STRANGE: &[char] = &[
            '\0',
            '\n',
            '\t',
            ' ',
            '\u{200B}',
            '\u{301}',
            'é',
            'ß',
            'İ',
            '日',
            '😀',
            '\u{202E}',
            '\u{10FFFF}',
            'ﷺ',
            'ㄱ',
        ];
        (0..self.below(limit + 1))
            .map(|_| {
                if self.below(4) > 0 {
                    self.pick(alphabet)
                } else {
                    self.pick(STRANGE)
                }
            })
            .collect()
    }
}
