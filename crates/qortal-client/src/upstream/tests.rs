//! Tests of `upstream`.

use std::time::Duration;

use qortal_types::Height;
use tokio::time::{Instant, advance};

use super::{Breaker, Circuit, StatedHeight, Upstream};
use crate::{Config, Endpoint, NodeError, NodeErrorKind};

const MINUTE: Duration = Duration::from_secs(60);

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
    assert_eq!(upstream.height.within(MINUTE), None);
    upstream.breaker.close(Instant::now());
    upstream.height.set(Height::new(6));
    upstream.failed(error(), early);
    assert_eq!(upstream.height.within(MINUTE), Some(Height::new(6)));
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
    let now = || (stated.last(), stated.within(MINUTE));
    assert_eq!(now(), (None, None));
    let five = Height::new(5);
    stated.set(five);
    advance(MINUTE).await;
    assert_eq!(now(), (Some(five), Some(five)));
    advance(Duration::from_secs(1)).await;
    assert_eq!(now(), (Some(five), None));
    let six = Height::new(6);
    stated.set(six);
    assert_eq!(now(), (Some(six), Some(six)));
    stated.doubt();
    assert_eq!(now(), (Some(six), None));
}

#[tokio::test(start_paused = true)]
async fn silence_is_known_for_a_while_after_the_last_failure() {
    let breaker = Breaker::new(MINUTE);
    assert_eq!(breaker.silent_for(MINUTE), None);
    breaker.open(Instant::now());
    advance(Duration::from_secs(61)).await;
    assert_eq!(breaker.silent_for(MINUTE), None);
    breaker.open(Instant::now());
    assert_eq!(breaker.silent_for(MINUTE), Some(Duration::from_secs(61)));
    breaker.close(Instant::now());
    assert_eq!(breaker.silent_for(MINUTE), None);
}
