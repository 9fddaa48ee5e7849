//! The Core's handling of Base58 strings and public keys (`Base58`, `Crypto`). It does not share code with the clients' types, so a bug
//! there cannot be hidden by the same bug in the node.

use ripemd::Ripemd160;
use sha2::{Digest, Sha256};

/// Maximum length of a string to decode, since decoding takes quadratic time.
const LONGEST_TEXT: usize = 8 * 1024;
/// Version byte of an account address (`Q…`).
const ACCOUNT_VERSION: u8 = 58;
/// Version byte of the address of an automated transaction (`A…`).
const AT_VERSION: u8 = 23;
/// Length of a decoded address: version, 20 bytes of hash and 4 bytes of checksum.
const ADDRESS_LENGTH: usize = 25;

/// Encodes `bytes` in Base58. Empty input becomes an empty string.
pub(crate) fn base58_encode(bytes: &[u8]) -> String {
    bs58::encode(bytes).into_string()
}

/// Decodes a Base58 string. Returns `None` if it is empty, too long, or has a letter outside the alphabet.
pub(crate) fn base58_decode(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || text.len() > LONGEST_TEXT {
        return None;
    }
    bs58::decode(text).into_vec().ok()
}

/// Returns `true` if the Core's `Crypto.isValidAddress` accepts `text`: an account or AT address with a valid checksum.
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
        && Sha256::digest(Sha256::digest(payload)).starts_with(checksum)
}

/// Returns the account address of a public key.
pub(crate) fn address_of(public_key: &[u8]) -> String {
    account_address(Ripemd160::digest(Sha256::digest(public_key)).into())
}

/// Returns the account address with a hash.
pub(crate) fn account_address(hash: [u8; 20]) -> String {
    address(ACCOUNT_VERSION, hash)
}

/// Returns the address of an automated transaction with a hash.
pub(crate) fn at_address(hash: [u8; 20]) -> String {
    address(AT_VERSION, hash)
}

fn address(version: u8, hash: [u8; 20]) -> String {
    let mut bytes = vec![version];
    bytes.extend(hash);
    let checksum = Sha256::digest(Sha256::digest(&bytes));
    bytes.extend(checksum.iter().take(4));
    base58_encode(&bytes)
}

/// Decodes a public key, if `text` is Base58 of exactly 32 bytes.
pub(crate) fn public_key(text: &str) -> Option<Vec<u8>> {
    base58_decode(text).filter(|bytes| bytes.len() == 32)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_TEXT, address_of, base58_decode, is_address, public_key};

    #[test]
    fn neither_no_text_nor_a_very_long_one_is_base58() {
        assert_eq!(base58_decode(""), None);
        assert_eq!(base58_decode("0OIl"), None);
        assert_eq!(base58_decode("112"), Some(vec![0, 0, 1]));
        assert!(base58_decode(&"1".repeat(LONGEST_TEXT)).is_some());
        assert_eq!(base58_decode(&"1".repeat(LONGEST_TEXT + 1)), None);
    }

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
