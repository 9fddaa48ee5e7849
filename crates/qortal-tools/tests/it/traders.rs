//! What a budget buys, and who traded most.

use std::collections::BTreeMap;

use qortal_testnode::Scenario;
use qortal_types::Amount;
use serde_json::{Value, json};

use crate::{Chain, check};

/// A budget buys whole offers of sellers who are online, the cheapest first, and no other of them fits into the rest.
#[tokio::test]
async fn a_budget_buys_the_cheapest_offers_that_fit() {
    let chain = Chain::of(Scenario::demo(1_795_435_200_000).frozen()).await;
    let units = |it: &Value| it.as_str().unwrap().parse::<Amount>().unwrap().units();
    let arguments = json!({"blockchain": "LITECOIN", "order": "oldest", "limit": 100});
    let offers = chain.rows("list_trade_offers", "offers", arguments).await;
    let mut online: Vec<_> = offers
        .iter()
        .filter(|it| it["sellerOnline"] == true)
        .collect();
    let price = |it: &Value| {
        // Exact enough for the prices of the demo, which differ by more than a billionth.
        i128::from(units(&it["expectedForeignAmount"])) * 1_000_000_000_000
            / i128::from(units(&it["qortAmount"]))
    };
    online.sort_by_key(|it| price(it));
    let all: i64 = online
        .iter()
        .map(|it| units(&it["expectedForeignAmount"]))
        .sum();
    let first = units(&online[0]["expectedForeignAmount"]);
    let mut bought = 0;
    for budget in [
        0,
        1,
        first - 1,
        first,
        first + 1,
        all / 2,
        all - 1,
        all,
        all + 1,
    ] {
        let mut rest = budget;
        let expected: Vec<_> = online
            .iter()
            .filter(|it| {
                let cost = units(&it["expectedForeignAmount"]);
                let fits = cost <= rest;
                rest -= if fits { cost } else { 0 };
                fits
            })
            .collect();
        let amount = Amount::from_units(budget).to_string();
        let arguments = json!({"blockchain": "LITECOIN", "budget": amount});
        let book = chain.call("get_trade_order_book", arguments).await.unwrap();
        let purchase = &book["purchase"];
        let taken = purchase["offers"].as_array().unwrap();
        assert_eq!(taken.len(), expected.len(), "{amount}");
        for (taken, expected) in taken.iter().zip(&expected) {
            assert_eq!(taken["atAddress"], expected["qortalAtAddress"], "{amount}");
            assert_eq!(taken["foreignAmount"], expected["expectedForeignAmount"]);
        }
        assert_eq!(units(&purchase["rest"]), rest, "{amount}");
        assert_eq!(units(&purchase["foreignAmount"]), budget - rest);
        let qort: i64 = expected.iter().map(|it| units(&it["qortAmount"])).sum();
        assert_eq!(units(&purchase["qortAmount"]), qort);
        bought += expected.len();
    }
    assert!(bought > 20 && online.len() < offers.len(), "{bought}");
    chain.stop().await;
}

/// Rankings add up the trades that are listed.
#[tokio::test]
async fn trade_rankings_are_those_of_the_trades() {
    let chain = Chain::of(Scenario::demo(1_795_435_200_000).frozen()).await;
    let units = |it: &Value| it.as_str().unwrap().parse::<Amount>().unwrap().units();
    for (by, field, coin) in [
        ("sellers", "sellerAddress", Some("LITECOIN")),
        ("buyers", "buyerReceivingAddress", Some("DOGECOIN")),
        ("sellers", "sellerAddress", None),
        ("buyers", "buyerReceivingAddress", None),
    ] {
        let range = json!({"blockchain": coin, "after": "20d", "before": "2d", "limit": 100});
        let mut listed = range.clone();
        listed["order"] = "oldest".into();
        let trades = chain.rows("list_completed_trades", "trades", listed).await;
        let mut expected = BTreeMap::<&str, (i64, i64, u64)>::new();
        for it in &trades {
            let sum = expected.entry(it[field].as_str().unwrap()).or_default();
            sum.0 += units(&it["qortAmount"]);
            sum.1 += units(&it["foreignAmount"]);
            sum.2 += 1;
        }
        let mut ranked = range;
        ranked["by"] = by.into();
        let ranking = chain.call("get_trade_rankings", ranked).await.unwrap();
        let traders = ranking["traders"].as_array().unwrap();
        assert_eq!(traders.len(), expected.len(), "{by} {coin:?}");
        assert!(traders.len() > 2, "{by} {coin:?}");
        for it in traders {
            let (qort, foreign, trades) = expected[it["address"].as_str().unwrap()];
            assert_eq!(units(&it["qortAmount"]), qort, "{it}");
            assert_eq!(it["trades"], trades, "{it}");
            assert_eq!(it.get("foreignAmount").is_some(), coin.is_some());
            assert!(
                coin.is_none() || units(&it["foreignAmount"]) == foreign,
                "{it}"
            );
        }
        assert!(traders.is_sorted_by_key(|it| -units(&it["qortAmount"])));
        assert_eq!(ranking["totalTrades"], trades.len());
        let qort: i64 = expected.values().map(|it| it.0).sum();
        assert_eq!(units(&ranking["totalQort"]), qort);
    }
    chain.stop().await;
}

#[tokio::test]
async fn get_trade_rankings() {
    let cases = [
        ("sellers_of_a_coin", json!({"blockchain": "LITECOIN"})),
        ("buyers", json!({"by": "buyers", "limit": 2})),
        ("before_a_time", json!({"before": "2026-11-21", "limit": 1})),
        ("empty_range", json!({"after": "2026-11-22"})),
    ];
    check("get_trade_rankings", cases).await;
}
