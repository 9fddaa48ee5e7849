//! Names with their true reduced form. 17 exchanges replace some of the first set.

use qortal_testnode::Scenario;

use super::{CHAIN, Group, play};

pub(super) const GROUP: Group = Group {
    name: "corrected",
    recordings: include_str!("../../fixtures/second/corrected.jsonl"),
    scenarios: &[(CHAIN, Scenario::recorded)],
    differences: &[],
    not_played: &[],
};

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}
