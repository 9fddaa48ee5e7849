//! `/crosschain`.

use std::num::NonZeroU32;

use qortal_client::{
    PageRequest,
    api::crosschain::{PriceOf, TradeFilter, TradeMode},
};
use qortal_testnode::Scenario;
use qortal_types::{Blockchain, Timestamp};

use crate::harness::{ALICE, RITA, address, check, check_all, recorded, refused, section, with};

const OFFERING: &str = "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo";
const CANCELLED: &str = "Ad89ByARkqdnNCosZnSn7MDUEqwr1FuCp3";
const REDEEMED: &str = "ASiULAXUcyd1pLu8GUNTvXSaYVydXWt5yP";

#[tokio::test]
async fn open_offers_are_listed() {
    let (_test_node, node) = recorded().await;
    let all = node
        .trade_offers(None, PageRequest::first(100))
        .await
        .unwrap();
    assert!(all.iter().all(|offer| offer.mode == TradeMode::Offering));
    let offers = node
        .trade_offers(Some(&Blockchain::Dogecoin), PageRequest::first(100))
        .await
        .unwrap();
    check("crosschain", "offers", "Open offers for Dogecoin.", &offers);
    assert!(all.len() > offers.len());
    insta::assert_snapshot!(
        refused(node.trade_offers(None, PageRequest::first(101)).await),
        @"node refused GET /crosschain/tradeoffers with HTTP 400, code 125 INVALID_CRITERIA: invalid search criteria"
    );
    node.trade_offers_hidden(None).await.unwrap();
}

#[tokio::test]
async fn a_trade_is_read_in_every_state() {
    let (_test_node, node) = recorded().await;
    let trade = async |at: &str| node.trade(&address(at)).await;
    let offering = trade(OFFERING).await.unwrap();
    let redeemed = trade(REDEEMED).await.unwrap();
    let sections = [
        section(
            "trade_offering: An offer that waits for a buyer.",
            &offering,
        ),
        section(
            "trade_redeemed: A completed trade of the first generation.",
            &redeemed,
        ),
    ];
    check_all(
        "crosschain",
        "trade",
        "Trades by their addresses.",
        &sections,
    );
    let cancelled = trade(CANCELLED).await.unwrap();
    assert_eq!(
        (cancelled.mode, cancelled.qortal_partner_address),
        (TradeMode::Cancelled, None)
    );
    insta::assert_snapshot!(
        refused(trade("AGymFqWUWMi1zqFK7NQFzqM1sviiJWcKde").await),
        @"node refused GET /crosschain/trade/{ataddress} with HTTP 400, code 125 INVALID_CRITERIA: invalid search criteria"
    );
    insta::assert_snapshot!(
        refused(trade(ALICE).await),
        @"node refused GET /crosschain/trade/{ataddress} with HTTP 404, code 124 ADDRESS_UNKNOWN: account address unknown"
    );
}

#[tokio::test]
async fn completed_trades_are_filtered() {
    let (_test_node, node) = recorded().await;
    let litecoin = TradeFilter::default().with_blockchain(Blockchain::Litecoin);
    let trades = node.trades(&litecoin, PageRequest::first(2)).await.unwrap();
    check(
        "crosschain",
        "trades",
        "The first completed trades for Litecoin.",
        &trades,
    );
    let all = node
        .trades(&TradeFilter::default(), PageRequest::first(100))
        .await
        .unwrap();
    let since = TradeFilter::default().with_since(all[2].trade_timestamp);
    assert!(
        node.trades(&since, PageRequest::first(100))
            .await
            .unwrap()
            .len()
            < all.len()
    );
    let seller = node.public_key(&address(RITA)).await.unwrap();
    let sold = TradeFilter::default().with_seller(seller);
    let sold = node.trades(&sold, PageRequest::first(100)).await.unwrap();
    assert!(
        !sold.is_empty()
            && sold
                .iter()
                .all(|trade| trade.seller_address == address(RITA))
    );
}

/// Moments at and before the second block, for which the Core finds no block.
const BEFORE_CHAIN: [i64; 5] = [
    0,
    1,
    1_577_836_800_000,
    1_795_212_000_000,
    1_795_212_064_511,
];

#[tokio::test]
async fn all_trades_since_a_moment_come_at_once() {
    let (_test_node, node) = recorded().await;
    let filter = TradeFilter::default().with_blockchain(Blockchain::Litecoin);
    let all = node.trades(&filter, PageRequest::first(100)).await.unwrap();
    let since = async |millis| {
        let moment = Timestamp::from_millis(millis);
        let found = node.all_trades(&filter.clone().with_since(moment)).await;
        found.unwrap().len()
    };
    for moment in BEFORE_CHAIN {
        assert_eq!(since(moment).await, all.len(), "{moment}");
    }
    let last = all.last().unwrap().trade_timestamp.millis();
    assert_eq!(since(last).await, 1, "the moment itself belongs to it");
    assert_eq!(since(last + 1).await, 0);
}

#[tokio::test]
async fn trades_since_before_the_chain_are_all_trades() {
    let (_test_node, node) = recorded().await;
    let page = PageRequest::first(100);
    let all = node.trades(&TradeFilter::default(), page).await.unwrap();
    let key = node.public_key(&address(RITA)).await.unwrap().unwrap();
    let ledger = node.trade_ledger(&key, None).await.unwrap();
    for moment in BEFORE_CHAIN.map(Timestamp::from_millis) {
        let since = TradeFilter::default().with_since(moment);
        let found = node.trades(&since, page).await.unwrap();
        assert_eq!(found.len(), all.len(), "{moment}");
        let found = node.trade_ledger(&key, Some(moment)).await.unwrap();
        assert_eq!(found, ledger, "{moment}");
    }
}

#[tokio::test]
async fn a_chain_of_one_block_has_no_trades() {
    let (_test_node, node) = with(Scenario::empty()).await;
    let genesis = Timestamp::from_millis(1_795_212_000_000);
    let filter = TradeFilter::default().with_blockchain(Blockchain::Litecoin);
    let found = node.all_trades(&filter.with_since(genesis)).await;
    assert!(found.unwrap().is_empty());
}

#[tokio::test]
async fn a_price_has_two_ways_round() {
    let (_test_node, node) = recorded().await;
    let price = async |chain, of| node.trade_price(chain, of, None).await;
    assert_eq!(
        price(&Blockchain::Litecoin, PriceOf::ForeignCoin)
            .await
            .unwrap()
            .to_string(),
        "9081.71652744"
    );
    assert!(
        price(&Blockchain::Litecoin, PriceOf::Qort)
            .await
            .unwrap()
            .to_string()
            .starts_with("0.0001")
    );
    insta::assert_snapshot!(
        refused(price(&Blockchain::Ravencoin, PriceOf::ForeignCoin).await),
        @"node refused GET /crosschain/price/{blockchain} with HTTP 500"
    );
    insta::assert_snapshot!(
        refused(price(&Blockchain::from_node("LTC"), PriceOf::ForeignCoin).await),
        @"GET /crosschain/price/{blockchain} was not sent because its blockchain is not a known blockchain"
    );
    let one = NonZeroU32::new(1);
    assert!(
        node.trade_price(&Blockchain::Litecoin, PriceOf::ForeignCoin, one)
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn coins_have_a_status_and_fees() {
    let (_test_node, node) = recorded().await;
    let status = node.coin_status(&Blockchain::Litecoin).await.unwrap();
    assert!(status.enabled);
    assert_eq!((status.connected_servers, status.known_servers), (0, 0));
    assert_eq!(
        node.coin_fee_per_kb(&Blockchain::Litecoin)
            .await
            .unwrap()
            .units(),
        10_000
    );
    assert!(
        node.coin_fee_required(&Blockchain::Bitcoin)
            .await
            .unwrap()
            .units()
            > 0
    );
    insta::assert_snapshot!(
        refused(node.coin_status(&Blockchain::from_node("MONERO")).await),
        @"GET /crosschain/{coin}/status was not sent because its coin is not a known blockchain"
    );
}

#[tokio::test]
async fn a_ledger_is_a_table() {
    let (_test_node, node) = recorded().await;
    let key = node.public_key(&address(RITA)).await.unwrap().unwrap();
    let ledger = node.trade_ledger(&key, None).await.unwrap();
    assert!(ledger.starts_with("Market,Currency,Quantity,"), "{ledger}");
    assert_eq!(ledger.lines().count(), 9);
}
