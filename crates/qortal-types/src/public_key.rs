//! The public key of an account.

use crate::{Address, base58::base58_newtype};

base58_newtype! {
    /// An Ed25519 public key of 32 bytes. Its Base58 form has 43 or 44 characters, or fewer if it starts with zero bytes.
    ///
    /// ```
    /// let key: qortal_types::PublicKey = "49zX6u55gUqTNPopBkfiATpZ4r4KwXhi27KChcbUCudg".parse()?;
    /// assert_eq!(key.address().as_str(), "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD");
    /// # Ok::<(), qortal_types::Base58Error>(())
    /// ```
    PublicKey, 32, "a public key (Base58 of 32 bytes)"
}

impl PublicKey {
    /// Returns the address of the account with this key, derived as in the Core's class `Crypto`.
    #[must_use]
    pub fn address(&self) -> Address {
        Address::of_public_key(self)
    }
}
