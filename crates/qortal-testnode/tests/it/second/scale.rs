//! A large chain.

use qortal_testnode::Scenario;

use super::{Group, LARGE_CHAIN, play};

pub(super) const GROUP: Group = Group {
    name: "scale",
    recordings: include_str!("../../fixtures/second/scale.jsonl"),
    scenarios: &[(LARGE_CHAIN, Scenario::large)],
    differences: &[
        (
            "scale/qdn-list-deep",
            "within a name the Core orders resources not at all",
        ),
        (
            "scale/tx-account-first",
            "the Core orders the transactions of the genesis block differently from query to query",
        ),
        (
            "scale/tx-account-deep",
            "eleven of the account's earlier transactions are not in the tables",
        ),
    ],
    not_played: &[],
};

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}
