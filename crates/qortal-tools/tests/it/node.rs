//! Tools about the node.

use qortal_testnode::Scenario;
use serde_json::json;

use crate::{Chain, check, check_on};

#[tokio::test]
async fn get_node_status() {
    check("get_node_status", "synchronised", json!({})).await;
    check_on(
        Scenario::syncing(),
        "get_node_status",
        "synchronising",
        json!({}),
    )
    .await;
    check_on(
        Scenario::newer_core(),
        "get_node_status",
        "newer_core",
        json!({}),
    )
    .await;
}

#[tokio::test]
async fn get_node_summary() {
    check("get_node_summary", "day", json!({})).await;
    check_on(
        Scenario::empty(),
        "get_node_summary",
        "empty_chain",
        json!({}),
    )
    .await;
}

#[tokio::test]
async fn get_node_info_tells_times_in_both_forms() {
    let chain = Chain::recorded().await;
    let info = chain.call("get_node_info", json!({})).await.unwrap();
    assert_eq!(info["buildVersion"], "qortal-6.1.8-bb6b1bf");
    assert_eq!(info["buildTimestamp"], 1_761_998_400_000_i64);
    assert_eq!(info["buildTimestampIso"], "2025-11-01T12:00:00.000Z");
    assert_eq!(info["type"], "full");
    assert_eq!(info["isTestNet"], false);
    chain.stop().await;
}

#[tokio::test]
async fn get_node_uptime_is_in_milliseconds() {
    let chain = Chain::recorded().await;
    let uptime = chain.call("get_node_uptime", json!({})).await.unwrap();
    assert!(
        uptime["uptime"].is_u64() && uptime["uptimeText"].is_string(),
        "{uptime}"
    );
    chain.stop().await;
}
