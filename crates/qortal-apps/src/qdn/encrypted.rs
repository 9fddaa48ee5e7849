//! Encrypted content, and the facts about it that need no key.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::ciphertext::Ciphertext;

/// The beginning of data for several readers.
const FOR_READERS: &[u8] = b"qortalGroupEncryptedData";

/// The same in Base64.
const IN_BASE64: &[u8] = b"cW9ydGFsR3JvdXBFbmNyeXB0ZWREYXRh";

/// The beginning of data for one reader.
const FOR_ONE: &[u8] = b"qortalEncryptedData";

/// Bytes of the two nonces behind that.
const NONCES: usize = 48;

/// Bytes of a public key.
const PUBLIC_KEY: usize = 32;

/// Bytes of the encrypted key of each reader.
const READER: usize = 48;

/// Bytes of the number of readers, at the end.
const COUNT: usize = 4;

/// Encrypted content (Qortal/Qortal-Hub c93f78a2, src/qdn/encryption/group-encryption.ts).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encrypted {
    /// For chosen accounts, each with a key of its own (`encryptDataGroup`).
    ForReaders {
        /// The public key of the sender.
        sender: Option<[u8; PUBLIC_KEY]>,
        /// The number of readers, with the sender. It is `None` if the end was not read.
        readers: Option<u32>,
    },
    /// For one account.
    ForOne,
    /// For the members of a private group, who share keys (`encryptSingle`).
    ForGroup {
        /// The number of the key.
        key: u64,
    },
}

impl Encrypted {
    /// Reads the form of encryption. Returns `None` if there is none.
    #[must_use]
    pub fn read(bytes: &[u8], is_complete: bool) -> Option<Self> {
        if bytes.starts_with(FOR_READERS) {
            return Some(Self::for_readers(bytes, is_complete));
        }
        // Some programs publish the text of the bytes in Base64.
        if bytes.starts_with(IN_BASE64) {
            let decoded = STANDARD.decode(bytes.trim_ascii_end()).ok()?;
            return decoded
                .starts_with(FOR_READERS)
                .then(|| Self::for_readers(&decoded, is_complete));
        }
        if bytes.starts_with(FOR_ONE) {
            return Some(Self::ForOne);
        }
        Ciphertext::read(bytes).map(|it| Self::ForGroup { key: it.key })
    }

    fn for_readers(bytes: &[u8], is_complete: bool) -> Self {
        let start = FOR_READERS.len() + NONCES;
        let sender = bytes.get(start..start + PUBLIC_KEY);
        let readers = || {
            let end = bytes.len().checked_sub(COUNT)?;
            let count = bytes.get(end..)?.try_into().ok()?;
            let count = u32::from_le_bytes(count);
            let most = end.checked_sub(start + PUBLIC_KEY)? / READER;
            let fits = usize::try_from(count).is_ok_and(|count| (1..=most).contains(&count));
            fits.then_some(count)
        };
        Self::ForReaders {
            sender: sender.and_then(|key| key.try_into().ok()),
            readers: is_complete.then(readers).flatten(),
        }
    }
}
