//! Signed text that clients return. Changed text is rejected.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Size of an HMAC-SHA-256 tag, in bytes (RFC 2104).
const TAG: usize = 32;

/// The secret key for signing cursors and request state. Replicas behind one load balancer share a key, so each accepts
/// the others' cursors and state.
#[derive(Clone)]
pub struct SigningKey([u8; 32]);

impl SigningKey {
    /// Creates a key from bytes, which must be random.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Generates a key with the operating system's random number generator. Returns `None` on failure.
    #[must_use]
    pub fn random() -> Option<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).ok().map(|()| Self(bytes))
    }
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SigningKey")
    }
}

/// A source of the current time.
pub(crate) type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// Signs and verifies text with HMAC-SHA-256. Without a key, signing and verifying always fail.
pub(crate) struct Signer {
    key: Option<SigningKey>,
    clock: Clock,
}

impl Signer {
    pub(crate) fn new(key: Option<SigningKey>, clock: Clock) -> Self {
        Self { key, clock }
    }

    /// Returns the current time, in seconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        let now = (self.clock)().duration_since(UNIX_EPOCH);
        now.map_or(0, |it| it.as_secs())
    }

    /// Returns signed text that only [`Signer::verify`] with the same purpose accepts. The text is not encrypted.
    pub(crate) fn sign(&self, purpose: &str, payload: &[u8]) -> Option<String> {
        let mac = self.mac(purpose, payload)?;
        let mut signed = mac.finalize().into_bytes().to_vec();
        signed.extend_from_slice(payload);
        Some(STANDARD.encode(&signed))
    }

    /// Returns the payload, or `None` if the text was changed or was not signed with this key for this purpose.
    pub(crate) fn verify(&self, purpose: &str, signed: &str) -> Option<Vec<u8>> {
        let mut signed = STANDARD.decode(signed).ok()?;
        if signed.len() < TAG {
            return None;
        }
        let payload = signed.split_off(TAG);
        self.mac(purpose, &payload)?.verify_slice(&signed).ok()?;
        Some(payload)
    }

    fn mac(&self, purpose: &str, payload: &[u8]) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key.as_ref()?.0).ok()?;
        mac.update(purpose.as_bytes());
        // No purpose contains it, so that no other purpose and payload have the same bytes.
        mac.update(&[0]);
        mac.update(payload);
        Some(mac)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(key: Option<[u8; 32]>) -> Signer {
        Signer::new(key.map(SigningKey::new), Arc::new(SystemTime::now))
    }

    #[test]
    fn signed_text_verifies_for_its_purpose_alone() {
        let sevens = signer(Some([7; 32]));
        let signed = sevens.sign("a", b"payload").unwrap();
        assert_eq!(sevens.verify("a", &signed), Some(b"payload".to_vec()));
        assert_eq!(sevens.verify("b", &signed), None);
        let other = signer(Some([8; 32]));
        assert_eq!(other.verify("a", &signed), None);
        assert_eq!(signer(None).verify("a", &signed), None);
        assert_eq!(signer(None).sign("a", b"payload"), None);
        let mut moved = STANDARD.decode(sevens.sign("a", b"bc").unwrap()).unwrap();
        moved.remove(TAG);
        assert_eq!(sevens.verify("ab", &STANDARD.encode(moved)), None);
        let empty = sevens.sign("a", b"").unwrap();
        assert_eq!(sevens.verify("a", &empty), Some(Vec::new()));
    }

    #[test]
    fn a_key_is_random_and_not_shown() {
        let (one, other) = (SigningKey::random().unwrap(), SigningKey::random().unwrap());
        assert_ne!(one.0, other.0);
        assert_eq!(format!("{one:?}"), "SigningKey");
    }

    #[test]
    fn changed_text_does_not_verify() {
        let sevens = signer(Some([7; 32]));
        let signed = sevens.sign("a", b"payload").unwrap();
        let bytes = STANDARD.decode(&signed).unwrap();
        for n in 0..bytes.len() {
            let mut changed = bytes.clone();
            if let Some(byte) = changed.get_mut(n) {
                *byte ^= 1;
            }
            assert_eq!(sevens.verify("a", &STANDARD.encode(&changed)), None, "{n}");
        }
        for text in ["", "x", "AAAA", &format!("{signed}-TAMPERED")] {
            assert_eq!(sevens.verify("a", text), None, "{text}");
        }
    }
}
