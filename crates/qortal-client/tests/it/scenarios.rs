//! Chains other than the recorded one.

use qortal_client::{Page, api::names::NameMatch};
use qortal_testnode::Scenario;
use qortal_types::{Blockchain, Height};

use crate::harness::with;

#[tokio::test]
async fn a_fresh_chain_has_little_to_tell() {
    let (_test_node, node) = with(Scenario::empty()).await;
    assert_eq!(node.height().await.unwrap(), Height::GENESIS);
    assert!(node.names(None, Page::first(10)).await.unwrap().is_empty());
    assert!(
        node.search_names("a", NameMatch::Anywhere, Page::first(10))
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        node.trade_offers(None, Page::first(10))
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        node.trades(
            &qortal_client::api::crosschain::TradeFilter::default(),
            Page::first(10)
        )
        .await
        .unwrap()
        .is_empty()
    );
}

#[tokio::test]
async fn a_node_that_synchronises_says_so() {
    let (_test_node, node) = with(Scenario::syncing()).await;
    let status = node.status().await.unwrap();
    assert!(status.is_synchronizing);
    assert!(status.sync_percent.is_some());
    assert_eq!(node.height().await.unwrap(), Height::new(300));
}

#[tokio::test]
async fn what_a_newer_core_adds_does_no_harm() {
    let (_test_node, node) = with(Scenario::newer_core()).await;
    node.status().await.unwrap();
    node.info().await.unwrap();
    node.summary().await.unwrap();
    assert_eq!(node.names(None, Page::first(100)).await.unwrap().len(), 17);
    node.last_block().await.unwrap();
    let offers = node.trade_offers(None, Page::first(100)).await.unwrap();
    let unknown = offers
        .iter()
        .filter(|offer| matches!(offer.foreign_blockchain, Blockchain::Other(_)))
        .count();
    assert_eq!(unknown, 1, "the last offer is for a coin that is not known");
}
