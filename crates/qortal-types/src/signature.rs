//! Signatures, which are also the identifiers of transactions and blocks.

use crate::base58::base58_newtype;

base58_newtype! {
    /// A transaction's signature, its identifier and what the next one refers to: 64 bytes, 86 to 88 Base58 characters.
    Signature, 64, "a signature (Base58 of 64 bytes)"
}

base58_newtype! {
    /// A block's signature: the minter's 64 bytes and the transactions' 64 bytes, 172 to 175 Base58 characters.
    BlockSignature, 128, "a block signature (Base58 of 128 bytes)"
}
