//! Tests of `race`: each row is the knowledge about the nodes, then events with the step that follows each.

use super::{
    Event::{self, Answered, Begun, Busy, Failed, Late, Over, Probed},
    Race,
    Standing::{self, Away, Behind, Well},
    Step::{self, GiveUp, Return, Start, Wait},
};

const AWAY: Standing = Away { is_unsure: false };
const UNSURE: Standing = Away { is_unsure: true };
const LATE: Event = Late { may_hedge: true };
/// Too many requests were sent twice lately.
const LATE_UNPAID: Event = Late { may_hedge: false };

const OWN: bool = true;
const PUBLIC: bool = false;

fn good(lane: usize) -> Event {
    let is_behind = false;
    Answered { lane, is_behind }
}

fn stale(lane: usize) -> Event {
    let is_behind = true;
    Answered { lane, is_behind }
}

fn probed(standings: &[Standing]) -> Event {
    Probed(standings.to_vec())
}

fn check(nodes: &[(bool, Standing)], turns: &[(Event, Step)]) {
    let mut race = Race::new(nodes.iter().copied());
    for (number, (event, expected)) in turns.iter().enumerate() {
        let step = race.on(event.clone());
        assert_eq!(step, *expected, "{nodes:?}, event {number}: {event:?}");
    }
}

#[test]
fn best_node_is_queried_first() {
    for (nodes, first) in [
        (&[][..], GiveUp),
        (&[(OWN, Well), (OWN, Well)], Start(0)),
        (&[(OWN, AWAY), (OWN, Well)], Start(1)),
        (&[(OWN, AWAY), (PUBLIC, Well)], Start(1)),
        (&[(OWN, Behind(20)), (PUBLIC, Well)], Start(1)),
        (&[(OWN, Behind(20)), (OWN, Behind(11))], Start(1)),
        (&[(OWN, AWAY), (OWN, Behind(20))], Start(1)),
        // While none answers, the configured order counts.
        (&[(OWN, AWAY), (OWN, UNSURE)], Start(0)),
        (&[(OWN, UNSURE), (PUBLIC, AWAY)], Start(0)),
    ] {
        check(nodes, &[(Begun, first)]);
    }
}

#[test]
fn next_node_is_queried_after_a_failure() {
    let three = [(OWN, Well), (OWN, AWAY), (PUBLIC, Well)];
    check(&three, &[(Begun, Start(0)), (good(0), Return(0))]);
    check(
        &three,
        &[
            (Begun, Start(0)),
            (Failed(0), Start(2)),
            (Failed(2), Start(1)),
            (Failed(1), GiveUp),
        ],
    );
}

#[test]
fn overload_of_an_own_node_does_not_burden_public_ones() {
    for (nodes, step) in [
        ([(OWN, Well), (OWN, Well)], Start(1)),
        ([(OWN, Well), (OWN, AWAY)], Start(1)),
        ([(OWN, Well), (PUBLIC, Well)], Return(0)),
    ] {
        check(&nodes, &[(Begun, Start(0)), (Busy(0), step)]);
    }
    let public = [(OWN, AWAY), (PUBLIC, Well), (PUBLIC, Well)];
    check(&public, &[(Begun, Start(1)), (Busy(1), Start(2))]);
}

#[test]
fn late_request_is_sent_to_one_more_own_node_that_is_well() {
    for (second, event, step) in [
        ((OWN, Well), LATE, Start(1)),
        ((OWN, Well), LATE_UNPAID, Wait),
        ((OWN, Behind(20)), LATE, Wait),
        ((OWN, AWAY), LATE, Wait),
        ((PUBLIC, Well), LATE, Wait),
    ] {
        let nodes = [(OWN, Well), second];
        check(&nodes, &[(Begun, Start(0)), (event, step)]);
        let mut race = Race::new(nodes.into_iter());
        race.on(Begun);
        assert_eq!(race.can_hedge(), second == (OWN, Well), "{second:?}");
    }
    let well = [(OWN, Well); 2];
    check(
        &well,
        &[
            (Begun, Start(0)),
            (LATE, Start(1)),
            (Failed(0), Wait),
            (good(1), Return(1)),
        ],
    );
    check(
        &well,
        &[
            (Begun, Start(0)),
            (LATE, Start(1)),
            (Failed(1), Wait),
            (Failed(0), GiveUp),
        ],
    );
}

#[test]
fn whichever_is_back_first_is_not_kept_waiting_by_another() {
    let away = [(OWN, AWAY), (OWN, AWAY), (PUBLIC, AWAY)];
    // No public node is queried while an own one may still answer.
    check(
        &away,
        &[
            (Begun, Start(0)),
            (LATE_UNPAID, Start(1)),
            (LATE_UNPAID, Wait),
            (Failed(0), Wait),
            (Failed(1), Start(2)),
        ],
    );
    check(
        &away,
        &[(Begun, Start(0)), (probed(&[AWAY, Well, AWAY]), Start(1))],
    );
    // One that is back is queried although another one is about to answer, and again if it failed before.
    let second = [(OWN, AWAY), (OWN, Well)];
    check(
        &second,
        &[
            (Begun, Start(1)),
            (probed(&[AWAY, Well]), Wait),
            (probed(&[Well, Well]), Start(0)),
        ],
    );
    check(
        &[(OWN, Well); 2],
        &[
            (Begun, Start(0)),
            (Failed(0), Start(1)),
            (probed(&[AWAY, Well]), Wait),
            (probed(&[Well, Well]), Start(0)),
            (good(0), Return(0)),
        ],
    );
    // One that is back and behind, only if none else answers.
    let behind = probed(&[Behind(20), Well]);
    check(&second, &[(Begun, Start(1)), (behind, Wait)]);
}

#[test]
fn answer_of_a_node_that_is_behind_waits_for_a_better_one() {
    let behind = Behind(20);
    for (first, turns) in [
        // None is better, as far as is known.
        (AWAY, &[(stale(1), Return(1))][..]),
        (Behind(30), &[(stale(1), Return(1))]),
        // A probe finds out.
        (UNSURE, &[(stale(1), Wait), (Over, Return(1))]),
        (
            UNSURE,
            &[(stale(1), Wait), (probed(&[AWAY, behind]), Return(1))],
        ),
        (
            UNSURE,
            &[(probed(&[AWAY, behind]), Wait), (stale(1), Return(1))],
        ),
        (
            UNSURE,
            &[
                (stale(1), Wait),
                (probed(&[Well, behind]), Start(0)),
                (good(0), Return(0)),
            ],
        ),
        (
            UNSURE,
            &[
                (stale(1), Wait),
                (probed(&[Well, behind]), Start(0)),
                (Failed(0), Return(1)),
            ],
        ),
        (
            UNSURE,
            &[
                (stale(1), Wait),
                (probed(&[Well, behind]), Start(0)),
                (Over, Return(1)),
            ],
        ),
        (
            AWAY,
            &[(probed(&[Well, behind]), Start(0)), (good(0), Return(0))],
        ),
    ] {
        let nodes = [(OWN, first), (OWN, behind)];
        let begun = (Begun, Start(1));
        check(&nodes, &[&[begun], turns].concat());
    }
    // A node was thought to be well, and states that it is not.
    check(
        &[(OWN, Well); 2],
        &[
            (Begun, Start(0)),
            (stale(0), Start(1)),
            (good(1), Return(1)),
        ],
    );
    // A better one is under way.
    check(
        &[(OWN, Well); 2],
        &[
            (Begun, Start(0)),
            (LATE, Start(1)),
            (stale(1), Wait),
            (Failed(0), Return(1)),
        ],
    );
}

#[test]
fn knowledge_that_came_with_an_answer_counts_and_a_failure_stays_one() {
    let mut race = Race::new([(OWN, Well), (OWN, Behind(20))].into_iter());
    assert_eq!(race.on(Begun), Start(0));
    race.learn(&[Behind(20), Well]);
    assert_eq!(race.on(stale(0)), Start(1));
    // A node that is not ready answers all the same: it is queried again after a while, and not at once.
    let mut race = Race::new([(OWN, Well), (OWN, AWAY)].into_iter());
    assert_eq!(race.on(Begun), Start(0));
    assert_eq!(race.on(Failed(0)), Start(1));
    race.learn(&[Well, AWAY]);
    assert_eq!(race.on(LATE), Wait);
    assert_eq!(race.on(probed(&[Well, AWAY])), Start(0));
}
