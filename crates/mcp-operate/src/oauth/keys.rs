//! An issuer's keys by ID. They are fetched in the background and retained while the issuer is unreachable.

use std::{error::Error, future::Future, sync::Arc, time::Duration};

use futures_util::FutureExt;
use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse},
};
use serde_json::Value;
use tokio::{
    sync::{Notify, watch},
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use super::jwt::{ALGORITHMS, Head};

/// How often the keys are fetched: one that its issuer has withdrawn is trusted no longer than this.
const REFRESH: Duration = Duration::from_secs(600);
/// How long until they are fetched again after that has failed, or after a token named a key that there is not: tokens
/// with invented ids must not become requests to the issuer.
const AT_MOST: Duration = Duration::from_secs(30);
/// Issuers have two or three keys.
const MOST_KEYS: usize = 64;

/// The keys of an issuer.
#[derive(Debug)]
pub(super) struct Keys {
    current: watch::Sender<Current>,
    wanted: Notify,
}

#[derive(Debug, Clone, Default)]
struct Current {
    keys: Arc<[Key]>,
    /// Whether the last fetch failed.
    has_failed: bool,
    /// Before this no token causes a fetch.
    not_before: Option<Instant>,
}

/// A public key of an issuer.
#[derive(Debug, Clone)]
pub(super) struct Key {
    id: Option<String>,
    /// The algorithms that it may verify: the one that the issuer names, otherwise those of its type.
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
}

/// The keys are not known now.
#[derive(Debug, thiserror::Error)]
#[error("the keys of the authorization server are unknown")]
pub(super) struct KeysUnknown;

impl Default for Keys {
    fn default() -> Self {
        Self {
            current: watch::Sender::new(Current::default()),
            wanted: Notify::new(),
        }
    }
}

impl Keys {
    /// Fetches the keys now and then, and when a token needs one that is not known, until `stop`.
    pub(super) async fn run<F, E>(&self, fetch: impl Fn() -> F, stop: &CancellationToken)
    where
        F: Future<Output = Result<Vec<Key>, E>>,
        E: Error + 'static,
    {
        let mut was_asked = false;
        while let Some(fetched) = stop.run_until_cancelled(fetch()).await {
            let has_failed = fetched.is_err();
            let wait = if has_failed { AT_MOST } else { REFRESH };
            // Those who asked until now get this answer.
            let _ = self.wanted.notified().now_or_never();
            self.take(fetched, was_asked);
            was_asked = tokio::select! {
                () = sleep(wait) => false,
                () = self.wanted.notified() => true,
                () = stop.cancelled() => return,
            };
        }
    }

    fn take<E: Error + 'static>(&self, fetched: Result<Vec<Key>, E>, was_asked: bool) {
        if let Err(err) = &fetched {
            tracing::warn!(
                error = err as &dyn Error,
                "the keys of the authorization server could not be fetched, the known ones stay in effect"
            );
        }
        self.current.send_modify(|current| {
            current.has_failed = fetched.is_err();
            if was_asked || current.has_failed {
                current.not_before = Some(Instant::now() + AT_MOST);
            }
            if let Ok(keys) = fetched {
                current.keys = keys.into();
            }
        });
    }

    /// Returns the key that a token names, or `None` if the issuer has no such key. If the key is unknown and a fetch is allowed
    /// now, the call waits for the fetch.
    ///
    /// # Errors
    /// Returns an error if the issuer cannot be queried for the key.
    pub(super) async fn find(&self, head: &Head) -> Result<Option<DecodingKey>, KeysUnknown> {
        let mut current = self.current.subscribe();
        let is_final = {
            let current = current.borrow_and_update();
            if let Some(key) = current.find(head) {
                return Ok(Some(key));
            }
            let is_final = current.not_before.is_some_and(|it| Instant::now() < it);
            if is_final && current.has_failed {
                return Err(KeysUnknown);
            }
            is_final
        };
        if is_final {
            return Ok(None);
        }
        self.wanted.notify_one();
        current.changed().await.map_err(|_| KeysUnknown)?;
        let current = current.borrow();
        match current.find(head) {
            None if current.has_failed => Err(KeysUnknown),
            found => Ok(found),
        }
    }
}

impl Current {
    /// The key with the id; without one, the only key that it could be.
    fn find(&self, head: &Head) -> Option<DecodingKey> {
        let is_for = |it: &&Key| it.algorithms.contains(&head.algorithm);
        let mut fitting = self.keys.iter().filter(is_for);
        let found = match &head.key {
            Some(id) => fitting.find(|it| it.id.as_ref() == Some(id)),
            None => fitting.next().filter(|_| fitting.next().is_none()),
        };
        found.map(|it| it.key.clone())
    }
}

impl Key {
    /// The keys of a JWK set (RFC 7517) that can verify tokens; others are left out.
    pub(super) fn of_set(set: &Value) -> Vec<Self> {
        let keys = set.get("keys").and_then(Value::as_array);
        let keys = keys.into_iter().flatten().take(MOST_KEYS);
        keys.filter_map(|it| Self::new(serde_json::from_value(it.clone()).ok()?))
            .collect()
    }

    fn new(key: Jwk) -> Option<Self> {
        let common = &key.common;
        let is_for_signatures =
            matches!(common.public_key_use, None | Some(PublicKeyUse::Signature));
        let named = common.key_algorithm.map(|it| it.to_string());
        let kinds = kinds(&key.algorithm);
        let may_verify = |(name, it): &(&str, Algorithm)| {
            kinds.contains(it) && named.as_ref().is_none_or(|named| named == name)
        };
        let algorithms = ALGORITHMS.iter().filter(|it| may_verify(it));
        let algorithms: Vec<_> = algorithms.map(|(_, it)| *it).collect();
        let id = common.key_id.clone();
        let key = DecodingKey::from_jwk(&key).ok()?;
        (is_for_signatures && !algorithms.is_empty()).then_some(Self {
            id,
            algorithms,
            key,
        })
    }
}

/// Returns the algorithms of a type of key. Shared secrets have none.
fn kinds(key: &AlgorithmParameters) -> &'static [Algorithm] {
    match key {
        AlgorithmParameters::RSA(_) => &[
            Algorithm::RS256,
            Algorithm::RS384,
            Algorithm::RS512,
            Algorithm::PS256,
            Algorithm::PS384,
            Algorithm::PS512,
        ],
        AlgorithmParameters::EllipticCurve(key) => match key.curve {
            EllipticCurve::P256 => &[Algorithm::ES256],
            EllipticCurve::P384 => &[Algorithm::ES384],
            _ => &[],
        },
        AlgorithmParameters::OctetKeyPair(key) => match key.curve {
            EllipticCurve::Ed25519 => &[Algorithm::EdDSA],
            _ => &[],
        },
        _ => &[],
    }
}

#[cfg(test)]
mod tests;
