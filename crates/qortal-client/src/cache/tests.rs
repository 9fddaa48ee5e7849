//! Tests of `cache`.

use std::{
    future::{pending, ready},
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{sync::oneshot, time::advance};

use super::{Cache, ENTRY_BYTES, Found, LARGEST_PART};
use crate::{
    Access, AnswerMemory, Endpoint, NodeConfig, NodeError, NodeErrorKind,
    call::{Request, RequestKey},
    transport::Received,
};

/// Room for four answers of 98 bytes under a path of two bytes.
const BUDGET: usize = LARGEST_PART * (ENTRY_BYTES + 100);

const SECOND: Duration = Duration::from_secs(1);

/// An answer that cost nothing.
const FREE: Duration = Duration::ZERO;

fn cache(budget: usize, time: Duration, memory: Option<AnswerMemory>) -> Cache {
    let config = NodeConfig::new("http://node")
        .with_cache_bytes(budget)
        .with_cache_time(time)
        .with_memory(memory);
    Cache::new(&config)
}

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
    let cache = cache(BUDGET, FREE, None);
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
    let cache = cache(BUDGET, FREE, None);
    keep(&cache, "/a", 98);
    keep(&cache, "/b", 99);
    assert!(is_kept(&cache, "/a") && !is_kept(&cache, "/b"));
}

#[test]
fn any_number_of_answers_stays_within_the_budget() {
    let budget = 100_000;
    let cache = cache(budget, FREE, None);
    for number in 0..1_000 {
        keep(&cache, &format!("/{number}"), number);
        // Keeping it again counts once.
        keep(&cache, &format!("/{number}"), number);
    }
    let usage = cache.usage();
    assert!(usage.bytes <= budget && usage.bytes > budget - 2_000);
    let state = cache.state.lock();
    assert_eq!(state.answers.len(), state.order.len());
    let bytes: usize = state.answers.values().map(|it| it.bytes).sum();
    assert_eq!(bytes, state.bytes);
}

#[test]
fn without_a_budget_or_memory_nothing_is_kept() {
    let none_granted = AnswerMemory::new(|| Box::new(|_| false));
    for cache in [
        cache(0, SECOND, None),
        cache(BUDGET, SECOND, Some(none_granted)),
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
    let cache = cache(BUDGET, FREE, Some(memory));
    for number in 0..100 {
        keep(&cache, &format!("/{number}"), 50);
    }
    let most = most.load(Ordering::Relaxed);
    assert!(most <= BUDGET && most >= cache.usage().bytes);
}

/// What is found, in one word: while one caller asks, others are given what is kept.
fn found(cache: &Cache) -> &'static str {
    let find = || cache.find(key("/a"), true);
    match find() {
        Found::Answer(_) => "answer",
        Found::InFlight(_asked) => match find() {
            Found::Answer(_) => "due",
            Found::InFlight(_) => "nothing",
        },
    }
}

fn keep_recent(cache: &Cache, target: &str, cost: Duration) {
    cache.keep_recent(&key(target), &Received::good("x"), cache.generation(), cost);
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_fresh_then_asked_for_by_one_and_then_gone() {
    let cache = cache(BUDGET, SECOND, None);
    for (cost, fresh) in [
        (FREE, SECOND),
        (Duration::from_millis(150), SECOND * 3 / 2),
        (SECOND, SECOND * 2),
    ] {
        keep_recent(&cache, "/a", cost);
        advance(fresh - Duration::from_millis(1)).await;
        assert_eq!(found(&cache), "answer");
        advance(Duration::from_millis(1)).await;
        let Found::InFlight(refresh) = cache.find(key("/a"), true) else {
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
    let cache = cache(BUDGET, SECOND, None);
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
    let cache = cache(BUDGET, SECOND, None);
    keep_recent(&cache, "/a", FREE);
    cache.forget_below("/chat/");
    assert_eq!(found(&cache), "answer");
    cache.forget_below("/a");
    assert_eq!(found(&cache), "nothing");
}

#[test]
fn hits_and_misses_are_counted() {
    let cache = cache(BUDGET, SECOND, None);
    assert!(matches!(cache.find(key("/a"), true), Found::InFlight(_)));
    keep_recent(&cache, "/a", FREE);
    assert_eq!([found(&cache), found(&cache)], ["answer", "answer"]);
    let usage = cache.usage();
    assert_eq!((usage.hits, usage.misses, usage.entries), (2, 1, 1));
}

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Asks with `ask`, or joins who asks the same.
async fn get(
    cache: &Cache,
    target: &str,
    ask: impl Future<Output = &'static str>,
) -> Result<Vec<u8>, NodeError> {
    let ask = Mutex::new(Some(ask));
    let ask = || {
        let once = ask.lock().take().expect("it is sent once");
        async {
            match once.await {
                "" => Err(NodeError::new(Endpoint::Name, NodeErrorKind::Unreachable)),
                body => Ok(Received::good(body)),
            }
        }
    };
    let answer = cache.get(&request(target), ask).await?;
    Ok(answer.body.to_vec())
}

fn request(target: &str) -> Request {
    Request {
        endpoint: Endpoint::Name,
        access: Access::AnyNode,
        target: target.into(),
        body: None,
        up_to: None,
        trace_parent: None,
    }
}

fn in_flight(cache: &Cache) -> usize {
    cache.state.lock().in_flight.len()
}

fn is_ready(polled: Poll<Result<Vec<u8>, NodeError>>, body: &str) -> bool {
    matches!(polled, Poll::Ready(Ok(it)) if it == body.as_bytes())
}

#[test]
fn a_caller_during_the_request_shares_its_result() {
    let cache = cache(0, FREE, None);
    let (finish, work) = oneshot::channel();
    let mut first = pin!(get(&cache, "/a", async { work.await.unwrap() }));
    let mut second = pin!(get(&cache, "/a", async { panic!("it is sent twice") }));
    let mut other = pin!(get(&cache, "/b", ready("2")));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    assert!(is_ready(poll(other.as_mut()), "2"));
    finish.send("1").unwrap();
    assert!(is_ready(poll(first), "1"));
    assert!(is_ready(poll(second), "1"));
    assert_eq!(in_flight(&cache), 0);
}

#[test]
fn a_failure_is_shared_and_not_kept() {
    let cache = cache(BUDGET, SECOND, None);
    let (finish, work) = oneshot::channel();
    let mut first = pin!(get(&cache, "/a", async { work.await.unwrap() }));
    let mut second = pin!(get(&cache, "/a", async { panic!("it is sent twice") }));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    finish.send("").unwrap();
    assert!(matches!(poll(first), Poll::Ready(Err(_))));
    assert!(matches!(poll(second), Poll::Ready(Err(_))));
    assert!(is_ready(poll(pin!(get(&cache, "/a", ready("1")))), "1"));
}

#[test]
fn a_later_caller_sends_a_new_request() {
    let cache = cache(0, FREE, None);
    for body in ["1", "2", "3"] {
        assert!(is_ready(poll(pin!(get(&cache, "/a", ready(body)))), body));
    }
}

#[test]
fn when_the_first_caller_goes_the_next_takes_over() {
    let cache = cache(0, FREE, None);
    let mut first = Box::pin(get(&cache, "/a", pending()));
    let mut second = pin!(get(&cache, "/a", ready("2")));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    drop(first);
    assert!(is_ready(poll(second), "2"));
    assert_eq!(in_flight(&cache), 0);
}

#[test]
fn nothing_is_left_when_all_callers_go() {
    let cache = cache(0, FREE, None);
    let mut both: Vec<_> = (0..2)
        .map(|_| Box::pin(get(&cache, "/a", pending())))
        .collect();
    for one in &mut both {
        assert!(poll(one.as_mut()).is_pending());
    }
    assert_eq!(in_flight(&cache), 1);
    drop(both);
    assert_eq!(in_flight(&cache), 0);
}
