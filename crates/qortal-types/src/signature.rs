//! Signatures, which identify transactions and blocks.

use crate::base58::base58_newtype;

base58_newtype! {
    /// A transaction's signature of 64 bytes, 86 to 88 Base58 characters. It identifies the transaction, and the creator's next
    /// transaction refers to it.
    Signature, 64, "a signature (Base58 of 64 bytes)"
}

base58_newtype! {
    /// A block's signature: 64 bytes of the minter's signature and 64 bytes of the transactions' signature, 172 to 175 Base58
    /// characters.
    BlockSignature, 128, "a block signature (Base58 of 128 bytes)"
}
