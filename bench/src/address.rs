//! The work every peer does for `validate_address`: Base58Check with a double SHA-256 checksum.

use sha2::{Digest, Sha256};

/// Version byte, 20 bytes of hash, 4 bytes of checksum (`org.qortal.crypto.Crypto`).
const ADDRESS_BYTES: usize = 25;
/// A 25 byte value never needs more Base58 digits; longer text is refused before it is decoded.
const ADDRESS_DIGITS: usize = 35;
/// The versions of an account (`Q…`) and of an automated transaction (`A…`).
const VERSIONS: [u8; 2] = [58, 23];

/// Whether `text` is the address of an account or an automated transaction.
#[must_use]
pub fn is_valid(text: &str) -> bool {
    if text.len() > ADDRESS_DIGITS {
        return false;
    }
    let mut bytes = [0_u8; ADDRESS_BYTES];
    let decoded = bs58::decode(text).onto(&mut bytes);
    let (body, checksum) = bytes.split_at(ADDRESS_BYTES - 4);
    let known = body
        .first()
        .is_some_and(|version| VERSIONS.contains(version));
    decoded == Ok(ADDRESS_BYTES)
        && known
        && Sha256::digest(Sha256::digest(body)).starts_with(checksum)
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    fn check(text: &str, valid: bool) {
        assert_eq!(is_valid(text), valid, "{text}");
    }

    #[test]
    fn the_checksum_decides() {
        // An address of the test node's recorded chain, and the same with one digit changed.
        check("QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v", true);
        check("QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9w", false);
        check("", false);
        check("0OIl", false);
        check(&"Q".repeat(1000), false);
    }
}
