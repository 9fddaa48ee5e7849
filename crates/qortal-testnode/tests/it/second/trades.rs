//! Completed trades since a time, and their pages.

use qortal_testnode::Scenario;

use super::{CHAIN, Group, play};

pub(super) const GROUP: Group = Group {
    name: "trades",
    recordings: include_str!("../../fixtures/second/trades.jsonl"),
    scenarios: &[(CHAIN, Scenario::recorded)],
    differences: &[],
    not_played: &[],
};

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}
