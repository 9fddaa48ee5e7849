//! Chains other than the recorded one.

use std::fmt::Debug;

use qortal_client::{
    NodeError, PageRequest,
    api::{
        addresses::RewardShareFilter,
        arbitrary::{ResourceFilter, ResourceSearch},
        assets::BalanceFilter,
        blocks::SummaryRange,
        chat::{ChatFilter, ChatRoom, Encoding},
        crosschain::TradeFilter,
        groups::MemberRole,
        names::NameMatch,
        polls::RatedService,
        transactions::TransactionFilter,
    },
};
use qortal_testnode::Scenario;
use qortal_types::{AssetId, Blockchain, Height, TransactionType};

use crate::harness::{ALICE, BOB, address, with};

const ALL: PageRequest = PageRequest::first(100);

/// The list must be read and have something in it.
fn some<T: Debug>(result: Result<Vec<T>, NodeError>) -> Vec<T> {
    let list = result.unwrap();
    assert!(!list.is_empty());
    list
}

#[tokio::test]
async fn a_fresh_chain_has_little_to_tell() {
    let (_test_node, node) = with(Scenario::empty()).await;
    assert_eq!(node.height().await.unwrap(), Height::GENESIS);
    assert!(node.names(None, ALL).await.unwrap().is_empty());
    assert!(
        node.search_names("a", NameMatch::Anywhere, ALL)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(node.trade_offers(None, ALL).await.unwrap().is_empty());
    assert!(
        node.trades(&TradeFilter::default(), ALL)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(node.polls(ALL).await.unwrap().is_empty());
    assert!(
        node.search_resources(&ResourceSearch::default(), ALL)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        node.chat_messages(ChatRoom::Group(3), &ChatFilter::default(), ALL)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_node_that_synchronizes_says_so() {
    let (_test_node, node) = with(Scenario::syncing()).await;
    let status = node.status().await.unwrap();
    assert!(status.is_synchronizing);
    assert!(status.sync_percent.is_some());
    assert_eq!(node.height().await.unwrap(), Height::new(300));
    assert!(!node.peers().await.unwrap().is_empty());
}

#[tokio::test]
async fn members_that_a_newer_core_adds_do_no_harm() {
    let (_test_node, node) = with(Scenario::newer_core()).await;
    let alice = address(ALICE);
    node.status().await.unwrap();
    node.info().await.unwrap();
    node.summary().await.unwrap();
    some(node.minting_accounts().await);
    node.account(&alice).await.unwrap();
    some(node.online_accounts().await);
    some(node.online_levels().await);
    some(node.reward_shares(&RewardShareFilter::default(), ALL).await);
    some(node.penalties().await);
    node.sponsorship(&alice).await.unwrap();
    node.mintership(&alice).await.unwrap();
    assert_eq!(some(node.names(None, ALL).await).len(), 17);
    some(node.names_of(&alice, ALL).await);
    node.primary_name(&alice).await.unwrap();
    node.last_block().await.unwrap();
    node.block_minting(Height::new(200)).await.unwrap();
    some(
        node.block_summaries(SummaryRange::BeforeTip { count: 3 })
            .await,
    );
    some(node.block_signers(&[], ALL).await);
    some(node.trades(&TradeFilter::default(), ALL).await);
    node.coin_status(&Blockchain::Litecoin).await.unwrap();
    some(node.assets(ALL).await);
    some(node.open_orders(AssetId::new(3), AssetId::QORT, ALL).await);
    some(node.asset_trades(AssetId::QORT, AssetId::new(3), ALL).await);
    let qort = BalanceFilter::default().with_assets(vec![AssetId::QORT]);
    some(node.asset_balances(&qort, ALL).await);
    some(node.groups(ALL).await);
    some(node.group_bans(3).await);
    node.group_members(3, MemberRole::Any, ALL).await.unwrap();
    some(node.memberships(3, &[alice, address(BOB)]).await);
    some(
        node.chat_messages(ChatRoom::Group(3), &ChatFilter::default(), ALL)
            .await,
    );
    node.active_chats(&alice, Encoding::Base64, None)
        .await
        .unwrap();
    some(node.polls(ALL).await);
    node.poll_votes("Favourite colour").await.unwrap();
    some(node.app_ratings(RatedService::App).await);
    node.hosted_transactions(None, ALL).await.unwrap();
}

#[tokio::test]
async fn values_that_a_newer_core_adds_are_kept() {
    let (_test_node, node) = with(Scenario::newer_core()).await;
    let offers = some(node.trade_offers(None, ALL).await);
    let is_unknown = |chain: &Blockchain| matches!(chain, Blockchain::Other(_));
    assert_eq!(
        offers
            .iter()
            .filter(|offer| is_unknown(&offer.foreign_blockchain))
            .count(),
        1
    );
    let filter = TransactionFilter::default().with_types(vec![TransactionType::Payment]);
    let transactions = some(
        node.search_transactions(&filter, PageRequest::first(3))
            .await,
    );
    let last = &transactions.last().unwrap().transaction_type;
    assert!(matches!(last, TransactionType::Other(_)), "{last:?}");
    some(node.resources(&ResourceFilter::default(), ALL).await);
}
