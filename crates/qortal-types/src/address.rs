//! Addresses of accounts and of automated transactions.

use std::{fmt, ops::RangeInclusive, str};

use ripemd::Ripemd160;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::{Base58Error, PublicKey, Signature, base58, text};

/// Version byte of accounts (class `Crypto`).
const ACCOUNT_VERSION: u8 = 58;
/// Version byte of automated transactions (class `Crypto`).
const AT_VERSION: u8 = 23;
/// Version byte of network node identifiers, which look like addresses but are none.
const NODE_VERSION: u8 = 53;

/// Characters of an address: with these version bytes 25 bytes always take 34.
const CHARACTERS: usize = 34;
const HASH_BYTES: usize = 20;
const CHECKSUM_BYTES: usize = 4;
const BYTES: usize = 1 + HASH_BYTES + CHECKSUM_BYTES;

/// Text outside these lengths is not a mistyped address but something else, and is refused unread (decoding is quadratic).
/// Addresses of other blockchains are within, so that they can be recognized.
const PLAUSIBLE_CHARACTERS: RangeInclusive<usize> = 26..=40;

/// The kind of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the version byte of an address is one of two"
)]
pub enum AddressKind {
    /// An account with a key. The address starts with `Q`.
    Account,
    /// An automated transaction, such as a trade offer. The address starts with `A`.
    At,
}

/// An error parsing an address.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The text is too short or too long.
    #[error("an address has {CHARACTERS} characters, not {characters}")]
    Length {
        /// The number of characters in the text.
        characters: usize,
    },
    /// A character is not in the Base58 alphabet, which excludes `0`, `O`, `I` and `l`.
    #[error("{character:?} at position {position} does not occur in addresses")]
    Alphabet {
        /// The first invalid character.
        character: char,
        /// The position of the character, counted in characters from 1.
        position: usize,
    },
    /// The text is the ID of a node of the network (these start with `N`), not an address.
    #[error("this is the ID of a network node, not an address")]
    NodeId,
    /// The text starts like an address of another blockchain.
    #[error("Qortal addresses start with Q or A, version {version} belongs to something else")]
    Version {
        /// The first decoded byte. It is 58 for accounts and 23 for automated transactions.
        version: u8,
    },
    /// The checksum is wrong, so at least one character is wrong.
    #[error("the checksum does not match: a character is mistyped")]
    Checksum,
}

/// The address of an account (`Q…`) or of an automated transaction (`A…`), with a verified checksum.
///
/// Parsing is case-sensitive and rejects surrounding whitespace, as in the Core (`Crypto.isValidAddress`).
///
/// ```
/// use qortal_types::{Address, AddressError, AddressKind};
///
/// let address: Address = "ALBYQ17dXkrc7P17U9sqk3SyqCgzyAsVg8".parse()?;
/// assert_eq!(address.kind(), AddressKind::At);
/// assert_eq!("ALBYQ17dXkrc7P17U9sqk3SyqCgzyAsVg9".parse::<Address>(), Err(AddressError::Checksum));
/// # Ok::<(), AddressError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address([u8; CHARACTERS]);

impl Address {
    /// Returns the kind of the address.
    #[must_use]
    pub const fn kind(&self) -> AddressKind {
        // Each version byte allows one first character only.
        match self.0 {
            [b'A', ..] => AddressKind::At,
            _ => AddressKind::Account,
        }
    }

    /// Returns the address as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).expect("Base58 is ASCII")
    }

    /// Returns the address of the automated transaction created by this DEPLOY_AT transaction.
    #[must_use]
    pub fn of_at(deploy_at: &Signature) -> Self {
        Self::from_source(AT_VERSION, deploy_at.as_bytes())
    }

    pub(crate) fn of_public_key(public_key: &PublicKey) -> Self {
        Self::from_source(ACCOUNT_VERSION, public_key.as_bytes())
    }

    fn from_source(version: u8, source: &[u8]) -> Self {
        let hash = Ripemd160::digest(Sha256::digest(source));
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.push(version);
        bytes.extend_from_slice(&hash);
        let checksum = checksum(&bytes);
        bytes.extend_from_slice(&checksum);
        Self::from_text(&base58::encode(&bytes))
            .expect("25 bytes of these versions take 34 characters")
    }

    fn from_text(text: &str) -> Option<Self> {
        text.as_bytes().try_into().ok().map(Self)
    }
}

impl str::FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let characters = text.chars().count();
        let length = || AddressError::Length { characters };
        if !PLAUSIBLE_CHARACTERS.contains(&characters) {
            return Err(length());
        }
        let bytes = match base58::decode(text) {
            Ok(bytes) => bytes,
            Err(Base58Error::Alphabet {
                character,
                position,
            }) => {
                return Err(AddressError::Alphabet {
                    character,
                    position,
                });
            }
            Err(Base58Error::Empty | Base58Error::TooLong { .. } | Base58Error::Length { .. }) => {
                return Err(length());
            }
        };
        if bytes.len() != BYTES {
            return Err(length());
        }
        let Some((payload, found)) = bytes.split_last_chunk::<CHECKSUM_BYTES>() else {
            return Err(length());
        };
        let matches = *found == checksum(payload);
        // A lost character also changes the version; the length is then the more helpful reason.
        if !matches && characters != CHARACTERS {
            return Err(length());
        }
        match payload.first().copied() {
            Some(ACCOUNT_VERSION | AT_VERSION) if matches => {
                Self::from_text(text).ok_or_else(length)
            }
            Some(ACCOUNT_VERSION | AT_VERSION) => Err(AddressError::Checksum),
            Some(NODE_VERSION) => Err(AddressError::NodeId),
            Some(version) => Err(AddressError::Version { version }),
            None => Err(length()),
        }
    }
}

/// The first four bytes of the double SHA-256 (class `Crypto`).
fn checksum(payload: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let digest = Sha256::digest(Sha256::digest(payload));
    *digest.first_chunk().expect("a SHA-256 has 32 bytes")
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({})", self.as_str())
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text::deserialize(deserializer, "an address")
    }
}

#[cfg(test)]
mod tests;
