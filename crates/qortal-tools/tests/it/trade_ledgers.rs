//! The trades of one account, as the Core's own ledger has them and more exactly.

use std::collections::{BTreeMap, BTreeSet};

use qortal_client::Node;
use qortal_testnode::Scenario;
use qortal_types::Amount;
use serde_json::{Value, json};

use crate::Chain;
use test_chain::config;

/// The keys of a seller, a buyer and a small trader.
const RITA_KEY: &str = "CddYUrFeW4SV4GCpK7i1Vh34AmaqkHJGk9vqj6yeyVp7";
const STEVE_KEY: &str = "EyEpG8pzQi6LTSJA6176xaiyCkcQ8yVDNwjhguzJCG62";
const CHLOE_KEY: &str = "7KNBj2MnEb6zq1vvKY1q8G2Voctcc2Z1X4avFyEH2eJC";

/// `/crosschain/ledger` of the Core has the same trades, to the minute. It fails on a node without all coin wallets.
#[tokio::test]
async fn a_trade_ledger_has_the_rows_of_the_ledger_of_the_core() {
    for scenario in [Scenario::recorded(), Scenario::demo(1_795_370_000_000)] {
        let chain = Chain::of(scenario).await;
        let node = Node::new(config(&chain.node, None, 1 << 22)).unwrap();
        let mut compared = 0;
        for key in [RITA_KEY, STEVE_KEY, CHLOE_KEY] {
            let csv = node.trade_ledger(&key.parse().unwrap(), None).await;
            let csv = csv.unwrap();
            let mut expected: Vec<String> = csv
                .lines()
                .skip(1)
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect();
            expected.sort();
            let arguments = json!({"public_key": key, "limit": 10_000});
            let rows = chain.rows("get_trade_ledger", "rows", arguments).await;
            let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
            let line = |row: &Value| {
                let [received, paid] = ["received", "paid"].map(|it| text(row, it));
                let coin = if received == "QORT" { &paid } else { &received };
                let minute = text(row, "dateTime").replace('-', "").replace('T', " ");
                let (quantity, price) = (text(row, "receivedAmount"), text(row, "paidAmount"));
                let minute = minute.trim_end_matches('Z');
                format!("{received},{paid},{quantity},0.00000000,{coin},{price},{minute},Qortal")
            };
            let mut lines: Vec<_> = rows.iter().map(line).collect();
            lines.sort();
            assert_eq!(lines, expected, "{key}");
            // Each row has an identity: trades that are equal to the minute are not.
            let identity = |it: &Value| (text(it, "atAddress"), text(it, "received"));
            let identities: BTreeSet<_> = rows.iter().map(identity).collect();
            assert_eq!(identities.len(), rows.len(), "{key}");
            for row in &rows {
                assert!(
                    text(row, "timestampIso").starts_with(&minute_of(row)),
                    "{row}"
                );
            }
            compared += rows.len();
            // Totals are those of all rows, on each page.
            let arguments = json!({"public_key": key, "limit": 1});
            let page = chain.call("get_trade_ledger", arguments).await.unwrap();
            for total in page["totals"].as_array().unwrap() {
                let units = |it: &Value| it.as_str().unwrap().parse::<Amount>().unwrap().units();
                for side in ["received", "paid"] {
                    let of_coin = rows.iter().filter(|it| it[side] == total["coin"]);
                    let sum: i64 = of_coin.map(|it| units(&it[format!("{side}Amount")])).sum();
                    assert_eq!(units(&total[side]), sum, "{key} {total}");
                }
            }
        }
        assert!(compared > 8, "{compared}");
        chain.stop().await;
    }
}

/// The transaction and the fee of a trade are those of the account's ledger: of a sale the offer, of a purchase the payout.
#[tokio::test]
async fn a_trade_ledger_has_the_transactions_of_the_account_ledger() {
    let chain = Chain::of(Scenario::demo(1_795_370_000_000).frozen()).await;
    let mut compared = BTreeMap::new();
    for name in ["rita-trades", "new-name", "chloe"] {
        let of = json!({"address": name, "limit": 1_000});
        let account = chain.rows("get_account_ledger", "rows", of.clone()).await;
        for trade in chain.rows("get_trade_ledger", "rows", of).await {
            let mut rows = account.iter();
            let row = rows.find(|it| it["transaction"] == trade["transaction"]);
            let row = row.unwrap_or_else(|| panic!("{trade}"));
            assert_eq!(row["fee"], trade["fee"], "{trade}");
            let kind = match trade["received"] == "QORT" {
                true => {
                    assert_eq!(row["amount"], trade["receivedAmount"], "{row}");
                    "AT"
                }
                false => {
                    assert_eq!(row["counterparty"], trade["atAddress"], "{row}");
                    "DEPLOY_AT"
                }
            };
            assert_eq!(row["kind"], kind, "{trade}");
            *compared.entry(kind).or_insert(0) += 1;
        }
    }
    assert!(
        compared["AT"] > 5 && compared["DEPLOY_AT"] > 200,
        "{compared:?}"
    );
    chain.stop().await;
}

/// `2026-11-21T05:06`.
fn minute_of(row: &Value) -> String {
    let minute = row["dateTime"].as_str().unwrap();
    minute.trim_end_matches('Z').to_owned()
}

/// A range ends at a millisecond, also within the minute of a trade.
#[tokio::test]
async fn a_trade_ledger_ends_within_a_minute() {
    let chain = Chain::recorded().await;
    let rows = async |range: Value| {
        let mut arguments = json!({"public_key": RITA_KEY, "limit": 100});
        let arguments_of = arguments.as_object_mut().unwrap();
        arguments_of.extend(range.as_object().unwrap().clone());
        chain.rows("get_trade_ledger", "rows", arguments).await
    };
    let all = rows(json!({"order": "oldest"})).await;
    for (index, row) in all.iter().enumerate() {
        let exact = row["timestampIso"].as_str().unwrap();
        let minute = format!("{}:00Z", minute_of(row));
        for (range, expected) in [
            (json!({"before": exact}), index),
            (json!({"after": exact}), all.len() - index),
            (json!({"before": minute}), index),
            (json!({"after": minute}), all.len() - index),
            (json!({"after": minute, "before": exact}), 0),
        ] {
            assert_eq!(rows(range.clone()).await.len(), expected, "{range}");
        }
    }
    chain.stop().await;
}
