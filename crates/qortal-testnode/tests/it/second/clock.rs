//! Nodes on machines with a wrong clock.

use qortal_testnode::{Scenario, TestNode};

use super::{Group, play};
use crate::client::get;

const MINUTE: i64 = 60_000;

pub(super) const GROUP: Group = Group {
    name: "clock",
    recordings: include_str!("../../fixtures/second/clock.jsonl"),
    scenarios: &[
        ("clock/exact-", Scenario::recorded),
        ("clock/45min-ahead-", || ahead(45)),
        ("clock/45min-behind-", || ahead(-45)),
        ("clock/23h-ahead-", || ahead(23 * 60)),
        ("clock/none-", || {
            Scenario::recorded().without_network_time()
        }),
    ],
    differences: &[],
    not_played: &[],
};

/// Returns a scenario with the machine's clock this many minutes ahead.
fn ahead(minutes: i64) -> Scenario {
    Scenario::recorded().with_machine_clock(minutes * MINUTE)
}

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    play(&GROUP).await;
}

/// Checks values that a replay cannot compare, since they differ each time. The network's time is requested in between, so the test does
/// not depend on speed.
#[tokio::test]
async fn the_clock_of_the_machine_is_off_and_the_network_time_is_not() {
    for minutes in [0, 45, -45, 23 * 60] {
        let node = TestNode::start(ahead(minutes)).await.unwrap();
        let machine = || async {
            get(node.url(), "/utils/timestamp")
                .await
                .json()
                .as_i64()
                .unwrap()
        };
        let before = machine().await;
        let info = get(node.url(), "/admin/info").await.json();
        let after = machine().await;
        let network = info["currentTimestamp"].as_i64().unwrap();
        let off = minutes * MINUTE;
        assert!((before..=after).contains(&(network + off)), "{minutes}");
        let uptime = info["uptime"].as_i64().unwrap();
        assert_eq!(uptime < 0, minutes < 0, "{uptime}");
        node.stop().await;
    }
}
