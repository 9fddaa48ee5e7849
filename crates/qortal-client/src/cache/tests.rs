//! Tests of `cache`.

use bytes::Bytes;

use super::Cache;

#[test]
fn the_oldest_answer_makes_room() {
    // Each entry takes 2 + 98 bytes.
    let cache = Cache::new(200);
    let body = Bytes::from(vec![0; 98]);
    for key in ["a", "b", "c"] {
        cache.keep(key, &body);
    }
    assert_eq!(cache.find("a"), None);
    assert_eq!(cache.find("b"), Some(body.clone()));
    assert_eq!(cache.find("c"), Some(body));
}

#[test]
fn an_answer_over_the_budget_is_not_kept_and_drives_nothing_out() {
    let cache = Cache::new(200);
    cache.keep("a", &Bytes::from_static(b"small"));
    cache.keep("b", &Bytes::from(vec![0; 199]));
    assert_eq!(cache.find("b"), None);
    assert_eq!(cache.find("a"), Some(Bytes::from_static(b"small")));
}

#[test]
fn keeping_twice_counts_once() {
    let cache = Cache::new(200);
    let body = Bytes::from(vec![0; 98]);
    cache.keep("a", &body);
    cache.keep("a", &body);
    cache.keep("b", &body);
    assert!(cache.find("a").is_some() && cache.find("b").is_some());
}

#[test]
fn without_a_budget_nothing_is_kept() {
    let cache = Cache::new(0);
    cache.keep("", &Bytes::new());
    cache.keep("a", &Bytes::from_static(b"x"));
    assert_eq!(cache.find("a"), None);
    assert_eq!(cache.find(""), None);
}
