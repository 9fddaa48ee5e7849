//! Signed tokens: which algorithms and claims are accepted, and the signatures by ring.

use std::sync::Once;

use jsonwebtoken::{
    Algorithm, DecodingKey, DecodingKeyKind, EncodingKey, Validation,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    decode, decode_header,
    errors::{Error, ErrorKind},
    signature,
};
use mcp_protocol::Object;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};

/// Algorithms whose keys are public: with a shared one, an issuer's public key could be used as a secret to sign with.
pub(super) const ALGORITHMS: [Algorithm; 3] =
    [Algorithm::RS256, Algorithm::ES256, Algorithm::EdDSA];
/// How far the clocks of two machines may be apart, in seconds.
const LEEWAY: u64 = 60;
/// The claims that a token must have.
const REQUIRED: [&str; 3] = ["iss", "aud", "exp"];

/// What a token says of its signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) algorithm: Algorithm,
    pub(super) key: Option<String>,
}

/// Reads the head of a token; `None` if it is not a token that could be accepted.
pub(super) fn head(token: &str) -> Option<Head> {
    let header = decode_header(token).ok()?;
    // An extension that must be understood (RFC 7515 §4.1.11) is not.
    let is_accepted = ALGORITHMS.contains(&header.alg) && header.crit.is_none();
    is_accepted.then_some(Head {
        algorithm: header.alg,
        key: header.kid,
    })
}

/// What the claims of a token must say.
#[derive(Debug)]
pub(super) struct Expected {
    issuer: String,
    validation: Validation,
}

impl Expected {
    /// Tokens of this issuer for one of these audiences.
    pub(super) fn new(issuer: &str, audiences: Vec<String>) -> Self {
        install_ring();
        // The algorithm is set for each token.
        let mut validation = Validation::new(Algorithm::RS256);
        validation.leeway = LEEWAY;
        validation.validate_nbf = true;
        validation.set_required_spec_claims(&REQUIRED);
        validation.set_issuer(&[issuer]);
        validation.set_audience(&audiences);
        Self {
            issuer: issuer.to_owned(),
            validation,
        }
    }

    /// The claims of a token that this key has signed; `None` if it is forged, expired, or meant for others.
    pub(super) fn verify(&self, token: &str, head: &Head, key: &DecodingKey) -> Option<Object> {
        let mut validation = self.validation.clone();
        validation.algorithms = vec![head.algorithm];
        let claims = match decode::<Object>(token, key, &validation) {
            Ok(decoded) => decoded.claims,
            Err(err) => {
                tracing::debug!(reason = %err, "a token was refused");
                return None;
            }
        };
        // One issuer, not a list that has it among others (RFC 7519 §4.1.1).
        let is_of_issuer = claims.get("iss").and_then(|it| it.as_str()) == Some(&*self.issuer);
        is_of_issuer.then_some(claims)
    }
}

/// Makes ring verify signatures, once for the process.
fn install_ring() {
    static PROVIDER: CryptoProvider = CryptoProvider {
        signer_factory: cannot_sign,
        verifier_factory: verifier,
        key_utils: KeyUtils::new_unimplemented(),
    };
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        if PROVIDER.install_default().is_err() {
            tracing::warn!("signatures are verified by another library than ring");
        }
    });
}

/// This program issues no tokens.
fn cannot_sign(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    Err(ErrorKind::UnsupportedAlgorithm.into())
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    // A key of another family cannot verify.
    if !key.family().algorithms().contains(algorithm) || !ALGORITHMS.contains(algorithm) {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    Ok(Box::new(RingVerifier {
        algorithm: *algorithm,
        key: key.clone(),
    }))
}

struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl signature::Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let verified = match (self.algorithm, self.key.kind()) {
            (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
                let key = RsaPublicKeyComponents {
                    n: without_zeros(n),
                    e: without_zeros(e),
                };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
            (Algorithm::ES256, DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key).verify(message, signature)
            }
            (Algorithm::EdDSA, DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(&ED25519, key).verify(message, signature)
            }
            _ => Err(ring::error::Unspecified),
        };
        verified.map_err(|_| signature::Error::new())
    }
}

/// Some issuers write numbers with a leading zero, which ring refuses.
fn without_zeros(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|it| **it == 0).count();
    number.get(zeros..).unwrap_or_default()
}
