//! Tests of `permits`.

use std::time::Duration;

use tokio::time::Instant;

use super::{Hedges, MOST_SAVED, Permit, Permits};
use crate::Tier;

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
    for (limit, slow) in [(1, 1), (2, 1), (4, 2), (8, 4), (9, 4)] {
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
async fn requests_begin_at_a_distance() {
    let permits = Permits::new(8, Duration::from_millis(100));
    let began = Instant::now();
    let until = began + Duration::from_secs(10);
    for _ in 0..3 {
        let _permit = permits.acquire(Tier::Quick, until).await.unwrap();
    }
    assert_eq!(began.elapsed(), Duration::from_millis(200));
}

#[test]
fn no_more_than_five_in_a_hundred_are_sent_twice() {
    let hedges = Hedges::default();
    let asked = 1_000;
    let sent_twice = (0..asked).filter(|_| {
        hedges.earn();
        hedges.spend()
    });
    assert_eq!(sent_twice.count(), asked / 20);
}

#[test]
fn what_is_saved_is_bounded() {
    let hedges = Hedges::default();
    for _ in 0..100_000 {
        hedges.earn();
    }
    let mut spent = 0;
    while hedges.spend() {
        spent += 1;
    }
    assert_eq!(spent, MOST_SAVED);
}
