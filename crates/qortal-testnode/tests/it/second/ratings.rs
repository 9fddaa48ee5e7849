//! App ratings, which are paged by option.

use qortal_testnode::Scenario;

use super::{CHAIN, Group, LARGE_CHAIN, play};

pub(super) const GROUP: Group = Group {
    name: "ratings",
    recordings: include_str!("../../fixtures/second/ratings.jsonl"),
    scenarios: &[
        (CHAIN, Scenario::recorded),
        ("chain with added rows", Scenario::odd_rows),
        (LARGE_CHAIN, Scenario::large),
    ],
    differences: &[],
    not_played: &[],
};

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}
