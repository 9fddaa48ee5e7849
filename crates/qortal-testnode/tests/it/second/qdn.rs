//! Effects of requests on the state of a QDN resource. The order of the exchanges matters.

use qortal_testnode::Scenario;

use super::{Group, play};

pub(super) const GROUP: Group = Group {
    name: "qdn",
    recordings: include_str!("../../fixtures/second/qdn.jsonl"),
    scenarios: &[("chain, one after the other", Scenario::odd_rows)],
    differences: &[
        (
            "qdn/09-image-search-after",
            "another picture was published between this exchange and the next ones, here it is there from the start",
        ),
        (
            "qdn/20-doc1-status",
            "a request that is not in the set had opened it",
        ),
    ],
    not_played: &[],
};

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}
