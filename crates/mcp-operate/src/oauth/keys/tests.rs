//! When the keys are fetched, with a clock that stands still.

use std::{
    io,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use jsonwebtoken::Algorithm;
use serde_json::json;
use tokio::time::advance;

use super::*;

/// An issuer whose keys a test sets; `None` while it is away.
#[derive(Default)]
struct Issuer {
    ids: Mutex<Option<Vec<&'static str>>>,
    fetches: AtomicUsize,
}

impl Issuer {
    fn new(ids: &[&'static str]) -> Arc<Self> {
        let issuer = Arc::new(Self::default());
        issuer.set(Some(ids));
        issuer
    }

    fn set(&self, ids: Option<&[&'static str]>) {
        *self.ids.lock().unwrap() = ids.map(<[_]>::to_vec);
    }

    fn fetches(&self) -> usize {
        self.fetches.load(Ordering::Relaxed)
    }

    async fn fetch(&self) -> Result<Vec<Key>, io::Error> {
        self.fetches.fetch_add(1, Ordering::Relaxed);
        let ids = self.ids.lock().unwrap().clone();
        let ids = ids.ok_or(io::ErrorKind::TimedOut)?;
        let keys = ids
            .iter()
            .map(|id| json!({"kty": "OKP", "crv": "Ed25519", "x": "AAAA", "kid": id}));
        Ok(Key::of_set(&json!({"keys": keys.collect::<Vec<_>>()})))
    }
}

/// Keys of an issuer, kept current by a task until the end of the test.
fn keys(issuer: &Arc<Issuer>) -> Arc<Keys> {
    let keys = Arc::new(Keys::default());
    let (issuer, run) = (Arc::clone(issuer), Arc::clone(&keys));
    tokio::spawn(async move {
        let stop = CancellationToken::new();
        run.run(|| issuer.fetch(), &stop).await;
    });
    keys
}

fn named(id: &str) -> Head {
    Head {
        algorithm: Algorithm::EdDSA,
        key: Some(id.to_owned()),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Found {
    Known,
    Unknown,
    Unavailable,
}

async fn find(keys: &Keys, id: &str) -> Found {
    match keys.find(&named(id)).await {
        Ok(Some(_)) => Found::Known,
        Ok(None) => Found::Unknown,
        Err(KeysUnknown) => Found::Unavailable,
    }
}

#[tokio::test(start_paused = true)]
async fn a_rotated_key_is_fetched_when_a_token_names_it() {
    let issuer = Issuer::new(&["old"]);
    let keys = keys(&issuer);
    assert_eq!(find(&keys, "old").await, Found::Known);
    assert_eq!(issuer.fetches(), 1);
    issuer.set(Some(&["new"]));
    assert_eq!(find(&keys, "old").await, Found::Known);
    assert_eq!(issuer.fetches(), 1);
    assert_eq!(find(&keys, "new").await, Found::Known);
    assert_eq!(issuer.fetches(), 2);
    assert_eq!(find(&keys, "old").await, Found::Unknown);
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_invented_keys_is_one_fetch_in_half_a_minute() {
    let issuer = Issuer::new(&["a"]);
    let keys = keys(&issuer);
    assert_eq!(find(&keys, "a").await, Found::Known);
    for (round, fetches) in [(0, 2), (1, 3), (2, 4)] {
        for n in 0..1_000 {
            let found = find(&keys, &format!("{round}-{n}")).await;
            assert_eq!(found, Found::Unknown);
        }
        assert_eq!(issuer.fetches(), fetches);
        advance(AT_MOST - Duration::from_millis(1)).await;
        assert_eq!(find(&keys, "invented").await, Found::Unknown);
        assert_eq!(issuer.fetches(), fetches);
        advance(Duration::from_millis(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn known_keys_stay_while_the_issuer_is_away() {
    let issuer = Issuer::new(&["a"]);
    let keys = keys(&issuer);
    assert_eq!(find(&keys, "a").await, Found::Known);
    issuer.set(None);
    // Whether there is such a key cannot be said.
    assert_eq!(find(&keys, "b").await, Found::Unavailable);
    assert_eq!(find(&keys, "b").await, Found::Unavailable);
    assert_eq!(issuer.fetches(), 2);
    advance(REFRESH * 3).await;
    assert_eq!(find(&keys, "a").await, Found::Known);
    issuer.set(Some(&["b"]));
    advance(AT_MOST).await;
    assert_eq!(find(&keys, "b").await, Found::Known);
}

#[tokio::test(start_paused = true)]
async fn an_issuer_that_is_away_at_the_start_is_asked_again() {
    let issuer = Issuer::new(&[]);
    issuer.set(None);
    let keys = keys(&issuer);
    assert_eq!(find(&keys, "a").await, Found::Unavailable);
    issuer.set(Some(&["a"]));
    assert_eq!(find(&keys, "a").await, Found::Unavailable, "not so soon");
    advance(AT_MOST).await;
    assert_eq!(find(&keys, "a").await, Found::Known);
    assert_eq!(issuer.fetches(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_key_that_was_withdrawn_is_forgotten_with_the_next_refresh() {
    let issuer = Issuer::new(&["a", "b"]);
    let keys = keys(&issuer);
    assert_eq!(find(&keys, "b").await, Found::Known);
    issuer.set(Some(&["a"]));
    let mut current = keys.current.subscribe();
    advance(REFRESH).await;
    current.changed().await.unwrap();
    assert_eq!(find(&keys, "a").await, Found::Known);
    assert_eq!(find(&keys, "b").await, Found::Unknown);
}

#[test]
fn only_public_keys_for_signatures_are_taken() {
    let ec = json!({"kty": "EC", "crv": "P-256", "x": "AAAA", "y": "AAAA"});
    let with = |name: &str, value: &str| {
        let mut key = ec.clone();
        key[name] = value.into();
        key
    };
    for (key, is_taken) in [
        (ec.clone(), true),
        (with("use", "sig"), true),
        (with("alg", "ES256"), true),
        (with("use", "enc"), false),
        (with("alg", "ES384"), false),
        (with("crv", "P-384"), true),
        (with("crv", "P-521"), false),
        (with("alg", "HS256"), false),
        (with("x", "%"), false),
        (json!({"kty": "oct", "k": "AAAA"}), false),
        (json!({"kty": "oct", "k": "AAAA", "alg": "RS256"}), false),
        (json!({"kty": "lattice"}), false),
        (json!(7), false),
    ] {
        let set = json!({"keys": [key]});
        assert_eq!(Key::of_set(&set).len(), usize::from(is_taken), "{set}");
    }
    let many = json!({"keys": vec![ec; 1_000]});
    assert_eq!(Key::of_set(&many).len(), MOST_KEYS);
    assert!(Key::of_set(&json!({})).is_empty());
}

#[test]
fn without_an_id_only_one_key_may_fit() {
    let key = |kty: &str| json!({"kty": kty, "crv": "P-256", "x": "AA", "y": "AA", "n": "AA", "e": "AQAB"});
    let head = Head {
        algorithm: Algorithm::ES256,
        key: None,
    };
    for (kinds, is_found) in [
        (&["EC"][..], true),
        (&["EC", "RSA"], true),
        (&["EC", "EC"], false),
        (&["RSA"], false),
    ] {
        let keys: Vec<_> = kinds.iter().map(|it| key(it)).collect();
        let current = Current {
            keys: Key::of_set(&json!({"keys": keys})).into(),
            ..Current::default()
        };
        assert_eq!(current.find(&head).is_some(), is_found, "{kinds:?}");
    }
}
