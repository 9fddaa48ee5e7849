//! The encodings and hashes a Qortal address is made of, small enough to be written out here:
//! the simulated node must judge addresses by itself, not with the code of the clients it tests.

mod base58;
mod base64;
mod ripemd160;
mod sha256;

pub(crate) use base58::{base58_decode, base58_encode, decimal};
pub(crate) use base64::{base64_decode, base64_encode};

use ripemd160::ripemd160;
use sha256::sha256;

/// Version byte of an account address (`Q…`).
const ACCOUNT_VERSION: u8 = 58;
/// Version byte of the address of an automated transaction (`A…`).
const AT_VERSION: u8 = 23;
/// Length of a decoded address: version, 20 bytes of hash, 4 bytes of checksum.
const ADDRESS_LENGTH: usize = 25;

/// Whether the Core's `Crypto.isValidAddress` accepts `text`: an account or AT address with the right checksum.
pub(crate) fn is_address(text: &str) -> bool {
    let Some(bytes) = base58_decode(text) else {
        return false;
    };
    let Some((payload, checksum)) = bytes.split_last_chunk::<4>() else {
        return false;
    };
    let version = payload.first().copied();
    bytes.len() == ADDRESS_LENGTH
        && (version == Some(ACCOUNT_VERSION) || version == Some(AT_VERSION))
        && sha256(&sha256(payload)).starts_with(checksum)
}

/// The account address of a public key.
pub(crate) fn address_of(public_key: &[u8]) -> String {
    let mut bytes = vec![ACCOUNT_VERSION];
    bytes.extend(ripemd160(&sha256(public_key)));
    let checksum = sha256(&sha256(&bytes));
    bytes.extend(checksum.iter().take(4));
    base58_encode(&bytes)
}

/// The public key `text` stands for, if it is Base58 of exactly 32 bytes.
pub(crate) fn public_key(text: &str) -> Option<Vec<u8>> {
    base58_decode(text).filter(|bytes| bytes.len() == 32)
}

#[cfg(test)]
mod tests {
    use super::{address_of, is_address, public_key};

    #[test]
    fn addresses_are_made_of_public_keys() {
        // Pairs computed by a Qortal Core node (`/addresses/convert`).
        let pairs = [
            (
                "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP",
                "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
            ),
            (
                "49zX6u55gUqTNPopBkfiATpZ4r4KwXhi27KChcbUCudg",
                "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD",
            ),
            (
                "BPUm9NL6L6tx3GekBJXG1puJftWc6NKfYyyzYYnWLmEy",
                "QhePS43mrUh5R5HY7qtnAEbAiig3NuTchx",
            ),
            (
                "11111111111111111111111111111111",
                "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG",
            ),
        ];
        for (key, address) in pairs {
            assert_eq!(address_of(&public_key(key).unwrap()), address);
            assert!(is_address(address));
        }
    }

    #[test]
    fn only_account_and_at_addresses_with_their_checksum_are_valid() {
        assert!(is_address("ALBYQ17dXkrc7P17U9sqk3SyqCgzyAsVg8"));
        let invalid = [
            "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXb2",
            "QaRZVbEJE6GxpSsgQGLm67VBNR7WH8UXbD",
            "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXb",
            "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD1",
            "1QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD",
            "QaRZV0EJE6xGpSsgQGLm67VBNR7WH8UXbD",
            "NeVy4b2uKJ2KQBAMjJykFAYrdQRhB35LQ1",
            "16Jswqk47s9PUcyCc88MMVwzgvHPvtEpf",
            "",
        ];
        for text in invalid {
            assert!(!is_address(text), "{text}");
        }
    }
}
