//! `/assets`.

use qortal_client::{
    ApiError, PageRequest,
    api::assets::{BalanceFilter, BalanceOrder, OrderState},
};
use qortal_types::AssetId;

use crate::harness::{BOB, address, check, recorded, refused, targets};

const TEST: AssetId = AssetId::new(3);

#[tokio::test]
async fn assets_are_listed_and_read() {
    let (_test_node, node) = recorded().await;
    let assets = node.assets(PageRequest::first(100)).await.unwrap();
    assert_eq!(assets.len(), 9);
    let asset = node.asset(TEST).await.unwrap();
    check(
        "assets",
        "asset",
        "An asset with its quantity in coins.",
        &asset,
    );
    assert_eq!(node.asset_named("TEST").await.unwrap().asset_id, TEST);
    insta::assert_snapshot!(
        refused(node.asset_named("test").await),
        @"node refused GET /assets/info with HTTP 400, code 601 INVALID_ASSET_ID: invalid asset ID"
    );
}

#[tokio::test]
async fn the_richest_are_listed() {
    let (test_node, node) = recorded().await;
    let filter = BalanceFilter::default().with_assets(vec![AssetId::QORT]);
    let richest = node
        .asset_balances(&filter, PageRequest::last(2))
        .await
        .unwrap();
    check(
        "assets",
        "richest",
        "The two richest holders of QORT.",
        &richest,
    );
    let filter = BalanceFilter::default()
        .with_addresses(vec![address(BOB)])
        .with_order(BalanceOrder::AccountAsset)
        .with_exclude_zero(true);
    assert!(
        node.asset_balances(&filter, PageRequest::first(100))
            .await
            .unwrap()
            .len()
            > 1
    );
    insta::assert_snapshot!(targets(&test_node).join("\n"), @"
    /assets/balances?assetid=0&ordering=ASSET_BALANCE_ACCOUNT&limit=2&reverse=true
    /assets/balances?address=QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK&ordering=ACCOUNT_ASSET&excludeZero=true&limit=100
    ");
    insta::assert_snapshot!(refused(node.asset_balances(&BalanceFilter::default(), PageRequest::first(1)).await), @"node refused GET /assets/balances with HTTP 400, code 125 INVALID_CRITERIA: invalid search criteria");
}

#[tokio::test]
async fn orders_and_exchanges_are_listed() {
    let (_test_node, node) = recorded().await;
    let page = PageRequest::first(10);
    let open = node.open_orders(TEST, AssetId::QORT, page).await.unwrap();
    check(
        "assets",
        "open_orders",
        "Open orders that offer TEST for QORT, by price.",
        &open,
    );
    let trades = node.asset_trades(AssetId::QORT, TEST, page).await.unwrap();
    check("assets", "trades", "An exchange with both orders.", &trades);
    let done = OrderState::default().with_closed(true).with_fulfilled(true);
    let orders = node.orders_of(&address(BOB), done, page).await.unwrap();
    assert!(
        !orders.is_empty()
            && orders
                .iter()
                .all(|order| order.is_fulfilled && order.is_closed)
    );
    // The endpoint for a pair returns all states unless one is asked for.
    let of_pair = async |state| {
        let bob = address(BOB);
        let orders = node.orders_of_pair(&bob, AssetId::QORT, TEST, state, page);
        orders.await.unwrap().len()
    };
    assert_eq!(of_pair(None).await, of_pair(Some(done)).await);
    assert_eq!(of_pair(Some(OrderState::default())).await, 0);
}

#[tokio::test]
async fn transfers_of_an_asset_are_listed() {
    let (_test_node, node) = recorded().await;
    let transfers = node
        .asset_transfers(AssetId::new(6), None, PageRequest::first(10))
        .await
        .unwrap();
    assert!(!transfers.is_empty() && transfers.iter().all(|transfer| transfer.amount().is_some()));
}

#[tokio::test]
async fn an_order_is_read_with_its_trades() {
    let (_test_node, node) = recorded().await;
    let id =
        "5zM3VBnSbnNHrt3DkpHGBTpCvU7aCY5EQHFonrXcFmX4oVz69Z6ttJJZvWBNf9zH3AyH3KNLyBqZy9GYu8JMXd8N";
    let id = id.parse().unwrap();
    let order = node.asset_order(&id).await.unwrap();
    assert_eq!(
        (order.order_id, order.fulfilled.to_string()),
        (id, "1.00000000".to_owned())
    );
    let trades = node
        .trades_of_order(&id, PageRequest::first(10))
        .await
        .unwrap();
    let amounts: Vec<_> = trades
        .iter()
        .map(|it| it.target_amount.to_string())
        .collect();
    assert_eq!(amounts, ["1.00000000"]);
    let unknown =
        "3B8zsF8b9Lc5V1of2VtHDEEtKvhy1mfhPjQcZYL3ynN3t5ZCcGcwbRv1kRi7RZMpSk8cX6er8cwumoe6svWKnmft";
    let refused = node
        .asset_order(&unknown.parse().unwrap())
        .await
        .unwrap_err();
    assert!(refused.is(ApiError::ORDER_UNKNOWN));
}
