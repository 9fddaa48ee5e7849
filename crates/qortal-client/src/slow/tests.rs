//! Tests of `slow`.

use std::{iter::from_fn, time::Duration};

use futures_util::FutureExt;

use super::{LONG_AT_FIRST, SlowPlace, SlowPlaces};

const SECOND: Duration = Duration::from_secs(1);
const MILLI: Duration = Duration::from_millis(1);

/// All places that are free.
fn take(places: &SlowPlaces) -> Vec<SlowPlace<'_>> {
    from_fn(|| places.take().now_or_never().flatten()).collect()
}

/// How many places there are, when all are free.
fn count(places: &SlowPlaces) -> usize {
    take(places).len()
}

#[test]
fn few_are_let_through_while_requests_are_long() {
    let places = SlowPlaces::new(6);
    let mut taken = take(&places);
    assert_eq!(taken.len(), 6);
    places.is_long();
    // While too many are taken, answers that come soon show nothing.
    (0..10).for_each(|_| places.answered(MILLI));
    for left in [5, 4, 3, 2] {
        taken.pop();
        assert_eq!((taken.len(), count(&places)), (left, 0));
    }
    taken.pop();
    assert_eq!(count(&places), 1);
    places.is_long();
    taken.clear();
    assert_eq!(count(&places), LONG_AT_FIRST);
}

#[test]
fn one_more_is_let_through_after_two_rounds_of_answers() {
    let places = SlowPlaces::new(6);
    places.is_long();
    let mut taken = take(&places);
    assert_eq!(taken.len(), LONG_AT_FIRST);
    for (answers, more) in [(3, 0), (1, 1), (5, 0), (1, 1), (8, 1), (10, 1), (100, 0)] {
        (0..answers).for_each(|_| places.answered(SECOND));
        let new = take(&places);
        assert_eq!(new.len(), more, "after {answers} of {}", taken.len());
        taken.extend(new);
    }
    assert_eq!(taken.len(), 6);
}

#[test]
fn one_more_is_let_through_for_each_answer_that_comes_soon() {
    let places = SlowPlaces::new(6);
    places.is_long();
    let mut taken = take(&places);
    for _ in 0..4 {
        places.answered(MILLI);
        taken.extend(take(&places));
    }
    assert_eq!(taken.len(), 6);
    drop(taken);
    places.is_long();
    assert_eq!(
        count(&places),
        LONG_AT_FIRST,
        "nothing is known of long ones"
    );
}

#[test]
fn no_more_are_let_through_while_places_are_free() {
    let places = SlowPlaces::new(6);
    places.is_long();
    (0..100).for_each(|_| places.answered(SECOND));
    assert_eq!(count(&places), LONG_AT_FIRST);
}

fn check_halved(strain: impl Fn(&SlowPlaces)) {
    let places = SlowPlaces::new(6);
    let mut taken = take(&places);
    // Until the last of those too many has ended, nothing new is learned.
    (0..3).for_each(|_| strain(&places));
    for left in [5, 4, 3] {
        taken.pop();
        assert_eq!((taken.len(), count(&places)), (left, 0));
    }
    taken.pop();
    assert_eq!(count(&places), 1);
    (0..10).for_each(|_| strain(&places));
    taken.clear();
    assert_eq!(count(&places), 1, "one is always let through");
}

#[test]
fn half_as_many_are_let_through_when_one_is_not_answered() {
    check_halved(SlowPlaces::not_answered);
}

#[test]
fn half_as_many_are_let_through_when_the_trivial_takes_long() {
    check_halved(|places| {
        places.answered_trivial(2 * MILLI);
        places.answered_trivial(8 * MILLI);
        places.answered_trivial(20 * MILLI);
    });
}

#[test]
fn what_the_trivial_always_takes_is_no_strain() {
    let places = SlowPlaces::new(6);
    for millis in [200, 150, 180, 300] {
        places.answered_trivial(millis * MILLI);
    }
    assert_eq!(count(&places), 6);
}
