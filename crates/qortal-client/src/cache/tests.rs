//! Tests of `cache`.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::advance;

use super::{AnswerMemory, Cache, ENTRY_BYTES, Found, LARGEST_PART};
use crate::{Access, call::RequestKey, transport::Received};

/// Room for four answers of 98 bytes under a path of two bytes.
const BUDGET: usize = LARGEST_PART * (ENTRY_BYTES + 100);

const SECOND: Duration = Duration::from_secs(1);

/// An answer that cost nothing.
const FREE: Duration = Duration::ZERO;

fn key(target: &str) -> RequestKey {
    (target.into(), None, Access::AnyNode)
}

fn keep(cache: &Cache, target: &str, bytes: usize) {
    cache.keep_forever(&key(target), &Received::good(vec![0; bytes]));
}

fn is_kept(cache: &Cache, target: &str) -> bool {
    cache.find_immutable(&key(target)).is_some()
}

#[test]
fn what_was_not_used_for_the_longest_time_makes_room() {
    let cache = Cache::new(BUDGET, FREE, None);
    for target in ["/a", "/b", "/c", "/d"] {
        keep(&cache, target, 98);
    }
    assert!(is_kept(&cache, "/a"), "it is used");
    keep(&cache, "/e", 98);
    let kept = ["/a", "/b", "/c", "/d", "/e"].map(|it| is_kept(&cache, it));
    assert_eq!(kept, [true, false, true, true, true]);
}

#[test]
fn a_large_answer_is_not_kept_and_removes_nothing() {
    let cache = Cache::new(BUDGET, FREE, None);
    keep(&cache, "/a", 98);
    keep(&cache, "/b", 99);
    assert!(is_kept(&cache, "/a") && !is_kept(&cache, "/b"));
}

#[test]
fn any_number_of_answers_stays_within_the_budget() {
    let budget = 100_000;
    let cache = Cache::new(budget, FREE, None);
    for number in 0..1_000 {
        keep(&cache, &format!("/{number}"), number);
        // Keeping it again counts once.
        keep(&cache, &format!("/{number}"), number);
    }
    let usage = cache.usage();
    assert!(usage.bytes <= budget && usage.bytes > budget - 2_000);
    let entries = cache.entries();
    assert_eq!(entries.answers.len(), entries.order.len());
    let bytes: usize = entries.answers.values().map(|it| it.bytes).sum();
    assert_eq!(bytes, entries.bytes);
}

#[test]
fn without_a_budget_or_memory_nothing_is_kept() {
    let none_granted = AnswerMemory::new(|| Box::new(|_| false));
    for cache in [
        Cache::new(0, SECOND, None),
        Cache::new(BUDGET, SECOND, Some(none_granted)),
    ] {
        keep(&cache, "/a", 1);
        assert!(!is_kept(&cache, "/a"));
    }
}

#[test]
fn the_memory_that_is_asked_for_is_what_is_kept() {
    let most = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&most);
    let memory = AnswerMemory::new(move || {
        let seen = Arc::clone(&seen);
        Box::new(move |bytes| {
            seen.fetch_max(bytes, Ordering::Relaxed);
            true
        })
    });
    let cache = Cache::new(BUDGET, FREE, Some(memory));
    for number in 0..100 {
        keep(&cache, &format!("/{number}"), 50);
    }
    let most = most.load(Ordering::Relaxed);
    assert!(most <= BUDGET && most >= cache.usage().bytes);
}

/// What is found, in one word.
fn found(cache: &Cache) -> &'static str {
    match cache.find(&key("/a")) {
        Found::Answer(_) => "answer",
        Found::Due(_) => "due",
        Found::Nothing => "nothing",
    }
}

fn keep_recent(cache: &Cache, target: &str, cost: Duration) {
    cache.keep_recent(&key(target), &Received::good("x"), cache.generation(), cost);
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_fresh_then_asked_for_by_one_and_then_gone() {
    let cache = Cache::new(BUDGET, SECOND, None);
    for (cost, fresh) in [
        (FREE, SECOND),
        (Duration::from_millis(150), SECOND * 3 / 2),
        (SECOND, SECOND * 2),
    ] {
        keep_recent(&cache, "/a", cost);
        advance(fresh - Duration::from_millis(1)).await;
        assert_eq!(found(&cache), "answer");
        advance(Duration::from_millis(1)).await;
        let Found::Due(refresh) = cache.find(&key("/a")) else {
            panic!("it is due");
        };
        assert_eq!([found(&cache), found(&cache)], ["answer", "answer"]);
        drop(refresh);
        assert_eq!(found(&cache), "due", "who asked has gone");
        advance(fresh).await;
        assert_eq!(found(&cache), "nothing");
    }
    assert_eq!(cache.usage().bytes, 0);
}

#[test]
fn a_new_block_ends_what_may_have_changed() {
    let cache = Cache::new(BUDGET, SECOND, None);
    keep(&cache, "/b", 1);
    keep_recent(&cache, "/a", FREE);
    let before = cache.generation();
    cache.forget_recent();
    assert_eq!(found(&cache), "nothing");
    assert!(is_kept(&cache, "/b"));
    cache.keep_recent(&key("/a"), &Received::good("x"), before, FREE);
    assert_eq!(found(&cache), "nothing", "it may be from before the block");
    keep_recent(&cache, "/a", FREE);
    assert_eq!(found(&cache), "answer");
}

#[test]
fn news_of_one_resource_ends_what_is_kept_of_it() {
    let cache = Cache::new(BUDGET, SECOND, None);
    keep_recent(&cache, "/a", FREE);
    cache.forget_below("/chat/");
    assert_eq!(found(&cache), "answer");
    cache.forget_below("/a");
    assert_eq!(found(&cache), "nothing");
}

#[test]
fn hits_and_misses_are_counted() {
    let cache = Cache::new(BUDGET, SECOND, None);
    assert_eq!(found(&cache), "nothing");
    keep_recent(&cache, "/a", FREE);
    assert_eq!([found(&cache), found(&cache)], ["answer", "answer"]);
    let usage = cache.usage();
    assert_eq!((usage.hits, usage.misses, usage.entries), (2, 1, 1));
}
