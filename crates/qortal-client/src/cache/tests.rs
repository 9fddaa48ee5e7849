//! Tests of `cache`.

use bytes::Bytes;

use super::{Cache, ENTRY_BYTES};

/// Room for two answers of 98 bytes under a path of two bytes.
const BUDGET: usize = 2 * (ENTRY_BYTES + 100);

#[test]
fn the_oldest_answer_makes_room() {
    let cache = Cache::new(BUDGET);
    let body = Bytes::from(vec![0; 98]);
    for key in ["/a", "/b", "/c"] {
        cache.insert(&key.into(), &body);
    }
    assert_eq!(cache.get("/a"), None);
    assert_eq!(cache.get("/b"), Some(body.clone()));
    assert_eq!(cache.get("/c"), Some(body));
}

#[test]
fn an_answer_over_the_budget_is_not_kept_and_removes_nothing() {
    let cache = Cache::new(BUDGET);
    cache.insert(&"/a".into(), b"small");
    cache.insert(&"/b".into(), &vec![0; BUDGET]);
    assert_eq!(cache.get("/b"), None);
    assert_eq!(cache.get("/a"), Some(Bytes::from_static(b"small")));
}

#[test]
fn keeping_twice_counts_once() {
    let cache = Cache::new(BUDGET);
    let body = vec![0; 98];
    cache.insert(&"/a".into(), &body);
    cache.insert(&"/a".into(), &body);
    cache.insert(&"/b".into(), &body);
    assert!(cache.get("/a").is_some() && cache.get("/b").is_some());
}

#[test]
fn any_number_of_answers_stays_within_the_budget() {
    let budget = 10_000;
    let cache = Cache::new(budget);
    for number in 0..1_000 {
        cache.insert(&format!("/{number}").into(), &vec![0; number]);
    }
    let entries = cache.entries.lock().unwrap();
    assert!(entries.bytes <= budget && entries.bytes > budget - 2_000);
    assert_eq!(entries.answers.len(), entries.order.len());
}

#[test]
fn without_a_budget_nothing_is_kept() {
    let cache = Cache::new(0);
    cache.insert(&"".into(), b"");
    cache.insert(&"/a".into(), b"x");
    assert_eq!(cache.get("/a"), None);
    assert_eq!(cache.get(""), None);
}
