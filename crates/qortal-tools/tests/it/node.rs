//! Tools about the node.

use insta::assert_snapshot;
use qortal_client::{ApiKey, Node, NodeConfig, OwnNode};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_tools::{Catalog, Object, Selection, Surface};
use serde_json::{Value, json};
use test_chain::foreign_block;

use crate::{Chain, check, check_on};

#[tokio::test]
async fn get_node_status() {
    let elsewhere = [
        (Scenario::syncing(), "synchronizing", json!({})),
        (Scenario::newer_core(), "newer_core", json!({})),
    ];
    check_on("get_node_status", [("synchronized", json!({}))], elsewhere).await;
}

#[tokio::test]
async fn get_node_summary() {
    let cases = [("day", json!({})), ("all_time", json!({"all_time": true}))];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("get_node_summary", cases, elsewhere).await;
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

#[tokio::test]
async fn the_server_names_its_other_own_nodes_in_a_note() {
    let mut config = NodeConfig::new("http://127.0.0.1:12391");
    let mut other = OwnNode::new("http://second.example:12391");
    other.api_key = Some(ApiKey::new("s3cret").unwrap());
    config.own_nodes = vec![other];
    let node = Node::new(config).unwrap();
    let catalog = Catalog::new(node, &Selection::of(Surface::Core)).unwrap();
    let entry = catalog.entry("get_server_config").unwrap();
    let told = catalog.call(entry, Object::new()).await.unwrap();
    let told = Value::Object(told.structure()).to_string();
    assert!(
        told.contains("its other configured nodes: http://second.example:12391."),
        "{told}"
    );
    assert!(!told.contains("s3cret"), "{told}");
}

#[tokio::test]
async fn the_server_tells_its_configuration_and_no_secret() {
    let mut config = NodeConfig::new("http://127.0.0.1:12391");
    config.api_key = Some(ApiKey::new("s3cret").unwrap());
    config.public_urls = vec!["http://node.example".to_owned()];
    let mut selection = Selection::of(Surface::Core);
    selection.families = vec!["node".to_owned()];
    selection.exclude = vec!["compare_nodes".to_owned()];
    let catalog = Catalog::new(Node::new(config).unwrap(), &selection).unwrap();
    let entry = catalog.entry("get_server_config").unwrap();
    let told = catalog.call(entry, Object::new()).await.unwrap();
    let mut told = Value::Object(told.structure());
    assert!(!told.to_string().contains("s3cret"), "{told}");
    let version = told.as_object_mut().unwrap().shift_remove("version");
    assert_eq!(version.unwrap(), env!("CARGO_PKG_VERSION"));
    assert_snapshot!(format!("{told:#}"), @r#"
    {
      "nodeUrl": "http://127.0.0.1:12391",
      "hasApiKey": true,
      "publicNodeUrls": [
        "http://node.example"
      ],
      "comparedNodes": 1,
      "concurrency": 8,
      "connectTimeout": 3,
      "timeout": 10,
      "slowTimeout": 60,
      "surface": "core",
      "toolsets": [
        "node"
      ],
      "tools": [],
      "excludeTools": [
        "compare_nodes"
      ],
      "outputSchemas": "off",
      "views": false
    }
    "#);
}

#[tokio::test]
async fn list_peers() {
    check("list_peers", [("none", json!({}))]).await;
    for (case, arguments) in [
        ("summary", json!({})),
        ("page", json!({"detail": "full", "limit": 1, "offset": 4})),
    ] {
        let chain = Chain::of(Scenario::syncing()).await;
        let peers = chain.call("list_peers", arguments).await.unwrap();
        assert_eq!(peers["total"], 5);
        assert_eq!(peers["inbound"], 1);
        assert_eq!(
            peers["versions"],
            json!([{"version": "qortal-6.1.8", "peers": 5}])
        );
        assert_eq!(peers["heights"], json!([{"height": 468, "peers": 5}]));
        if case == "page" {
            assert_eq!(peers["peers"][0]["address"], "192.0.2.24:12392");
            assert_eq!(peers["truncated"], false);
        } else {
            assert!(peers.get("peers").is_none());
        }
        chain.stop().await;
    }
}

#[tokio::test]
async fn get_network_stats() {
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("get_network_stats", [("recorded", json!({}))], elsewhere).await;
}

/// Several nodes, the first of which is the configured one.
struct Nodes {
    nodes: Vec<TestNode>,
    catalog: Catalog,
}

impl Nodes {
    async fn of(scenarios: &[Scenario]) -> Self {
        let mut nodes = Vec::new();
        for scenario in scenarios {
            nodes.push(TestNode::start(*scenario).await.unwrap());
        }
        let client = |node: &TestNode| {
            let mut config = NodeConfig::new(node.url());
            config.timeouts.quick = std::time::Duration::from_millis(2_000);
            Node::new(config).unwrap()
        };
        let compared: Vec<_> = nodes.iter().map(client).collect();
        let catalog = Catalog::new(client(&nodes[0]), &Selection::default()).unwrap();
        Self {
            catalog: catalog.with_comparison_nodes(compared),
            nodes,
        }
    }

    async fn compare(&self) -> Result<Value, String> {
        let entry = self.catalog.entry("compare_nodes").unwrap();
        let outcome = self.catalog.call(entry, serde_json::Map::new()).await;
        outcome
            .map(|it| it.structure().into())
            .map_err(|err| err.to_string())
    }

    async fn stop(self) {
        for node in self.nodes {
            node.stop().await;
        }
    }
}

fn foreign(height: u32) -> Fault {
    Fault::Status(200, foreign_block(height).to_string())
}

#[tokio::test]
async fn compare_nodes_without_others_says_how_to_configure_them() {
    let chain = Chain::recorded().await;
    let compared = chain.call("compare_nodes", json!({})).await.unwrap();
    assert_eq!(compared["verdict"], "nothing to compare");
    assert_eq!(compared["nodes"][0]["height"], 468);
    let note = compared["notes"][0].as_str().unwrap();
    assert!(
        note.contains("--public") && note.contains("--nodes"),
        "{note}"
    );
    chain.stop().await;
}

#[tokio::test]
async fn compare_nodes_tells_who_is_behind() {
    let nodes = Nodes::of(&[Scenario::recorded(), Scenario::syncing()]).await;
    let compared = nodes.compare().await.unwrap();
    assert_eq!(compared["verdict"], "same chain");
    assert_eq!(compared["nodes"][0]["blocksBehind"], 0);
    assert_eq!(compared["nodes"][1]["blocksBehind"], 168);
    assert_eq!(compared["nodes"][1]["isSameChain"], true);
    assert_eq!(compared.get("notes"), None, "another is configured");
    // Beside the tips, one block of the longer chain.
    assert_eq!(nodes.nodes[0].journal().len(), 2);
    assert_eq!(nodes.nodes[1].journal().len(), 1);
    nodes.stop().await;
}

#[tokio::test]
async fn compare_nodes_finds_the_first_block_that_differs() {
    for first in [468, 467, 461, 400, 2] {
        let nodes = Nodes::of(&[Scenario::recorded(), Scenario::recorded()]).await;
        for height in first..=468 {
            nodes.nodes[1].fault(&format!("/blocks/byheight/{height}"), foreign(height));
        }
        nodes.nodes[1].fault("/blocks/last", foreign(468));
        let compared = nodes.compare().await.unwrap();
        assert_eq!(compared["verdict"], "forked", "{first}");
        assert_eq!(compared["nodes"][1]["isSameChain"], false);
        assert_eq!(compared["nodes"][1]["forkedAt"], first);
        let asked = nodes.nodes[1].journal().len();
        assert!(asked <= 20, "{asked} questions for a fork at {first}");
        nodes.stop().await;
    }
}

#[tokio::test]
async fn compare_nodes_tells_other_networks_and_pruned_nodes() {
    let nodes = Nodes::of(&[Scenario::recorded(), Scenario::recorded()]).await;
    nodes.nodes[1].fault("/blocks/last", foreign(468));
    nodes.nodes[1].fault("/blocks/byheight/*", foreign(7));
    let compared = nodes.compare().await.unwrap();
    assert_eq!(compared["nodes"][1]["forkedAt"], 1);
    nodes.nodes[1].fault(
        "/blocks/byheight/*",
        Fault::Status(404, r#"{"error":301,"message":"block unknown"}"#.to_owned()),
    );
    nodes.nodes[1].fault("/blocks/byheight/467", foreign(467));
    let compared = nodes.compare().await.unwrap();
    assert_eq!(compared["verdict"], "forked");
    assert!(compared["nodes"][1].get("forkedAt").is_none());
    assert_eq!(
        compared["nodes"][1]["remark"],
        "They differ from block 467 on at the latest. One of the nodes does not keep the blocks before."
    );
    nodes.stop().await;
}

#[tokio::test]
async fn compare_nodes_goes_on_without_those_that_do_not_answer() {
    let nodes = Nodes::of(&[
        Scenario::recorded(),
        Scenario::recorded(),
        Scenario::syncing(),
    ])
    .await;
    nodes.nodes[0].fault("*", Fault::ResetBeforeResponse);
    let compared = nodes.compare().await.unwrap();
    assert_eq!(compared["verdict"], "same chain");
    assert_eq!(compared["nodes"][0]["problem"], "unreachable");
    assert_eq!(compared["nodes"][2]["isSameChain"], true);
    for node in &nodes.nodes {
        node.fault("*", Fault::ResetBeforeResponse);
    }
    let said = nodes.compare().await.unwrap_err();
    assert!(said.starts_with("Node unreachable. "), "{said}");
    nodes.stop().await;
}

#[tokio::test]
async fn get_node_settings() {
    check("get_node_settings", [("defaults", json!({}))]).await;
}

/// A release without a setting answers like a crash.
#[tokio::test]
async fn settings_that_a_core_does_not_have_are_named() {
    let chain = Chain::recorded().await;
    chain.node.fault(
        "/admin/settings/maxDataPeers",
        Fault::Status(500, String::new()),
    );
    let answer = chain.call("get_node_settings", json!({})).await.unwrap();
    let settings = answer["settings"].as_array().unwrap();
    assert!(settings.iter().all(|it| it["name"] != "maxDataPeers"));
    assert_eq!(answer["notes"][0], "This Core does not have: maxDataPeers.");
    chain.stop().await;
}

#[tokio::test]
async fn get_node_lists() {
    let cases = [
        ("all", json!({})),
        ("page", json!({"limit": 1, "offset": 1})),
    ];
    check("get_node_lists", cases).await;
}

#[tokio::test]
async fn get_engine_stats() {
    check("get_engine_stats", [("since_the_start", json!({}))]).await;
}

#[tokio::test]
async fn durations_read_well() {
    let chain = Chain::recorded().await;
    for (millis, text) in [
        (0, "0 s"),
        (9_218, "9 s"),
        (61_000, "1 min 1 s"),
        (3_600_000, "1 h"),
        (90_061_000, "1 d 1 h 1 min"),
    ] {
        let uptime = Fault::Status(200, millis.to_string());
        chain.node.fault("/admin/uptime", uptime);
        let uptime = chain.call("get_node_uptime", json!({})).await.unwrap();
        assert_eq!(uptime["uptimeText"], text);
    }
    chain.stop().await;
}
