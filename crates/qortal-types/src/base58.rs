//! Base58 values of a fixed number of bytes, and the newtypes built on them.

use std::fmt;

use thiserror::Error;

/// The Bitcoin alphabet, in the order of its values.
const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/// Digits of a group, and how many values they have: the most below 2³².
const GROUP_DIGITS: usize = 5;
const GROUP: u64 = 58_u64.pow(5);
/// What is no digit.
const NONE: u8 = u8::MAX;
/// The value of each byte as a digit.
static VALUES: [u8; 256] = values();

/// An error parsing the Base58 form of a key or signature.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Base58Error {
    /// The text is empty.
    #[error("the string is empty")]
    Empty,
    /// A character is not in the Base58 alphabet, which excludes `0`, `O`, `I` and `l`.
    #[error("{character:?} at position {position} is not a Base58 character")]
    Alphabet {
        /// The first invalid character.
        character: char,
        /// The position of the character, counted in characters from 1.
        position: usize,
    },
    /// The text is longer than any value of this kind, and was not decoded.
    #[error("{characters} characters exceed the limit of {limit} for {expected} bytes")]
    TooLong {
        /// The number of characters in the text.
        characters: usize,
        /// The maximum number of characters.
        limit: usize,
        /// The number of bytes of the value.
        expected: usize,
    },
    /// The text encodes the wrong number of bytes.
    #[error("it encodes {found} bytes instead of {expected}")]
    Length {
        /// The number of bytes that the text encodes.
        found: usize,
        /// The number of bytes of the value.
        expected: usize,
    },
}

/// `N` bytes that are written in Base58 with the Bitcoin alphabet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Base58<const N: usize>(pub(crate) [u8; N]);

impl<const N: usize> Base58<N> {
    /// One byte needs log 256 / log 58 ≈ 1.366 characters; decoding is quadratic, so longer text is refused unread.
    const MAX_CHARACTERS: usize = N * 138 / 100 + 1;

    pub(crate) fn parse(text: &str) -> Result<Self, Base58Error> {
        if text.is_empty() {
            return Err(Base58Error::Empty);
        }
        if text.len() > Self::MAX_CHARACTERS {
            let characters = text.chars().count();
            if characters > Self::MAX_CHARACTERS {
                return Err(Base58Error::TooLong {
                    characters,
                    limit: Self::MAX_CHARACTERS,
                    expected: N,
                });
            }
        }
        let bytes = decode(text)?;
        let found = bytes.len();
        match bytes.try_into() {
            Ok(bytes) => Ok(Self(bytes)),
            Err(_) => Err(Base58Error::Length { found, expected: N }),
        }
    }
}

impl<const N: usize> fmt::Display for Base58<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&encode(&self.0))
    }
}

/// Decodes text whose length the caller has bounded.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, Base58Error> {
    bytes_of(text.as_bytes()).ok_or_else(|| {
        let is_digit = |it: char| u8::try_from(it).is_ok_and(|it| value(it).is_some());
        let (before, character) = text
            .chars()
            .enumerate()
            .find(|(_, character)| !is_digit(*character))
            .expect("a byte that is no digit belongs to a character that is none");
        Base58Error::Alphabet {
            character,
            position: before + 1,
        }
    })
}

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "there are 58 digits, each of which is a byte"
)]
const fn values() -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < DIGITS.len() {
        values[DIGITS[at] as usize] = at as u8;
        at += 1;
    }
    values
}

/// The value of a byte as a digit, if it is one.
fn value(digit: u8) -> Option<u8> {
    let value = VALUES.get(usize::from(digit)).copied();
    value.filter(|it| *it != NONE)
}

/// The text of some bytes. Each leading zero byte is a leading `1`.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let zeros = bytes.iter().take_while(|it| **it == 0).count();
    let rest = bytes.get(zeros..).unwrap_or_default();
    // Groups of digits, the least significant first.
    let mut groups: Vec<u32> = Vec::with_capacity(rest.len() * 7 / 25 + 2);
    let (head, words) = rest.split_at(rest.len() % 4);
    let head = head.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    append(&mut groups, head, 0);
    for word in words.as_chunks::<4>().0 {
        append(&mut groups, u64::from(u32::from_be_bytes(*word)), 32);
    }

    let mut text = String::with_capacity(zeros + groups.len() * GROUP_DIGITS);
    text.extend(std::iter::repeat_n('1', zeros));
    for (place, group) in groups.iter().rev().enumerate() {
        let mut group = *group;
        let mut digits = [b'1'; GROUP_DIGITS];
        for digit in digits.iter_mut().rev() {
            let value = usize::try_from(group % 58).unwrap_or_default();
            *digit = DIGITS.get(value).copied().unwrap_or_default();
            group /= 58;
        }
        let leading = digits.iter().take_while(|it| **it == b'1').count();
        let first = if place == 0 { leading } else { 0 };
        text.extend(digits.iter().skip(first).map(|it| char::from(*it)));
    }
    text
}

/// Appends a word of so many bits to a number in groups.
fn append(groups: &mut Vec<u32>, word: u64, bits: u32) {
    let mut carry = word;
    for group in &mut *groups {
        let sum = (u64::from(*group) << bits) + carry;
        *group = low(sum % GROUP);
        carry = sum / GROUP;
    }
    while carry > 0 {
        groups.push(low(carry % GROUP));
        carry /= GROUP;
    }
}

/// The bytes of a text; `None` if one of its bytes is no digit.
fn bytes_of(text: &[u8]) -> Option<Vec<u8>> {
    let zeros = text.iter().take_while(|it| **it == b'1').count();
    let rest = text.get(zeros..).unwrap_or_default();
    // Words of 32 bits, the least significant first.
    let mut words: Vec<u32> = Vec::with_capacity(rest.len() * 3 / 16 + 1);
    let (head, groups) = rest.split_at(rest.len() % GROUP_DIGITS);
    let head = (head, 58_u64.pow(u32::try_from(head.len()).ok()?));
    let groups = groups.as_chunks::<GROUP_DIGITS>().0;
    for (group, factor) in [head]
        .into_iter()
        .chain(groups.iter().map(|it| (&it[..], GROUP)))
    {
        let mut carry = 0;
        for digit in group {
            carry = carry * 58 + u64::from(value(*digit)?);
        }
        for word in &mut words {
            let sum = u64::from(*word) * factor + carry;
            *word = low(sum);
            carry = sum >> 32;
        }
        if carry > 0 {
            words.push(low(carry));
        }
    }

    let mut bytes = vec![0; zeros];
    bytes.reserve(words.len() * 4);
    for (place, word) in words.iter().rev().enumerate() {
        let word = word.to_be_bytes();
        let leading = word.iter().take_while(|it| **it == 0).count();
        let first = if place == 0 { leading } else { 0 };
        bytes.extend(word.iter().skip(first));
    }
    Some(bytes)
}

/// The lower half.
const fn low(value: u64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Declares a public newtype over [`Base58`] with the same text form in `Display`, `FromStr` and serde.
macro_rules! base58_newtype {
    ($(#[$doc:meta])* $name:ident, $bytes:literal, $expecting:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name($crate::base58::Base58<$bytes>);

        impl $name {
            /// The number of bytes of the value.
            pub const BYTES: usize = $bytes;

            /// Creates the value from its raw bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; $bytes]) -> Self {
                Self($crate::base58::Base58(bytes))
            }

            /// Returns the raw bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; $bytes] {
                &self.0.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::base58::Base58Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::base58::Base58::parse(text).map(Self)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::text::deserialize(deserializer, $expecting)
            }
        }
    };
}
pub(crate) use base58_newtype;

#[cfg(test)]
mod tests;
