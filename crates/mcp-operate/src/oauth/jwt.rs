//! Signed tokens: their header, the accepted algorithms, and signature verification with ring.

use std::sync::Once;

use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::{
    Algorithm, DecodingKey, DecodingKeyKind, EncodingKey, Validation,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    decode,
    errors::{Error, ErrorKind},
    signature,
};
use mcp_protocol::Object;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};
use serde_json::Value;

use super::fault::{TokenFault, quoted};

/// Algorithms whose keys are public: with a shared one, an issuer's public key could be used as a secret to sign with.
pub(super) const ALGORITHMS: [(&str, Algorithm); 9] = [
    ("RS256", Algorithm::RS256),
    ("RS384", Algorithm::RS384),
    ("RS512", Algorithm::RS512),
    ("PS256", Algorithm::PS256),
    ("PS384", Algorithm::PS384),
    ("PS512", Algorithm::PS512),
    ("ES256", Algorithm::ES256),
    ("ES384", Algorithm::ES384),
    ("EdDSA", Algorithm::EdDSA),
];
/// The types of tokens that can be access tokens: that of RFC 9068, and that of all JWT, which most issuers write. Logout
/// tokens, DPoP proofs and others have types of their own (RFC 8725 §3.11).
const TYPES: [&str; 2] = ["at+jwt", "jwt"];

/// The facts of a token that its signature is verified by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) algorithm: Algorithm,
    pub(super) key: Option<String>,
}

impl Head {
    /// Reads the head of a token that could be an access token.
    pub(super) fn read(token: &str) -> Result<Self, TokenFault> {
        let (head, rest) = token.split_once('.').ok_or(TokenFault::NotJwt)?;
        let head = BASE64URL_NOPAD.decode(head.as_bytes()).ok();
        let head = head.and_then(|it| serde_json::from_slice::<Object>(&it).ok());
        let head = head.filter(|_| rest.contains('.'));
        let head = head.ok_or(TokenFault::NotJwt)?;
        let text = |name| head.get(name).and_then(Value::as_str);
        let name = text("alg").unwrap_or_default();
        let algorithm = ALGORITHMS.iter().find(|(it, _)| *it == name);
        let (_, algorithm) = algorithm.ok_or_else(|| TokenFault::Algorithm(quoted(name)))?;
        if let Some(typ) = head.get("typ") {
            let typ = typ.as_str().unwrap_or_default();
            let lower = typ.to_ascii_lowercase();
            let short = lower.strip_prefix("application/").unwrap_or(&lower);
            if !TYPES.contains(&short) {
                return Err(TokenFault::Type(quoted(typ)));
            }
        }
        // An extension that must be understood (RFC 7515 §4.1.11) is not.
        if head.contains_key("crit") {
            return Err(TokenFault::Critical);
        }
        Ok(Self {
            algorithm: *algorithm,
            key: text("kid").map(str::to_owned),
        })
    }

    /// Returns the claims of a token that this key has signed.
    pub(super) fn claims(&self, token: &str, key: &DecodingKey) -> Result<Object, TokenFault> {
        install_ring();
        let mut validation = Validation::new(self.algorithm);
        // `Expected::grant` checks the claims.
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        let decoded = decode::<Object>(token, key, &validation);
        decoded.map(|it| it.claims).map_err(|err| match err.kind() {
            ErrorKind::Json(_) | ErrorKind::Utf8(_) => TokenFault::NotJwt,
            _ => TokenFault::Signature,
        })
    }

    /// The key for the log.
    pub(super) fn key_name(&self) -> String {
        self.key
            .as_deref()
            .map_or_else(|| "without an ID".to_owned(), quoted)
    }
}

/// Returns the names of the accepted algorithms.
pub(super) fn accepted() -> String {
    ALGORITHMS.map(|(name, _)| name).join(", ")
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
    let is_accepted = ALGORITHMS.iter().any(|(_, it)| it == algorithm);
    if !key.family().algorithms().contains(algorithm) || !is_accepted {
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
        let verified = match self.key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, e } => rsa(self.algorithm).and_then(|it| {
                let key = RsaPublicKeyComponents {
                    n: without_zeros(n),
                    e: without_zeros(e),
                };
                key.verify(it, message, signature).ok()
            }),
            DecodingKeyKind::SecretOrDer(key) => curve(self.algorithm).and_then(|it| {
                UnparsedPublicKey::new(it, key)
                    .verify(message, signature)
                    .ok()
            }),
        };
        verified.ok_or_else(signature::Error::new)
    }
}

fn rsa(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    match algorithm {
        Algorithm::RS256 => Some(&RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Some(&RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => Some(&RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => Some(&RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => Some(&RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => Some(&RSA_PSS_2048_8192_SHA512),
        _ => None,
    }
}

fn curve(algorithm: Algorithm) -> Option<&'static dyn VerificationAlgorithm> {
    match algorithm {
        Algorithm::ES256 => Some(&ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Some(&ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Some(&ED25519),
        _ => None,
    }
}

/// Some issuers write numbers with a leading zero, which ring refuses.
fn without_zeros(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|it| **it == 0).count();
    number.get(zeros..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(head: Value) -> Result<Head, TokenFault> {
        let head = BASE64URL_NOPAD.encode(head.to_string().as_bytes());
        Head::read(&format!("{head}.e30.AAAA"))
    }

    #[test]
    fn head_is_that_of_an_access_token() {
        for (name, algorithm) in ALGORITHMS {
            let head = read(json!({"alg": name, "kid": "a", "typ": "at+jwt"})).unwrap();
            assert_eq!(
                (head.algorithm, head.key.as_deref()),
                (algorithm, Some("a"))
            );
        }
        for typ in ["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"] {
            assert!(read(json!({"alg": "ES256", "typ": typ})).is_ok(), "{typ}");
        }
        assert!(read(json!({"alg": "ES256"})).is_ok());
    }

    #[test]
    fn head_of_another_token_is_a_fault() {
        for typ in [
            json!("logout+jwt"),
            json!("dpop+jwt"),
            json!("secevent+jwt"),
            json!("application/logout+jwt"),
            json!("JOSE"),
            json!(""),
            json!(7),
            json!(null),
        ] {
            let fault = read(json!({"alg": "ES256", "typ": typ})).unwrap_err();
            assert!(matches!(fault, TokenFault::Type(_)), "{typ}: {fault}");
        }
        for alg in [json!("HS256"), json!("none"), json!("ES512"), json!(null)] {
            let fault = read(json!({"alg": alg})).unwrap_err();
            assert!(matches!(fault, TokenFault::Algorithm(_)), "{alg}: {fault}");
        }
        let critical = json!({"alg": "ES256", "crit": ["b64"]});
        assert_eq!(read(critical), Err(TokenFault::Critical));
        for token in ["", "a", "a.b.c", "e30.b", "..", "bnVsbA.e30.AAAA"] {
            assert_eq!(Head::read(token), Err(TokenFault::NotJwt), "{token}");
        }
    }
}
