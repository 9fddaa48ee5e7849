//! Endpoints without variants in the first set.

use qortal_testnode::Scenario;

use super::{CHAIN, Group, play};

pub(super) const GROUP: Group = Group {
    name: "more",
    recordings: include_str!("../../fixtures/second/more.jsonl"),
    scenarios: &[
        (CHAIN, Scenario::recorded),
        ("chain, one name per account", Scenario::one_name_each),
    ],
    differences: &[],
    not_played: &[],
};

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}
