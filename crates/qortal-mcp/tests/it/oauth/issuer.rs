//! An authorization server of a test: its metadata and keys over loopback, and the tokens that it signs.

use std::{
    sync::{Arc, Mutex},
    time::{SystemTime, UNIX_EPOCH},
};

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use ring::{
    hmac,
    rand::SystemRandom,
    rsa::PublicKeyComponents,
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
        EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RSA_PSS_SHA256,
        RsaEncoding, RsaKeyPair,
    },
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// A private key, and its id.
pub(crate) struct Signer {
    id: String,
    algorithm: &'static str,
    key: Key,
}

enum Key {
    Rsa(RsaKeyPair, &'static dyn RsaEncoding),
    Ec(EcdsaKeyPair, &'static str),
    Ed(Ed25519KeyPair),
}

impl Signer {
    pub(crate) fn rsa(id: &str) -> Self {
        Self::rsa_with(id, "RS256", &RSA_PKCS1_SHA256)
    }

    pub(crate) fn pss(id: &str) -> Self {
        Self::rsa_with(id, "PS256", &RSA_PSS_SHA256)
    }

    fn rsa_with(id: &str, algorithm: &'static str, padding: &'static dyn RsaEncoding) -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/keys/rsa.pem");
        let pem = std::fs::read_to_string(path).unwrap();
        let lines = pem.lines().filter(|it| !it.starts_with('-'));
        let der = STANDARD.decode(lines.collect::<String>()).unwrap();
        let key = RsaKeyPair::from_pkcs8(&der).unwrap();
        Self::new(id, algorithm, Key::Rsa(key, padding))
    }

    pub(crate) fn ec(id: &str) -> Self {
        Self::curve(id, "ES256", "P-256", &ECDSA_P256_SHA256_FIXED_SIGNING)
    }

    pub(crate) fn ec384(id: &str) -> Self {
        Self::curve(id, "ES384", "P-384", &ECDSA_P384_SHA384_FIXED_SIGNING)
    }

    fn curve(
        id: &str,
        algorithm: &'static str,
        curve: &'static str,
        signing: &'static EcdsaSigningAlgorithm,
    ) -> Self {
        let random = SystemRandom::new();
        let der = EcdsaKeyPair::generate_pkcs8(signing, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(signing, der.as_ref(), &random);
        Self::new(id, algorithm, Key::Ec(key.unwrap(), curve))
    }

    pub(crate) fn ed(id: &str) -> Self {
        let der = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let key = Ed25519KeyPair::from_pkcs8(der.as_ref());
        Self::new(id, "EdDSA", Key::Ed(key.unwrap()))
    }

    fn new(id: &str, algorithm: &'static str, key: Key) -> Self {
        let id = id.to_owned();
        Self { id, algorithm, key }
    }

    /// The public key (RFC 7517, RFC 8037).
    fn jwk(&self) -> Value {
        let mut jwk = match &self.key {
            Key::Rsa(key, _) => {
                let key = PublicKeyComponents::<Vec<u8>>::from(key.public());
                json!({"kty": "RSA", "n": encoded(key.n), "e": encoded(key.e)})
            }
            Key::Ec(key, curve) => {
                let point = &key.public_key().as_ref()[1..];
                let (x, y) = point.split_at(point.len() / 2);
                json!({"kty": "EC", "crv": curve, "x": encoded(x), "y": encoded(y)})
            }
            Key::Ed(key) => {
                let x = encoded(key.public_key());
                json!({"kty": "OKP", "crv": "Ed25519", "x": x})
            }
        };
        jwk["kid"] = self.id.as_str().into();
        jwk["use"] = "sig".into();
        jwk
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.key {
            Key::Rsa(key, padding) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(*padding, &random, message, &mut signature)
                    .unwrap();
                signature
            }
            Key::Ec(key, _) => key.sign(&random, message).unwrap().as_ref().to_vec(),
            Key::Ed(key) => key.sign(message).as_ref().to_vec(),
        }
    }

    /// A token with these claims.
    pub(crate) fn token(&self, claims: &Value) -> String {
        let head = json!({"typ": "at+jwt", "alg": self.algorithm, "kid": self.id});
        self.token_with(&head, claims)
    }

    /// A token with a head that may not say the truth.
    pub(crate) fn token_with(&self, head: &Value, claims: &Value) -> String {
        let message = message(head, claims);
        let signature = self.sign(message.as_bytes());
        format!("{message}.{}", encoded(signature))
    }
}

fn message(head: &Value, claims: &Value) -> String {
    format!(
        "{}.{}",
        encoded(head.to_string()),
        encoded(claims.to_string())
    )
}

/// A token that no one has signed.
pub(crate) fn unsigned(claims: &Value) -> String {
    format!(
        "{}.",
        message(&json!({"alg": "none", "kid": "rsa"}), claims)
    )
}

/// A token signed with the public key of an issuer as if it were a secret.
pub(crate) fn signed_with_public_key(signer: &Signer, claims: &Value) -> String {
    let head = json!({"alg": "HS256", "kid": signer.id});
    let message = message(&head, claims);
    let secret = URL_SAFE_NO_PAD
        .decode(signer.jwk()["n"].as_str().unwrap())
        .unwrap();
    let key = hmac::Key::new(hmac::HMAC_SHA256, &secret);
    let signature = hmac::sign(&key, message.as_bytes());
    format!("{message}.{}", encoded(signature))
}

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Seconds since 1970, and so many more.
pub(crate) fn seconds(more: i64) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs()).unwrap() + more
}

/// The server.
pub(crate) struct Issuer {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    metadata: Value,
    keys: Vec<Value>,
    is_away: bool,
    paths: Vec<String>,
}

impl Issuer {
    pub(crate) async fn start(signers: &[&Signer]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            metadata: json!({"issuer": url, "jwks_uri": format!("{url}/keys")}),
            ..State::default()
        }));
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                answer(stream, &shared).await;
            }
        });
        let issuer = Self { url, state, task };
        issuer.publish(signers);
        issuer
    }

    /// Replaces the keys.
    pub(crate) fn publish(&self, signers: &[&Signer]) {
        self.state.lock().unwrap().keys = signers.iter().map(|it| it.jwk()).collect();
    }

    /// Closes every connection without an answer, or answers again.
    pub(crate) fn set_away(&self, is_away: bool) {
        self.state.lock().unwrap().is_away = is_away;
    }

    /// Says another issuer in its metadata.
    pub(crate) fn claim_to_be(&self, url: &str) {
        self.state.lock().unwrap().metadata["issuer"] = url.into();
    }

    /// How often its keys were asked for.
    pub(crate) fn fetches(&self) -> usize {
        let state = self.state.lock().unwrap();
        state.paths.iter().filter(|it| *it == "/keys").count()
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(mut stream: TcpStream, state: &Mutex<State>) {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read_buf(&mut request).await {
            Ok(0) | Err(_) => return,
            Ok(_) => (),
        }
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let (status, body) = {
        let mut state = state.lock().unwrap();
        state.paths.push(path.clone());
        if state.is_away {
            return;
        }
        match &*path {
            "/.well-known/openid-configuration" => ("200 OK", state.metadata.clone()),
            "/keys" => ("200 OK", json!({"keys": state.keys})),
            _ => ("404 Not Found", json!({"error": "not found"})),
        }
    };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // A client that is gone does not need it.
    let _ = stream.write_all((head + &body).as_bytes()).await;
}
