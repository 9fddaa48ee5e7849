//! The verdict on the node's health, and its reasons.

use qortal_testnode::{Fault, Scenario};
use serde_json::{Value, json};
use test_chain::foreign_block;

use crate::Chain;

#[tokio::test]
async fn get_node_health_gives_reasons() {
    let chain = Chain::recorded().await;
    let health = chain.call("get_node_health", json!({})).await.unwrap();
    assert_eq!(health["verdict"], "unhealthy");
    assert_eq!(health["height"], 468);
    assert_eq!(
        health["reasons"],
        json!([
            "It has no peers: it can neither get nor pass on blocks. Check its internet connection and firewall."
        ])
    );
    assert!(health.get("blocksBehind").is_none());
    chain.stop().await;
}

#[tokio::test]
async fn get_node_health_of_a_node_that_synchronizes() {
    let chain = Chain::of(Scenario::syncing()).await;
    let health = chain.call("get_node_health", json!({})).await.unwrap();
    assert_eq!(health["verdict"], "synchronizing");
    assert_eq!(
        health["reasons"],
        json!(["It is still downloading blocks, 64 percent done: wait until it has them."])
    );
    assert_eq!(health["blocksBehind"], 168);
    assert_eq!(health["inboundPeers"], 1);
    assert_eq!(health["outboundPeers"], 4);
    let mut asked: Vec<_> = chain
        .node
        .journal()
        .iter()
        .map(|it| it.target.clone())
        .collect();
    asked.sort();
    assert_eq!(
        asked,
        [
            "/admin/info",
            "/admin/status",
            "/blocks/last",
            "/peers",
            "/utils/timestamp"
        ]
    );
    chain.stop().await;
}

/// What the node says of itself where all is well, and how that differs from it.
async fn health(changes: &Value) -> Value {
    const NOW: i64 = 1_795_242_209_424;
    let number =
        |name: &str, default: i64| changes.get(name).map_or(default, |it| it.as_i64().unwrap());
    let chain = Chain::recorded().await;
    let answer = |path: &str, body: Value| {
        chain.node.fault(path, Fault::Status(200, body.to_string()));
    };
    answer(
        "/admin/status",
        json!({
            "isMintingPossible": false, "isSynchronizing": changes["synchronizing"].is_i64(),
            "syncPercent": changes["synchronizing"], "numberOfConnections": 3, "height": 468,
        }),
    );
    let skew = number("skew", 12);
    let mut info = json!({
        "currentTimestamp": NOW, "uptime": 9_218, "buildVersion": "qortal-6.1.8", "buildTimestamp": 1,
        "isTestNet": false,
    });
    if changes["no_time"] == true {
        info.as_object_mut().unwrap().remove("currentTimestamp");
    }
    answer("/admin/info", info);
    answer("/utils/timestamp", (NOW + skew).into());
    let mut block = foreign_block(468);
    block["timestamp"] = (NOW - number("minutes", 1) * 60_000).into();
    answer("/blocks/last", block);
    let height = 468 + number("behind", 0);
    let peer =
        json!({"direction": "OUTBOUND", "address": "192.0.2.24:12392", "lastHeight": height});
    let peers = vec![peer; usize::try_from(number("peers", 12)).unwrap()];
    answer("/peers", peers.into());
    let health = chain.call("get_node_health", json!({})).await.unwrap();
    chain.stop().await;
    health
}

#[tokio::test]
async fn the_worst_reason_decides_on_the_health_of_a_node() {
    let no_peers = "It has no peers";
    let synchronizing = "It is still downloading blocks, 64 percent done";
    for (changes, verdict, reasons) in [
        (json!({}), "healthy", vec![]),
        (json!({"behind": 5}), "healthy", vec![]),
        (json!({"skew": -5_000}), "healthy", vec![]),
        (json!({"peers": 3}), "healthy", vec![]),
        (json!({"minutes": 5}), "healthy", vec![]),
        (
            json!({"peers": 2}),
            "degraded",
            vec!["It has 2 peers, fewer than 3."],
        ),
        (
            json!({"skew": -5_001}),
            "degraded",
            vec!["The clock of its machine is 5 s behind network time (more than 5 s)"],
        ),
        (
            json!({"peers": 0, "skew": 90_000}),
            "unhealthy",
            vec![
                no_peers,
                "The clock of its machine is 1 min 30 s ahead of network time (more than 5 s)",
            ],
        ),
        (
            json!({"no_time": true}),
            "unhealthy",
            vec!["It could not get network time"],
        ),
        (
            json!({"minutes": 6}),
            "degraded",
            vec!["Its last block is 6 min old (more than 5 min)"],
        ),
        (
            json!({"minutes": 60}),
            "degraded",
            vec!["Its last block is 1 h old (more than 5 min)"],
        ),
        (
            json!({"minutes": 90}),
            "unhealthy",
            vec!["Its last block is 1 h 30 min old (more than 1 h)"],
        ),
        (
            json!({"behind": 168}),
            "degraded",
            vec!["It lacks 168 blocks"],
        ),
        (
            json!({"behind": 168, "synchronizing": 64, "minutes": 150}),
            "synchronizing",
            vec![synchronizing],
        ),
        (
            json!({"peers": 0, "synchronizing": 64}),
            "unhealthy",
            vec![synchronizing, no_peers],
        ),
    ] {
        let health = health(&changes).await;
        assert_eq!(health["verdict"], verdict, "{changes}: {health}");
        let said = health["reasons"].as_array().unwrap();
        assert_eq!(said.len(), reasons.len(), "{changes}: {said:?}");
        for (said, begins) in said.iter().zip(reasons) {
            assert!(said.as_str().unwrap().starts_with(begins), "{said}");
        }
    }
}
