//! What the demo draws instead of throwing dice: numbers, keys and signatures that are the same in every run.

use crate::chain::drawn;
use crate::codec::account_address;

const LETTERS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// What is drawn. Each kind has a sequence of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Person = 101,
    RewardShare,
    Transaction,
    Payment,
    Deal,
    Contract,
    TradeKey,
    Chat,
    Order,
    Name,
    Group,
    Vote,
    Qdn,
    Block,
    Minting,
    Node,
}

/// A sequence of numbers.
#[derive(Debug, Clone)]
pub(super) struct Dice {
    kind: Kind,
    next: i64,
}

impl Dice {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, next: 0 }
    }

    /// A number from 0 to below `end`.
    pub(super) fn below(&mut self, end: i64) -> i64 {
        self.next += 1;
        number(self.kind, self.next).rem_euclid(end.max(1))
    }

    /// A number of a range, both ends included.
    pub(super) fn within(&mut self, first: i64, last: i64) -> i64 {
        first + self.below(last - first + 1)
    }

    /// One of several.
    pub(super) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        let place = usize::try_from(self.below(wide(of.len()))).unwrap_or_default();
        *of.get(place).expect("the place is below the length")
    }
}

/// The number at a place of the sequence of a kind.
///
/// These are drawn by the thousand: SplitMix64 without a list of bytes.
pub(super) fn number(kind: Kind, place: i64) -> i64 {
    let mut word = place.unsigned_abs().wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (kind as u64) << 32;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    i64::try_from((word ^ (word >> 31)) >> 1).unwrap_or_default()
}

/// A count as a number.
pub(super) fn wide(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Base58 of 64 bytes, without the work of encoding them: of 88 letters the first counts 1.
pub(super) fn signature(kind: Kind, place: i64) -> String {
    letters(kind, place, 88)
}

/// Base58 of 20 bytes, the hash of a public key or of a secret on another blockchain.
pub(super) fn hash160(kind: Kind, place: i64) -> String {
    letters(kind, place, 27)
}

/// Base58 of 32 bytes, a public key or a digest.
pub(super) fn digest(kind: Kind, place: i64) -> String {
    letters(kind, place, 44)
}

fn letters(kind: Kind, place: i64, length: usize) -> String {
    let drawn = drawn(place, kind as u64 + 1_000, length - 1);
    let letters = drawn
        .iter()
        .filter_map(|byte| LETTERS.get(usize::from(*byte) % LETTERS.len()));
    std::iter::once('2')
        .chain(letters.map(|letter| char::from(*letter)))
        .collect()
}

/// An address that no one has the key of.
pub(super) fn address(kind: Kind, place: i64) -> String {
    account_address(hash(kind, place))
}

/// The hash in an address.
pub(super) fn hash(kind: Kind, place: i64) -> [u8; 20] {
    drawn(place, kind as u64 + 2_000, 20)
        .try_into()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Dice, Kind, address, digest, hash160, signature};
    use crate::codec::{base58_decode, is_address};

    #[test]
    fn texts_are_base58_of_the_right_length() {
        for place in 0..200 {
            let length = |text: String| base58_decode(&text).unwrap().len();
            assert_eq!(length(signature(Kind::Chat, place)), 64);
            assert_eq!(length(digest(Kind::Chat, place)), 32);
            assert_eq!(length(hash160(Kind::Chat, place)), 20);
            assert!(is_address(&address(Kind::Chat, place)));
        }
    }

    #[test]
    fn dice_fall_the_same_each_time_and_within_their_bounds() {
        let throw = || {
            let mut dice = Dice::new(Kind::Deal);
            std::iter::repeat_with(|| dice.within(3, 9))
                .take(100)
                .collect::<Vec<_>>()
        };
        assert_eq!(throw(), throw());
        assert!((3..=9).all(|side| throw().contains(&side)));
        assert!(throw().iter().all(|side| (3..=9).contains(side)));
    }
}
