//! Forms that need peers or coin servers: objects made by hand, written by the Core's own serializer.

use std::fmt::Debug;

use qortal_client::{Node, NodeError, PageRequest, api::arbitrary::ResourceId};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_types::{Blockchain, Service, TransactionType};

use crate::harness::{self, config};

/// Lets a node answer with this text and pins what is read from it.
async fn check<T: Debug>(
    (case, description): (&str, &str),
    body: &str,
    ask: impl AsyncFnOnce(Node) -> Result<T, NodeError>,
) -> T {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    test_node.fault("/*", Fault::Status(200, body.to_owned()));
    let answer = ask(Node::new(config(&test_node)).unwrap()).await.unwrap();
    harness::check("fixtures", case, description, &answer);
    answer
}

#[tokio::test]
async fn peers_come_with_null_members() {
    let body = include_str!("../fixtures/peers.json");
    check(
        ("peers", "A peer with all members and one without."),
        body,
        async |node| node.peers().await,
    )
    .await;
}

#[tokio::test]
async fn peers_for_data_have_fewer_members() {
    let body = include_str!("../fixtures/datapeers.json");
    check(("data_peers", "A QDN peer."), body, async |node| {
        node.data_peers().await
    })
    .await;
}

#[tokio::test]
async fn peers_that_have_a_resource_are_listed() {
    let body = include_str!("../fixtures/peercount.json");
    let id = ResourceId::new(Service::Website, "victor".to_owned(), None);
    check(("resource_peers", "One peer."), body, async |node| {
        node.resource_peers(&id).await
    })
    .await;
}

#[tokio::test]
async fn coin_servers_are_listed() {
    let body = include_str!("../fixtures/serverinfos.json");
    let ask = async |node: Node| node.coin_servers(&Blockchain::Litecoin).await;
    check(("coin_servers", "One server."), body, ask).await;
}

#[tokio::test]
async fn a_transaction_that_vanished_is_left_out() {
    let body = include_str!("../fixtures/tx-null.json");
    let ask = async |node: Node| node.pending_transactions(None, PageRequest::first(2)).await;
    let transactions = check(
        ("vanished", "A list with null for what vanished."),
        body,
        ask,
    )
    .await;
    assert_eq!(transactions.len(), 1);
}

#[tokio::test]
async fn types_that_get_into_no_block_are_read() {
    let ask = async |node: Node| node.pending_transactions(None, PageRequest::first(1)).await;
    let body = include_str!("../fixtures/tx-chat.json");
    let chat = check(("chat", "A CHAT transaction."), body, ask).await;
    assert_eq!(chat[0].transaction_type, TransactionType::Chat);
    let body = include_str!("../fixtures/tx-pres.json");
    let presence = check(("presence", "A PRESENCE transaction."), body, ask).await;
    assert_eq!(presence[0].detail("presenceType"), Some("TRADE_BOT"));
    let body = include_str!("../fixtures/tx-atm.json");
    let at = check(
        ("at_message", "A message of an automated transaction."),
        body,
        ask,
    )
    .await;
    assert!(at[0].detail("message").is_some() && at[0].amount().is_none());
}
