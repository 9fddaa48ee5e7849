//! `/stats`, `/utils`, `/lists`, `/peers`.

use qortal_client::{ApiKey, Node};
use qortal_testnode::API_KEY;

use crate::harness::{config, recorded};

#[tokio::test]
async fn supply_and_time_are_read() {
    let (_test_node, node) = recorded().await;
    assert_eq!(
        node.circulating_supply().await.unwrap().to_string(),
        "2117.00000000"
    );
    assert!(node.clock().await.unwrap().millis() > 1_795_242_169_424);
}

#[tokio::test]
async fn lists_of_the_node_need_the_key() {
    let (test_node, _) = recorded().await;
    let mut config = config(&test_node);
    config.api_key = Some(ApiKey::new(API_KEY).unwrap());
    let node = Node::new(config).unwrap();
    assert_eq!(
        node.list_entries("followedNames").await.unwrap(),
        ["victor", "Alice Test"]
    );
    assert!(node.list_entries("noSuchList").await.unwrap().is_empty());
}

#[tokio::test]
async fn peers_are_listed() {
    let (_test_node, node) = recorded().await;
    assert!(node.peers().await.unwrap().is_empty());
    assert!(node.data_peers().await.unwrap().is_empty());
}
