//! Base58 of a known number of bytes, and the newtypes made of it.

mod groups;

use std::fmt;

use thiserror::Error;

pub(crate) use self::groups::encode;

/// Why a text is not the Base58 form of a key or signature.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Base58Error {
    /// The text is empty.
    #[error("the text is empty")]
    Empty,
    /// A character is not in the Base58 alphabet, which leaves out `0`, `O`, `I` and `l`.
    #[error("{character:?} at position {position} is not a Base58 character")]
    Alphabet {
        /// The first character that is not allowed.
        character: char,
        /// Its place, counted in characters from 1.
        position: usize,
    },
    /// The text is longer than any value of this kind can be; it was not decoded.
    #[error("{characters} characters are more than the {limit} that {expected} bytes can take")]
    TooLong {
        /// How many characters the text has.
        characters: usize,
        /// How many it may have.
        limit: usize,
        /// How many bytes the value has.
        expected: usize,
    },
    /// The text encodes another number of bytes.
    #[error("it stands for {found} bytes instead of {expected}")]
    Length {
        /// How many bytes the text encodes.
        found: usize,
        /// How many bytes the value has.
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
    groups::decode(text.as_bytes()).ok_or_else(|| {
        let is_digit = |it: char| u8::try_from(it).is_ok_and(|it| groups::value(it).is_some());
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

/// Declares a public newtype over [`Base58`] with the same text form in `Display`, `FromStr` and serde.
macro_rules! base58_newtype {
    ($(#[$doc:meta])* $name:ident, $bytes:literal, $expecting:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name($crate::base58::Base58<$bytes>);

        impl $name {
            /// How many bytes it has.
            pub const BYTES: usize = $bytes;

            /// Takes the raw bytes.
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
