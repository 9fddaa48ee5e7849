//! Signed text that clients return: it is refused if it was changed.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The bytes of an HMAC-SHA-256 (RFC 2104).
const TAG: usize = 32;

/// The secret that cursors and request state are signed with. Replicas behind one load balancer share one, so that
/// each accepts those of the others.
#[derive(Clone)]
pub struct SigningKey([u8; 32]);

impl SigningKey {
    /// A key from the host, which must be random.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A new key from the operating system; `None` if it has no randomness.
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

/// Signs and verifies, by HMAC-SHA-256. Without a key nothing can be signed, and nothing verifies.
#[derive(Debug)]
pub(crate) struct Signer(Option<SigningKey>);

impl Signer {
    pub(crate) fn new(key: Option<SigningKey>) -> Self {
        Self(key)
    }

    /// Text that only [`Signer::verify`] with the same purpose accepts. It is not encrypted.
    pub(crate) fn sign(&self, purpose: &str, payload: &[u8]) -> Option<String> {
        let mac = self.mac(purpose, payload)?;
        let mut signed = mac.finalize().into_bytes().to_vec();
        signed.extend_from_slice(payload);
        Some(STANDARD.encode(&signed))
    }

    /// The payload; `None` if it was not signed with this key for this purpose, or was changed.
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
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0.as_ref()?.0).ok()?;
        mac.update(purpose.as_bytes());
        // No purpose contains it, so that no other purpose and payload have the same bytes.
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
    fn signed_text_verifies_for_its_purpose_alone() {
        let signer = Signer::new(Some(SigningKey::new([7; 32])));
        let signed = signer.sign("a", b"payload").unwrap();
        assert_eq!(signer.verify("a", &signed), Some(b"payload".to_vec()));
        assert_eq!(signer.verify("b", &signed), None);
        let other = Signer::new(Some(SigningKey::new([8; 32])));
        assert_eq!(other.verify("a", &signed), None);
        assert_eq!(Signer::new(None).verify("a", &signed), None);
        assert_eq!(Signer::new(None).sign("a", b"payload"), None);
    }

    #[test]
    fn changed_text_does_not_verify() {
        let signer = Signer::new(Some(SigningKey::new([7; 32])));
        let signed = signer.sign("a", b"payload").unwrap();
        let bytes = STANDARD.decode(&signed).unwrap();
        for n in 0..bytes.len() {
            let mut changed = bytes.clone();
            if let Some(byte) = changed.get_mut(n) {
                *byte ^= 1;
            }
            assert_eq!(signer.verify("a", &STANDARD.encode(&changed)), None, "{n}");
        }
        for text in ["", "x", "AAAA", &format!("{signed}-TAMPERED")] {
            assert_eq!(signer.verify("a", text), None, "{text}");
        }
    }
}
