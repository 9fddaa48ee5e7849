#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod address;
mod amount;
mod base58;
mod blockchain;
pub mod main_net;
mod name;
mod number;
mod open_enum;
mod public_key;
mod raw_transaction;
mod service;
mod signature;
#[cfg(test)]
mod tests;
mod text;
mod timestamp;
mod transaction_type;

pub use address::{Address, AddressError, AddressKind};
pub use amount::{Amount, AmountError};
pub use base58::Base58Error;
pub use blockchain::Blockchain;
pub use name::{Name, NameError, Reduced};
pub use number::{AssetId, Height};
pub use open_enum::UnknownValue;
pub use public_key::PublicKey;
pub use raw_transaction::{RawTransaction, RawTransactionError, RawValue};
pub use service::Service;
pub use signature::{BlockSignature, Signature};
#[doc(hidden)]
pub use text::{deserialize_with as read_text, is_code};
pub use timestamp::{Timestamp, TimestampError};
pub use transaction_type::TransactionType;
