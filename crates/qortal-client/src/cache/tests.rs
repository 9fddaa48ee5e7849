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
        cache.keep(key, &body);
    }
    assert_eq!(cache.find("/a"), None);
    assert_eq!(cache.find("/b"), Some(body.clone()));
    assert_eq!(cache.find("/c"), Some(body));
}

#[test]
fn an_answer_over_the_budget_is_not_kept_and_removes_nothing() {
    let cache = Cache::new(BUDGET);
    cache.keep("/a", b"small");
    cache.keep("/b", &vec![0; BUDGET]);
    assert_eq!(cache.find("/b"), None);
    assert_eq!(cache.find("/a"), Some(Bytes::from_static(b"small")));
}

#[test]
fn keeping_twice_counts_once() {
    let cache = Cache::new(BUDGET);
    let body = vec![0; 98];
    cache.keep("/a", &body);
    cache.keep("/a", &body);
    cache.keep("/b", &body);
    assert!(cache.find("/a").is_some() && cache.find("/b").is_some());
}

#[test]
fn any_number_of_answers_stays_within_the_budget() {
    let budget = 10_000;
    let cache = Cache::new(budget);
    for number in 0..1_000 {
        cache.keep(&format!("/{number}"), &vec![0; number]);
    }
    let kept = cache.kept.lock().unwrap();
    assert!(kept.bytes <= budget && kept.bytes > budget - 2_000);
    assert_eq!(kept.answers.len(), kept.order.len());
}

#[test]
fn without_a_budget_nothing_is_kept() {
    let cache = Cache::new(0);
    cache.keep("", b"");
    cache.keep("/a", b"x");
    assert_eq!(cache.find("/a"), None);
    assert_eq!(cache.find(""), None);
}
