//! Who keeps a QDN resource.

use qortal_client::{Node, NodeConfig};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_tools::{Catalog, Selection};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::Chain;

const PEERS: &str = "/arbitrary/resource/request/peers/VIDEO/rita-trades/clip";

/// Asks who keeps the clip.
async fn status_with_peers(chain: &Chain) -> Value {
    let clip = json!({"service": "VIDEO", "name": "rita-trades", "identifier": "clip", "include_peers": true});
    chain.call("get_qdn_resource_status", clip).await.unwrap()
}

#[tokio::test]
async fn the_peers_that_keep_a_resource_are_named_on_request() {
    let chain = Chain::recorded().await;
    assert_eq!(
        status_with_peers(&chain).await["peers"],
        json!({"peerCount": 0, "peers": []})
    );
    let peer = |id: &str, chunks: u32| json!({"id": id, "speed": "HIGH", "isDirect": true, "chunksAvailable": chunks});
    let peers: Vec<_> = (0..12)
        .map(|it| peer(&format!("node{it:06}"), it))
        .collect();
    let answer = json!({"peerCount": 12, "peers": peers});
    chain
        .node
        .fault(PEERS, Fault::Status(200, answer.to_string()));
    let said = status_with_peers(&chain).await;
    assert_eq!(said["peers"]["peerCount"], 12);
    let shown = said["peers"]["peers"].as_array().unwrap();
    assert_eq!(shown.len(), 10);
    assert_eq!(
        shown[0],
        json!({"id": "node000011", "chunksAvailable": 11, "speed": "HIGH", "isDirect": true})
    );
    chain.stop().await;
}

/// The status is the answer; who else has it is a part of it.
#[tokio::test]
async fn peers_that_cannot_be_had_are_left_out() {
    let chain = Chain::recorded().await;
    chain.node.fault(PEERS, Fault::Status(500, String::new()));
    let said = status_with_peers(&chain).await;
    assert_eq!(
        (&said["status"], said.get("peers")),
        (&json!("MISSING_DATA"), None)
    );
    let notes = said["notes"].to_string();
    assert!(
        notes.contains("The peers that have it are left out, because"),
        "{notes}"
    );
    chain.stop().await;
}

/// On the clock of the test, and with the timeouts that people have.
#[tokio::test(start_paused = true)]
async fn the_search_for_peers_ends_after_fifteen_seconds() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let client = Node::new(NodeConfig::new(node.url())).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    let chain = Chain { node, catalog };
    chain.node.fault(PEERS, Fault::StallBeforeHeaders);
    let before = Instant::now();
    let said = status_with_peers(&chain).await;
    assert_eq!(before.elapsed().as_secs(), 15);
    assert_eq!(
        (&said["status"], said.get("peers")),
        (&json!("MISSING_DATA"), None)
    );
    let notes = said["notes"].to_string();
    assert!(
        notes.contains("did not find them within 15 seconds"),
        "{notes}"
    );
    chain.stop().await;
}
