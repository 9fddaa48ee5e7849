//! Text that is given to a client to be handed back: it comes back as it was, or is refused.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The bytes of an HMAC-SHA-256 (RFC 2104).
const TAG: usize = 32;

/// The secret behind cursors and request state. Replicas behind one load balancer share one, so that
/// each takes what another has given out.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// A key of the host's own; it has to be random.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A new key from the operating system; `None` if that has no randomness to give.
    #[must_use]
    pub fn random() -> Option<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).ok().map(|()| Self(bytes))
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

/// Seals and opens. Without a key nothing can be sealed, and nothing opens.
#[derive(Debug)]
pub(crate) struct Sealer(Option<Key>);

impl Sealer {
    pub(crate) fn new(key: Option<Key>) -> Self {
        Self(key)
    }

    /// Text that only [`Sealer::open`] with the same purpose takes back. It is not encrypted.
    pub(crate) fn seal(&self, purpose: &str, payload: &[u8]) -> Option<String> {
        let mac = self.mac(purpose, payload)?;
        let mut sealed = mac.finalize().into_bytes().to_vec();
        sealed.extend_from_slice(payload);
        Some(STANDARD.encode(&sealed))
    }

    /// What was sealed; `None` if it was not sealed here for this purpose, or was changed.
    pub(crate) fn open(&self, purpose: &str, sealed: &str) -> Option<Vec<u8>> {
        let mut sealed = STANDARD.decode(sealed).ok()?;
        if sealed.len() < TAG {
            return None;
        }
        let payload = sealed.split_off(TAG);
        self.mac(purpose, &payload)?.verify_slice(&sealed).ok()?;
        Some(payload)
    }

    fn mac(&self, purpose: &str, payload: &[u8]) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0.as_ref()?.0).ok()?;
        mac.update(purpose.as_bytes());
        // No purpose holds it, so that no purpose and payload read as another pair.
        mac.update(&[0]);
        mac.update(payload);
        Some(mac)
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |it| it.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_for_its_purpose_alone() {
        let sealer = Sealer::new(Some(Key::new([7; 32])));
        let sealed = sealer.seal("a", b"payload").unwrap();
        assert_eq!(sealer.open("a", &sealed), Some(b"payload".to_vec()));
        assert_eq!(sealer.open("b", &sealed), None);
        let other = Sealer::new(Some(Key::new([8; 32])));
        assert_eq!(other.open("a", &sealed), None);
        assert_eq!(Sealer::new(None).open("a", &sealed), None);
        assert_eq!(Sealer::new(None).seal("a", b"payload"), None);
    }

    #[test]
    fn whatever_is_changed_does_not_open() {
        let sealer = Sealer::new(Some(Key::new([7; 32])));
        let sealed = sealer.seal("a", b"payload").unwrap();
        let bytes = STANDARD.decode(&sealed).unwrap();
        for n in 0..bytes.len() {
            let mut changed = bytes.clone();
            if let Some(byte) = changed.get_mut(n) {
                *byte ^= 1;
            }
            assert_eq!(sealer.open("a", &STANDARD.encode(&changed)), None, "{n}");
        }
        for text in ["", "x", "AAAA", &format!("{sealed}-TAMPERED")] {
            assert_eq!(sealer.open("a", text), None, "{text}");
        }
    }
}
