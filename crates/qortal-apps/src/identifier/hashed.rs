//! Identifiers of hashes, by which apps on qapp-core name their entries: the app, the kind of entry, the entry it belongs to
//! and a random part (Qortal/qapp-core db97c28, src/utils/encryption.ts), and likes of Q-Tube.

use super::Kind;

/// The lengths of the four parts.
const PARTS: [usize; 4] = [14, 6, 14, 15];

/// Characters of the hash that names a video in a like (Qortal/q-tube 68c3ea7, src/components/common/ContentButtons).
const LIKE: usize = 20;

pub(super) fn read(service: &str, identifier: &str) -> Option<Kind> {
    let is_hash = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'~' | b'!');
    if service == "CHAIN_COMMENT" {
        let is_like = identifier.len() == LIKE && identifier.bytes().all(is_hash);
        return is_like.then_some(Kind::Like);
    }
    let parts: Vec<&str> = identifier.split('-').collect();
    let has_lengths = parts.len() == PARTS.len()
        && parts
            .iter()
            .zip(PARTS)
            .all(|(part, length)| part.len() == length);
    (has_lengths && identifier.bytes().all(|byte| byte == b'-' || is_hash(byte)))
        .then_some(Kind::HashedEntry)
}
