//! Responses of older Cores to unknown paths.

use qortal_testnode::Scenario;

use super::{CHAIN, Group, play};

pub(super) const GROUP: Group = Group {
    name: "old",
    recordings: include_str!("../../fixtures/second/old.jsonl"),
    scenarios: &[
        (CHAIN, Scenario::recorded),
        ("old/6.1.6-", || Scenario::recorded().with_core([6, 1, 6])),
        ("old/6.1.5-", || Scenario::recorded().with_core([6, 1, 5])),
        ("old/6.1.4-", || Scenario::recorded().with_core([6, 1, 4])),
        ("old/6.1.3-", || Scenario::recorded().with_core([6, 1, 3])),
        ("old/5.0.6-", || Scenario::recorded().with_core([5, 0, 6])),
        ("old/4.7.1-", || Scenario::recorded().with_core([4, 7, 1])),
        ("old/4.6.6-", || Scenario::recorded().with_core([4, 6, 6])),
        ("old/4.5.2-", || Scenario::recorded().with_core([4, 5, 2])),
    ],
    differences: &[(
        "old/6.1.4-names-list-json",
        "the number of the servlet, which is another in each process, is not marked as such in this row alone",
    )],
    not_played: &[],
};

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}
