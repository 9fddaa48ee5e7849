//! Tests of `upstream`.

use std::time::Duration;

use qortal_types::Height;
use tokio::time::{Instant, advance};

use super::{Breaker, COMPARED, Circuit, Permit, Permits, StatedHeight, TRIAL_AFTER, Upstream};
use crate::{Config, Endpoint, NodeError, NodeErrorKind, Tier};

#[tokio::test(start_paused = true)]
async fn an_open_circuit_lets_one_request_through_after_each_cool_down() {
    let breaker = Breaker::new(Duration::from_secs(60));
    assert!(breaker.admits() && breaker.admits());
    assert_eq!(breaker.open(Instant::now()), Some(true));
    assert_eq!(
        breaker.open(Instant::now()),
        Some(false),
        "it was so already"
    );
    assert_eq!(breaker.circuit(), Circuit::Open);
    for _ in 0..2 {
        assert!(!breaker.admits());
        advance(Duration::from_secs(61)).await;
        assert_eq!(breaker.circuit(), Circuit::HalfOpen);
        assert!(breaker.admits());
    }
    assert!(!breaker.admits());
    assert!(breaker.close(Instant::now()));
    assert!(!breaker.close(Instant::now()), "it was so already");
    assert_eq!(breaker.circuit(), Circuit::Closed);
    assert!(breaker.admits() && breaker.admits());
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_before_the_last_change_changes_nothing() {
    let breaker = Breaker::new(Duration::from_secs(60));
    let early = Instant::now();
    advance(Duration::from_secs(1)).await;
    assert_eq!(breaker.open(Instant::now()), Some(true));
    assert!(!breaker.close(early));
    assert_eq!(breaker.circuit(), Circuit::Open);
    advance(Duration::from_secs(59)).await;
    assert_eq!(breaker.open(early), None);
    advance(Duration::from_secs(2)).await;
    assert_eq!(breaker.circuit(), Circuit::HalfOpen, "it rests no longer");
    assert!(breaker.close(Instant::now()));
    assert_eq!(breaker.open(early), None);
    assert_eq!(breaker.circuit(), Circuit::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_height_stays_certain_when_what_was_sent_before_the_node_was_back_fails() {
    let url = "http://localhost:12391";
    let upstream = Upstream::new(&Config::new(url), 0, url, None).unwrap();
    let error = || NodeError::new(Endpoint::BlocksHeight, NodeErrorKind::Unreachable);
    upstream.height.set(Height::new(5));
    let early = Instant::now();
    advance(Duration::from_secs(1)).await;
    upstream.failed(error(), Instant::now());
    assert_eq!(upstream.height.current(), None);
    upstream.breaker.close(Instant::now());
    upstream.height.set(Height::new(6));
    upstream.failed(error(), early);
    assert_eq!(upstream.height.current(), Some(6));
}

#[tokio::test(start_paused = true)]
async fn any_cool_down_is_possible() {
    let breaker = Breaker::new(Duration::MAX);
    breaker.open(Instant::now());
    assert!(!breaker.admits());
    let breaker = Breaker::new(Duration::ZERO);
    breaker.open(Instant::now());
    assert!(breaker.admits());
}

#[tokio::test(start_paused = true)]
async fn a_height_is_compared_while_it_is_new() {
    let stated = StatedHeight::default();
    assert_eq!((stated.last(), stated.current()), (None, None));
    stated.set(Height::new(5));
    advance(COMPARED).await;
    assert_eq!(stated.current(), Some(5));
    assert_eq!(stated.stated_within(Duration::from_secs(15)), None);
    advance(Duration::from_secs(1)).await;
    assert_eq!(
        (stated.last(), stated.current()),
        (Some(Height::new(5)), None)
    );
    stated.set(Height::new(6));
    stated.doubt();
    assert_eq!((stated.reached(), stated.current()), (Some(6), None));
    assert_eq!(
        (stated.last(), stated.current()),
        (Some(Height::new(6)), None)
    );
}

async fn at_once(permits: &Permits, tier: Tier) -> Option<Permit<'_>> {
    permits.acquire(tier, Instant::now()).await
}

async fn check(limit: usize, slow: usize) {
    let permits = Permits::new(limit, Duration::ZERO);
    let mut taken = Vec::new();
    while let Some(permit) = at_once(&permits, Tier::Slow).await {
        taken.push(permit);
    }
    assert_eq!(taken.len(), slow, "of {limit}");
    while let Some(permit) = at_once(&permits, Tier::Quick).await {
        taken.push(permit);
    }
    assert_eq!(taken.len(), limit);
}

#[tokio::test(start_paused = true)]
async fn slow_requests_leave_places_to_quick_ones() {
    for (limit, slow) in [(1, 1), (2, 1), (4, 3), (8, 6), (9, 6)] {
        check(limit, slow).await;
    }
}

#[tokio::test(start_paused = true)]
async fn those_that_wait_are_counted_until_they_give_up() {
    let permits = Permits::new(1, Duration::ZERO);
    let _first = at_once(&permits, Tier::Quick).await.unwrap();
    assert_eq!(permits.waiting(), 0);
    let until = Instant::now() + Duration::from_secs(1);
    let look = async {
        tokio::task::yield_now().await;
        permits.waiting()
    };
    let (second, waiting) = tokio::join!(permits.acquire(Tier::Quick, until), look);
    assert!(second.is_none());
    assert_eq!((waiting, permits.waiting()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn who_waits_too_long_may_try_one_at_a_time() {
    let permits = Permits::new(4, Duration::ZERO);
    let until = Instant::now() + Duration::from_secs(60);
    let mut taken = Vec::new();
    for _ in 0..4 {
        taken.push(permits.acquire(Tier::Slow, until).await.unwrap());
    }
    assert!(permits.acquire(Tier::Slow, until).await.is_none());
    taken.pop();
    assert!(
        permits
            .acquire(Tier::Slow, until + TRIAL_AFTER)
            .await
            .is_some()
    );
}

#[tokio::test(start_paused = true)]
async fn what_takes_too_long_gives_its_place_back_within_a_bound() {
    let permits = Permits::new(2, Duration::ZERO);
    let mut waiting = Vec::new();
    for _ in 0..3 {
        let mut permit = at_once(&permits, Tier::Slow).await.unwrap();
        permits.give_back(&mut permit);
        waiting.push(permit);
    }
    assert!(at_once(&permits, Tier::Slow).await.is_none());
    waiting.clear();
    assert!(at_once(&permits, Tier::Slow).await.is_some());
}

#[tokio::test(start_paused = true)]
async fn requests_begin_at_a_distance() {
    let permits = Permits::new(8, Duration::from_millis(100));
    let began = Instant::now();
    let until = began + Duration::from_secs(10);
    for _ in 0..3 {
        permits.acquire(Tier::Quick, until).await.unwrap();
    }
    assert_eq!(began.elapsed(), Duration::from_millis(200));
}
