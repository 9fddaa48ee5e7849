//! Asset orders in the ledger of an account: the QORT and the assets that they bind, bring and give back.

use qortal_testnode::Event;
use serde_json::{Value, json};

use crate::{
    Chain,
    ledgers::{OSCAR, OSCARS, add_transaction, ledger, shown},
};

/// Another account of the recorded chain, which makes all orders of the other side.
const BOB: &str = "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK";
const QORT: u32 = 0;
const TEST: u32 = 3;

fn id(number: u8) -> String {
    bs58::encode([number; 64]).into_string()
}

/// Adds an order, and its trades with earlier orders: the number of that order, the amounts that it and the new order gave, and what
/// the new one saved.
fn add_order(
    chain: &Chain,
    number: u8,
    who: &str,
    (have, want): (u32, u32),
    (amount, price): (&str, &str),
    trades: &[(u8, &str, &str, &str)],
) {
    let name = |asset| if asset == QORT { "QORT" } else { "TEST" };
    let order = json!({
        "haveAssetName": name(have), "wantAssetName": name(want), "creatorAddress": who, "haveAssetId": have, "wantAssetId": want, "amount": amount, "price": price,
    });
    let height = 200 + u32::from(number);
    add_transaction(
        chain,
        "CREATE_ASSET_ORDER",
        number,
        height,
        order.clone(),
        OSCARS,
    );
    let mut row = json!({"orderId": id(number), "creator": who});
    row.as_object_mut()
        .unwrap()
        .extend(order.as_object().unwrap().clone());
    add(chain, "orders", row);
    for (target, target_amount, initiator_amount, saving) in trades {
        let trade = json!({
            "initiatingOrderId": id(number), "targetOrderId": id(*target), "targetAmount": target_amount,
            "initiatorAmount": initiator_amount, "initiatorSaving": saving,
        });
        add(chain, "asset_trades", trade);
    }
}

fn add(chain: &Chain, table: &'static str, but: Value) {
    chain.node.apply(&Event::RowAdded {
        table,
        like: json!({}),
        but,
    });
}

/// Orders on both sides, each filled in parts when it is made and later, and then cancelled. The amounts are those of the Core's
/// `Order` and `Trade`: an order binds its amount rounded up, an earlier order keeps its price, and the later one saves the difference.
async fn chain_with_orders() -> Chain {
    let chain = Chain::recorded().await;
    let (buys, sells) = ((QORT, TEST), (TEST, QORT));
    add_order(&chain, 1, BOB, sells, ("2.00000000", "0.30000000"), &[]);
    let saved = (1, "2.00000000", "0.60000000", "0.06666666");
    add_order(
        &chain,
        2,
        OSCAR,
        buys,
        ("10.00000001", "0.33333333"),
        &[saved],
    );
    let filled = (2, "0.99999999", "3.00000000", "0.00000000");
    add_order(
        &chain,
        3,
        BOB,
        sells,
        ("3.00000000", "0.33333333"),
        &[filled],
    );
    let filled = (2, "0.33333333", "1.00000000", "0.00000000");
    add_order(
        &chain,
        4,
        BOB,
        sells,
        ("1.00000000", "0.20000000"),
        &[filled],
    );
    let cancels = |number: u8| json!({"orderId": id(number)});
    add_transaction(&chain, "CANCEL_ASSET_ORDER", 5, 205, cancels(2), OSCARS);
    add_order(&chain, 6, BOB, buys, ("1.00000000", "0.60000000"), &[]);
    let filled = (6, "0.60000000", "1.00000000", "0.00000000");
    add_order(
        &chain,
        7,
        OSCAR,
        sells,
        ("6.00000000", "0.50000000"),
        &[filled],
    );
    let filled = (7, "2.00000000", "1.00000000", "0.20000000");
    add_order(
        &chain,
        8,
        BOB,
        buys,
        ("2.00000000", "0.60000000"),
        &[filled],
    );
    let filled = (7, "1.00000000", "0.50000000", "0.00000000");
    add_order(
        &chain,
        9,
        BOB,
        buys,
        ("1.00000000", "0.50000000"),
        &[filled],
    );
    add_transaction(
        &chain,
        "CANCEL_ASSET_ORDER",
        10,
        210,
        cancels(7),
        OSCARS + 12_666_668,
    );
    chain
}

#[tokio::test]
async fn a_ledger_counts_asset_orders_with_partial_fills_and_cancellations() {
    let chain = chain_with_orders().await;
    let ledger = ledger(&chain, OSCAR).await;
    assert_eq!(ledger["rewards"], "0.00000000", "{ledger:#}");
    assert_eq!(ledger["closingBalance"], "42.12666673");
    assert_eq!(
        shown(&ledger)[..11],
        [
            "CANCEL_ASSET_ORDER 2.00000000 TEST 0.01000000",
            "CREATE_ASSET_ORDER 0.50000000 QORT 0.00000000",
            "CREATE_ASSET_ORDER 1.00000000 QORT 0.00000000",
            "CREATE_ASSET_ORDER 0.60000000 QORT 0.00000000 2",
            "CREATE_ASSET_ORDER -6.00000000 TEST 0.01000000 1",
            "CANCEL_ASSET_ORDER 1.33333333 QORT 0.01000000",
            "CREATE_ASSET_ORDER 1.00000000 TEST 0.00000000",
            "CREATE_ASSET_ORDER 3.00000000 TEST 0.00000000",
            "CREATE_ASSET_ORDER 0.06666666 QORT 0.00000000 3",
            "CREATE_ASSET_ORDER 2.00000000 TEST 0.00000000 2",
            "CREATE_ASSET_ORDER -3.33333331 QORT 0.01000000 1",
        ]
    );
    chain.stop().await;
}

/// A range begins and ends between the parts of an order.
#[tokio::test]
async fn a_ledger_counts_trades_in_the_range_of_the_matching_order() {
    let chain = chain_with_orders().await;
    for (after, before, opening, closing) in [
        (200, 203, "42.00000005", "38.72333340"),
        (203, 205, "38.72333340", "38.72333340"),
        (205, 208, "38.72333340", "40.63666673"),
        (208, 209, "40.63666673", "41.63666673"),
        (209, 230, "41.63666673", "42.12666673"),
    ] {
        let arguments = json!({"address": OSCAR, "after": after, "before": before});
        let ledger = chain.call("get_account_ledger", arguments).await.unwrap();
        assert_eq!(ledger["openingBalance"], opening, "{after} {before}");
        assert_eq!(ledger["closingBalance"], closing, "{after} {before}");
    }
    chain.stop().await;
}
