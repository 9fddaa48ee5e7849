//! What goes over the wire.

use qortal_client::{ApiKey, Node, PageRequest, api::names::NameMatch};
use qortal_testnode::API_KEY;
use qortal_types::{AssetId, Blockchain};

use crate::harness::{ALICE, address, config, recorded, targets};

#[tokio::test]
async fn requests_are_exactly_these() {
    let (test_node, node) = recorded().await;
    let page = PageRequest::first(2).with_offset(1).with_reverse(true);
    node.name("Alice Test").await.unwrap();
    node.balance(&address(ALICE), AssetId::QORT).await.unwrap();
    node.balance(&address(ALICE), AssetId::new(3))
        .await
        .unwrap();
    node.search_names("50 +", NameMatch::Prefix, page)
        .await
        .unwrap();
    node.trade_offers(Some(&Blockchain::Litecoin), PageRequest::first(100))
        .await
        .unwrap();
    insta::assert_snapshot!(targets(&test_node).join("\n"), @"
    /names/Alice%20Test
    /addresses/balance/QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v
    /addresses/balance/QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v?assetId=3
    /names/search?query=50%20%2B&prefix=true&limit=2&offset=1&reverse=true
    /crosschain/tradeoffers?foreignBlockchain=LITECOIN&limit=100
    ");
    for exchange in test_node.journal() {
        assert_eq!(
            (exchange.method.as_str(), exchange.accept.as_deref()),
            ("GET", Some("*/*"))
        );
    }
}

#[tokio::test]
async fn the_key_goes_only_where_it_is_needed() {
    let (test_node, _) = recorded().await;
    let mut config = config(&test_node);
    config.api_key = Some(ApiKey::new(API_KEY).unwrap());
    let node = Node::new(config).unwrap();
    node.status().await.unwrap();
    node.name("chloe").await.unwrap();
    node.primary_names(&[address(ALICE)]).await.unwrap();
    node.api_key_test().await.unwrap();
    node.list_entries("followedNames").await.unwrap();
    let with_key: Vec<_> = test_node
        .journal()
        .into_iter()
        .filter(|exchange| exchange.has_api_key)
        .map(|exchange| exchange.target)
        .collect();
    assert_eq!(with_key, ["/admin/apikey/test", "/lists/followedNames"]);
}

#[tokio::test]
async fn what_cannot_be_sent_is_not_sent() {
    let (test_node, node) = recorded().await;
    for name in ["", "..", "../admin/stop", "a\\b", "a\0b"] {
        assert!(node.name(name).await.is_err(), "{name:?}");
    }
    assert!(node.names(None, PageRequest::first(0)).await.is_err());
    assert_eq!(targets(&test_node), [""; 0]);
}
