//! Tests of the scenarios from outside.

use qortal_testnode::{Scenario, TestNode};

use crate::client::get;

async fn check(scenario: Scenario, expected: &[(&str, &str)]) {
    let node = TestNode::start(scenario).await.unwrap();
    for (target, body) in expected {
        assert_eq!(get(node.url(), target).await.text(), *body, "{target}");
    }
    node.stop().await;
}

#[tokio::test]
async fn a_fresh_chain_has_a_genesis_block_and_no_more() {
    let expected = [
        ("/blocks/height", "1"),
        ("/names", "[]"),
        ("/crosschain/tradeoffers", "[]"),
        ("/crosschain/trades", "[]"),
        ("/addresses/online", "[]"),
        ("/addresses/penalties/stats", r#"{"totalPenalties":0}"#),
        ("/names/chloe", r#"{"error":401,"message":"name unknown"}"#),
        ("/peers/known", "[]"),
    ];
    check(Scenario::empty(), &expected).await;
}

#[tokio::test]
async fn a_synchronizing_node_is_behind() {
    let status = r#"{"isMintingPossible":false,"isSynchronizing":true,"syncPercent":64,"numberOfConnections":5,"numberOfDataConnections":3,"height":300}"#;
    let expected = [
        ("/admin/status", status),
        ("/blocks/height", "300"),
        (
            "/blocks/byheight/301",
            r#"{"error":301,"message":"block unknown"}"#,
        ),
        (
            "/peers/summary",
            r#"{"inboundConnections":1,"outboundConnections":4}"#,
        ),
    ];
    check(Scenario::syncing(), &expected).await;
    let node = TestNode::start(Scenario::syncing()).await.unwrap();
    assert_eq!(
        get(node.url(), "/peers")
            .await
            .json()
            .as_array()
            .unwrap()
            .len(),
        5
    );
    node.stop().await;
}

#[tokio::test]
async fn a_newer_core_adds_members_and_constants() {
    let node = TestNode::start(Scenario::newer_core()).await.unwrap();
    let status = get(node.url(), "/admin/status").await.json();
    assert_eq!(status["height"], 468);
    assert!(status["addedInALaterRelease"].is_object());
    let offers = get(node.url(), "/crosschain/tradeoffers").await.json();
    let offers = offers.as_array().unwrap();
    assert_eq!(offers.first().unwrap()["mode"], "OFFERING");
    assert_eq!(offers.last().unwrap()["mode"], "ADDED_LATER");
    assert_eq!(get(node.url(), "/blocks/height").await.text(), "468");
    node.stop().await;
}

#[tokio::test]
async fn the_clock_starts_at_the_recorded_time_and_runs() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut times = Vec::new();
    for _ in 0..2 {
        times.push(
            get(node.url(), "/utils/timestamp")
                .await
                .text()
                .parse::<u64>()
                .unwrap(),
        );
    }
    let [first, second] = times[..] else {
        panic!("two times")
    };
    assert!(first >= 1_795_242_209_424 && first <= second && second < 1_795_242_209_424 + 60_000);
    node.stop().await;
}

#[tokio::test]
async fn an_older_core_tells_its_version() {
    let node = TestNode::start(Scenario::recorded().with_core([6, 1, 4]))
        .await
        .unwrap();
    let info = get(node.url(), "/admin/info").await.json();
    assert_eq!(info["buildVersion"], "qortal-6.1.4-bb6b1bf");
    node.stop().await;
}
