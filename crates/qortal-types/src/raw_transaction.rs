//! Serialized transactions, the form in which they are signed and sent.

mod layout;
mod reader;

use serde::{Serialize, Serializer, ser::SerializeMap};
use thiserror::Error;

use crate::{
    Address, Amount, Base58Error, PublicKey, Signature, Timestamp, TransactionType, base58,
    raw_transaction::{layout::layout, reader::Reader},
};

/// A transaction parsed from its bytes, without a node (the Core's package `org.qortal.transform.transaction`).
///
/// The transaction may be unsigned. Nothing is verified: neither the signature nor whether the chain would accept the transaction.
/// serde writes it like the Core, without the fields that only the chain can provide.
///
/// Layouts are for the main network. Two of them changed once, [`Arbitrary`](TransactionType::Arbitrary) and
/// [`Chat`](TransactionType::Chat), so bytes from another network around the time of these changes may be rejected.
///
/// ```
/// use qortal_types::{RawTransaction, TransactionType};
///
/// let raw = "1112FnMwF1x8ZcycFhCzvfMg4EMr454i32vEjPg1tJobN1f7SoYhwXJLECaMurTXU7xNdZ35THG5J69UoJciA5HtC7P7jYcmuVaC7D4mrbo6NwKyjqa4NnKD43ktrmiiFD3r2UAPQCqZAgJdGqEQ8usnwt2DCbz7zNYiakxBnJ5EhoEi9w9JM3MQjGJDhD52hC2bHKKP6CsaECHwrNV7gWx6oE9ypAf2aggf2thZEj4ZtbwPmavhhSfKFpuu547Jfy6TCULXgqymAC3oxLFnKiXmoP2t2C1BkGocf6K";
/// let payment: RawTransaction = raw.parse()?;
/// assert_eq!(payment.transaction_type, TransactionType::Payment);
/// assert_eq!(payment.fee.to_string(), "0.01000000");
/// assert!(payment.signature.is_some());
/// # Ok::<(), qortal_types::RawTransactionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RawTransaction {
    /// The type of the transaction.
    pub transaction_type: TransactionType,
    /// The creation time.
    pub timestamp: Timestamp,
    /// The group ID of the transaction. 0 means no group.
    pub group_id: u32,
    /// The signature of another transaction of the creator, or any other bytes of the same length.
    pub reference: Signature,
    /// The creator's public key. It is all zeros for transactions of automated transactions.
    pub creator: PublicKey,
    /// The fields of this type under the Core's names, in byte order.
    pub members: Vec<(&'static str, RawValue)>,
    /// The fee.
    pub fee: Amount,
    /// The unverified signature, or `None` if the transaction is unsigned.
    pub signature: Option<Signature>,
    /// The Core's name for the creator's key; some types have none.
    creator_name: Option<&'static str>,
}

/// A field of a [`RawTransaction`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RawValue {
    /// Text that the creator chose, or the Core's name for a number.
    Text(String),
    /// A number.
    Integer(i64),
    /// A boolean.
    Flag(bool),
    /// An amount.
    Amount(Amount),
    /// A percentage in hundredths of a percent.
    Percent(i64),
    /// An address.
    Address(Address),
    /// Bytes of a key, a signature or data, which serde writes in Base58.
    Bytes(Vec<u8>),
    /// A list of entries of the same kind, each with its own fields.
    List(Vec<Vec<(&'static str, RawValue)>>),
}

/// An error parsing a transaction.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RawTransactionError {
    /// The text is not Base58.
    #[error(transparent)]
    Base58(#[from] Base58Error),
    /// The text exceeds the limit for decoding, which takes quadratic time.
    #[error("{characters} characters exceed the limit of {limit}")]
    TooLong {
        /// The number of characters in the text.
        characters: usize,
        /// The maximum number of characters.
        limit: usize,
    },
    /// The bytes do not begin with the number of a known type.
    #[error("they begin with {number}, which is not the number of a transaction type")]
    UnknownType {
        /// The number at the start.
        number: i32,
    },
    /// Transactions of this type are never serialized.
    #[error(
        "they begin like a transaction of type {transaction_type}, which the Core does not serialize"
    )]
    NeverSerialized {
        /// The transaction type.
        transaction_type: TransactionType,
    },
    /// The bytes end too early.
    #[error("they end after {found} bytes, within {member}")]
    Truncated {
        /// The field that is incomplete.
        member: &'static str,
        /// The number of bytes found.
        found: usize,
    },
    /// A field has an invalid value.
    #[error("{member}, which begins at byte {position}, {problem}")]
    Invalid {
        /// The field.
        member: &'static str,
        /// The position of the field's first byte, counted from 0.
        position: usize,
        /// The reason the value is invalid.
        problem: &'static str,
    },
    /// The bytes continue after the end of the transaction.
    #[error(
        "{found} bytes follow, expected a signature of {} bytes or nothing",
        Signature::BYTES
    )]
    Excess {
        /// The number of bytes after the last field.
        found: usize,
    },
}

impl RawTransaction {
    /// Maximum number of characters that [`FromStr`](std::str::FromStr) accepts, about 12 kB of data. Only transactions that create
    /// an asset with much data, create a poll with long options, or hold hundreds of payments are longer.
    pub const MAX_CHARACTERS: usize = 16_384;

    /// Parses the bytes of a signed or unsigned transaction.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not exactly one transaction of a known layout.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RawTransactionError> {
        let mut reader = Reader::new(bytes);
        let number = reader.int("the type")?;
        let transaction_type = u32::try_from(number)
            .ok()
            .and_then(TransactionType::from_id)
            .ok_or(RawTransactionError::UnknownType { number })?;
        let timestamp = Timestamp::from_millis(reader.long("timestamp")?);
        let Some(layout) = layout(&transaction_type, timestamp) else {
            return Err(RawTransactionError::NeverSerialized { transaction_type });
        };
        let (group_id, reference, creator) = if layout.is_of_a_person {
            let group_id = reader.count("txGroupId", i32::MAX)?;
            let reference = reader.array("reference")?;
            (group_id, reference, reader.array("the creator's key")?)
        } else {
            (0, reader.array("reference")?, [0; PublicKey::BYTES])
        };
        let mut members = Vec::new();
        reader.members(layout.members, &mut members)?;
        let fee = reader.amount("fee")?;
        reader.members(layout.after_fee, &mut members)?;
        Ok(Self {
            creator_name: layout.creator,
            transaction_type,
            timestamp,
            group_id,
            reference: Signature::from_bytes(reference),
            creator: PublicKey::from_bytes(creator),
            members,
            fee,
            signature: reader.signature()?.map(Signature::from_bytes),
        })
    }

    /// Returns a field by the Core's name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&RawValue> {
        let found = self.members.iter().find(|(member, _)| *member == name);
        found.map(|(_, value)| value)
    }
}

impl std::str::FromStr for RawTransaction {
    type Err = RawTransactionError;

    /// Parses the Base58 form that nodes and wallets exchange.
    fn from_str(text: &str) -> Result<Self, RawTransactionError> {
        if text.is_empty() {
            return Err(Base58Error::Empty.into());
        }
        if text.len() > Self::MAX_CHARACTERS {
            return Err(RawTransactionError::TooLong {
                characters: text.chars().count(),
                limit: Self::MAX_CHARACTERS,
            });
        }
        Self::from_bytes(&base58::decode(text)?)
    }
}

impl Serialize for RawTransaction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.transaction_type.as_str())?;
        map.serialize_entry("timestamp", &self.timestamp)?;
        map.serialize_entry("reference", &self.reference)?;
        map.serialize_entry("fee", &self.fee)?;
        if let Some(signature) = &self.signature {
            map.serialize_entry("signature", signature)?;
        }
        map.serialize_entry("txGroupId", &self.group_id)?;
        map.serialize_entry("creatorAddress", &self.creator.address())?;
        if let Some(name) = self.creator_name {
            map.serialize_entry(name, &self.creator)?;
        }
        for (name, value) in &self.members {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for RawValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Amount(amount) => amount.serialize(serializer),
            Self::Percent(hundredths) => {
                let sign = if *hundredths < 0 { "-" } else { "" };
                let size = hundredths.unsigned_abs();
                serializer.collect_str(&format_args!("{sign}{}.{:02}", size / 100, size % 100))
            }
            Self::Address(address) => address.serialize(serializer),
            Self::Bytes(bytes) => serializer.serialize_str(&base58::encode(bytes)),
            Self::List(items) => {
                serializer.collect_seq(items.iter().map(|item| Members(item.as_slice())))
            }
        }
    }
}

/// The members of one item of a list.
struct Members<'a>(&'a [(&'static str, RawValue)]);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(test)]
mod tests;
