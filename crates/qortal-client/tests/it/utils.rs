//! `/stats`, `/utils`, `/lists`, `/data`, `/peers`.

use qortal_client::{ApiKey, Node};
use qortal_testnode::API_KEY;
use qortal_types::TransactionType;

use crate::harness::{check, config, recorded};

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
async fn a_type_has_a_layout_if_it_is_used() {
    let (_test_node, node) = recorded().await;
    let layout = node
        .transaction_layout(&TransactionType::Payment)
        .await
        .unwrap();
    check("utils", "layout", "The bytes of a payment.", &layout);
    assert_eq!(
        node.transaction_layout(&TransactionType::Airdrop)
            .await
            .unwrap(),
        None
    );
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
async fn peers_are_counted() {
    let (_test_node, node) = recorded().await;
    assert_eq!(node.peers_summary().await.unwrap().inbound_connections, 0);
    assert!(node.peers().await.unwrap().is_empty());
    assert!(node.data_peers().await.unwrap().is_empty());
    assert_eq!(node.known_peers().await.unwrap().len(), 3);
}
