//! Ciphertext of private groups, whose keys only their members have
//! (Qortal/Qortal-Hub `src/qdn/encryption/group-encryption.ts`, `encryptSingle` and `decryptSingle`, commit c93f78a2).
//!
//! It begins with the number of the group's key in ten digits. In today's form the kind of content follows in three digits,
//! then 24 bytes of nonce and the secretbox. In earlier forms the rest is Base64 text.

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// The number of a key, in digits.
const KEY_DIGITS: usize = 10;
/// The beginning of the number of a key.
const LEADING_ZEROS: &[u8] = b"00000";
/// The kind of content, in digits.
const KIND_DIGITS: usize = 3;
/// The kind of the form whose nonce and secretbox are Base64 text.
const TEXT_KIND: u16 = 1;
/// The kind of a reaction (`RESOURCE_TYPE_NUMBER_GROUP_CHAT_REACTIONS`).
const REACTION: u16 = 102;
/// Bytes of the authentication tag of a secretbox, which is the shortest one.
const TAG_BYTES: usize = 16;
const NONCE_BYTES: usize = 24;

/// The unencrypted part of an encrypted message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Ciphertext {
    /// The number of the group's key. Each new key has a larger one.
    pub key: u64,
    /// The kind of content: 2 is a message and 102 a reaction. Earlier forms have none.
    pub kind: Option<u16>,
}

impl Ciphertext {
    /// Reads the bytes of a ciphertext. Returns `None` if they have another form.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (key, rest) = bytes.split_at_checked(KEY_DIGITS)?;
        // Keys are counted from 1. A number of ten digits that is not a key has other digits at its beginning.
        let key = number(key).filter(|_| key.starts_with(LEADING_ZEROS))?;
        if let Some((kind, content)) = rest.split_at_checked(KIND_DIGITS)
            && let Some(kind) = number(kind).and_then(|it| u16::try_from(it).ok())
        {
            let is_known_form = if kind == TEXT_KIND {
                is_base64(content, NONCE_BYTES + TAG_BYTES)
            } else {
                content.len() >= NONCE_BYTES + TAG_BYTES && !content.is_ascii()
            };
            if is_known_form {
                let kind = Some(kind);
                return Some(Self { key, kind });
            }
        }
        is_base64(rest, TAG_BYTES).then_some(Self { key, kind: None })
    }

    /// Reads the data of a chat message: the ciphertext in Base64. Returns `None` if it has another form.
    #[must_use]
    pub fn in_message(data: &[u8]) -> Option<Self> {
        // Cheaper than decoding: the first zeros in Base64.
        if !data.starts_with(b"MDAwMDA") {
            return None;
        }
        Self::read(&STANDARD.decode(data.trim_ascii()).ok()?)
    }

    /// Returns whether the content is a reaction to a message. Earlier forms do not say.
    #[must_use]
    pub fn is_reaction(self) -> bool {
        self.kind == Some(REACTION)
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    let is_number = digits.iter().all(u8::is_ascii_digit);
    str::from_utf8(digits)
        .ok()
        .filter(|_| is_number)?
        .parse()
        .ok()
}

fn is_base64(text: &[u8], at_least: usize) -> bool {
    // The nonce and the secretbox are encoded one by one, so padding may be in the middle.
    let is_alphabet = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'/' | b'=');
    text.len() >= at_least.div_ceil(3) * 4 && text.iter().all(is_alphabet)
}
