//! Windows of blocks in searches, and endpoints without variants in the other directories: the third set, on the recorded chain.

use qortal_testnode::Scenario;

use super::{CHAIN, Group, play};

pub(super) const GROUP: Group = Group {
    name: "windows",
    recordings: include_str!("../../fixtures/second/windows.jsonl"),
    scenarios: &[(CHAIN, Scenario::recorded)],
    differences: &[
        ("windows/all-confirmed", SAME_MOMENT),
        ("windows/all-confirmed-reverse", SAME_MOMENT),
        ("windows/limit-alone", SAME_MOMENT),
        ("windows/window-genesis", SAME_MOMENT),
        ("windows/window-zero", SAME_MOMENT),
        ("windows/window-negative", SAME_MOMENT),
    ],
    not_played: &[],
};

const SAME_MOMENT: &str =
    "the Core has transactions of one moment in another order when it searches for an account";

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}
