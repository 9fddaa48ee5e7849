//! Tests of `race`: each row is the knowledge about the nodes, then events with the step that follows each.

use super::{
    Event::{self, Answered, Busy, Failed, Late, News, Started},
    Race,
    Standing::{self, Away, Behind, Well},
    Step::{self, GiveUp, Return, Start, Wait},
};

const OWN: bool = true;
const PUBLIC: bool = false;
/// The nodes stay as they were.
const SAME: &[Standing] = &[];

fn good(lane: usize) -> Event {
    let is_behind = false;
    Answered { lane, is_behind }
}

fn stale(lane: usize) -> Event {
    let is_behind = true;
    Answered { lane, is_behind }
}

/// Each turn is what is known of the nodes by then, an event, and the step.
fn check(nodes: &[(bool, Standing)], turns: &[(&[Standing], Event, Step)]) {
    let mut race = Race::new(nodes.iter().copied());
    for (number, (known, event, expected)) in turns.iter().enumerate() {
        race.learn(known.iter().copied());
        let step = race.on(*event);
        assert_eq!(step, *expected, "{nodes:?}, event {number}: {event:?}");
    }
}

#[test]
fn best_node_is_queried_first() {
    for (nodes, first) in [
        (&[][..], GiveUp),
        (&[(OWN, Well), (OWN, Well)], Start(0)),
        (&[(OWN, Away), (OWN, Well)], Start(1)),
        (&[(OWN, Away), (PUBLIC, Well)], Start(1)),
        (&[(OWN, Behind(20)), (PUBLIC, Well)], Start(1)),
        (&[(OWN, Behind(20)), (OWN, Behind(11))], Start(1)),
        (&[(OWN, Away), (OWN, Behind(20))], Start(1)),
        // While none answers, the configured order counts.
        (&[(OWN, Away), (OWN, Away)], Start(0)),
        (&[(OWN, Away), (PUBLIC, Away)], Start(0)),
    ] {
        check(nodes, &[(SAME, Started, first)]);
    }
}

#[test]
fn next_node_is_queried_after_a_failure() {
    let three = [(OWN, Well), (OWN, Away), (PUBLIC, Well)];
    check(
        &three,
        &[(SAME, Started, Start(0)), (SAME, good(0), Return(0))],
    );
    check(
        &three,
        &[
            (SAME, Started, Start(0)),
            (&[Away, Away, Well], Failed(0), Start(2)),
            (&[Away, Away, Away], Failed(2), Start(1)),
            (SAME, Failed(1), GiveUp),
        ],
    );
}

#[test]
fn overload_of_an_own_node_does_not_burden_public_ones() {
    for (nodes, step) in [
        ([(OWN, Well), (OWN, Well)], Start(1)),
        ([(OWN, Well), (OWN, Away)], Start(1)),
        ([(OWN, Well), (PUBLIC, Well)], Return(0)),
    ] {
        check(&nodes, &[(SAME, Started, Start(0)), (SAME, Busy(0), step)]);
    }
    let public = [(OWN, Away), (PUBLIC, Well), (PUBLIC, Well)];
    check(
        &public,
        &[(SAME, Started, Start(1)), (SAME, Busy(1), Start(2))],
    );
}

#[test]
fn late_request_is_sent_to_one_more_own_node_that_is_well() {
    for (second, step) in [
        ((OWN, Well), Start(1)),
        ((OWN, Behind(20)), Wait),
        ((OWN, Away), Wait),
        ((PUBLIC, Well), Wait),
    ] {
        let nodes = [(OWN, Well), second];
        let turns = [
            (SAME, Started, Start(0)),
            (SAME, News, Wait),
            (SAME, Late, step),
        ];
        check(&nodes, &turns);
        let mut race = Race::new(nodes.into_iter());
        race.on(News);
        assert_eq!(race.can_hedge(), second == (OWN, Well), "{second:?}");
    }
    let well = [(OWN, Well); 2];
    let sent_twice = [(SAME, Started, Start(0)), (SAME, Late, Start(1))];
    let [first, second] = sent_twice;
    let turns = [
        first,
        second,
        (SAME, Failed(0), Wait),
        (SAME, good(1), Return(1)),
    ];
    check(&well, &turns);
    let turns = [
        first,
        second,
        (SAME, Failed(1), Wait),
        (SAME, Failed(0), GiveUp),
    ];
    check(&well, &turns);
}

#[test]
fn whichever_is_back_first_is_not_kept_waiting_by_another() {
    // No public node is queried while an own one may still answer, unless it is known to answer.
    let away = [(OWN, Away), (OWN, Away), (PUBLIC, Away)];
    let both = [(SAME, Started, Start(0)), (SAME, Started, Start(1))];
    let [first, second] = both;
    check(
        &away,
        &[
            first,
            second,
            (SAME, News, Wait),
            (SAME, Failed(0), Wait),
            (SAME, Failed(1), Start(2)),
        ],
    );
    check(
        &away,
        &[first, second, (&[Away, Away, Well], News, Start(2))],
    );
    // One that is back is queried although another one is about to answer, and again if it failed before.
    let turns = [(SAME, Started, Start(1)), (&[Well, Well], News, Start(0))];
    check(&[(OWN, Away), (OWN, Well)], &turns);
    check(
        &[(OWN, Well); 2],
        &[
            first,
            (&[Away, Well], Failed(0), Start(1)),
            (SAME, News, Wait),
            (&[Well, Well], News, Start(0)),
            (SAME, good(0), Return(0)),
        ],
    );
    check(
        &[(OWN, Well); 2],
        &[
            first,
            (&[Away, Well], Failed(0), Start(1)),
            (&[Behind(20), Well], News, Wait),
            (&[Behind(20), Away], News, Start(0)),
        ],
    );
}

#[test]
fn answer_of_a_node_that_is_behind_waits_for_a_better_one() {
    let behind = Behind(20);
    for (first, turns) in [
        // None is better, as far as is known.
        (Away, &[(SAME, stale(1), Return(1))][..]),
        (Behind(30), &[(SAME, stale(1), Return(1))]),
        // One is by now.
        (
            Away,
            &[
                (&[Well, behind], stale(1), Start(0)),
                (SAME, good(0), Return(0)),
            ],
        ),
        (
            Away,
            &[
                (&[Well, behind], stale(1), Start(0)),
                (SAME, News, Wait),
                (SAME, Failed(0), Return(1)),
            ],
        ),
        (
            Away,
            &[
                (&[Well, behind], stale(1), Start(0)),
                (&[Away, behind], News, Return(1)),
            ],
        ),
    ] {
        let nodes = [(OWN, first), (OWN, behind)];
        let begun = (SAME, Started, Start(1));
        check(&nodes, &[&[begun], turns].concat());
    }
    // A node was thought to be well, and states that it is not.
    check(
        &[(OWN, Well); 2],
        &[
            (SAME, Started, Start(0)),
            (&[behind, Well], stale(0), Start(1)),
            (SAME, good(1), Return(1)),
        ],
    );
    // Both are behind: the one with more blocks counts, whichever answered last.
    check(
        &[(OWN, Away), (OWN, behind)],
        &[
            (SAME, Started, Start(1)),
            (&[Well, behind], stale(1), Start(0)),
            (&[Behind(30), behind], stale(0), Return(1)),
        ],
    );
    // A better one is under way.
    check(
        &[(OWN, Well); 2],
        &[
            (SAME, Started, Start(0)),
            (SAME, Late, Start(1)),
            (&[Well, behind], stale(1), Wait),
            (SAME, Failed(0), Return(1)),
        ],
    );
}

/// A node that is not ready answers all the same: it is queried again after a while, and not at once.
#[test]
fn node_that_failed_and_answers_other_requests_is_queried_again_at_the_next_news() {
    check(
        &[(OWN, Well); 2],
        &[
            (SAME, Started, Start(0)),
            (SAME, Failed(0), Start(1)),
            (SAME, Started, Wait),
            (SAME, News, Wait),
            (&[Well, Away], Started, Wait),
            (SAME, News, Start(0)),
            (SAME, Failed(0), Wait),
            (SAME, News, Start(0)),
            (SAME, good(0), Return(0)),
        ],
    );
}
