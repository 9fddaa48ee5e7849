//! Wildcards in searches, and the two engines of the QDN search.

use qortal_testnode::Scenario;

use super::{Group, play};

pub(super) const GROUP: Group = Group {
    name: "like",
    recordings: include_str!("../../fixtures/second/like.jsonl"),
    scenarios: &[("chain with added rows", Scenario::odd_rows)],
    differences: &[],
    not_played: &[],
};

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}
