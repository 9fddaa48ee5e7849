//! The sums of ledgers, payments and trades are those of all their rows.

use std::collections::BTreeMap;

use qortal_client::Node;
use qortal_testnode::{Scenario, TestNode};
use qortal_tools::{Catalog, Selection};
use qortal_types::Amount;
use serde_json::{Value, json};

use crate::Chain;
use test_chain::config;

/// Noon (UTC) of November 23, 2026.
const NOW: i64 = 1_795_435_200_000;

fn units(amount: &Value) -> i64 {
    let amount: Amount = amount.as_str().unwrap().parse().unwrap();
    amount.units()
}

/// What one row has of a coin: received, paid and fees.
type Parts = Vec<(String, [i64; 3])>;

fn of_account(row: &Value) -> Parts {
    let (amount, fee) = (units(&row["amount"]), units(&row["fee"]));
    let coin = row["coin"].as_str().unwrap().to_owned();
    let moved = [amount.max(0), (-amount).max(0)];
    if coin == "QORT" {
        return vec![(coin, [moved[0], moved[1], fee])];
    }
    let mut parts = vec![(coin, [moved[0], moved[1], 0])];
    if fee != 0 {
        parts.push(("QORT".to_owned(), [0, 0, fee]));
    }
    parts
}

fn of_trades(row: &Value) -> Parts {
    let fee = row.get("fee").map_or(0, units);
    let side = |name: &str| {
        let coin = row[name].as_str().unwrap().to_owned();
        let fee = if coin == "QORT" { fee } else { 0 };
        (coin, units(&row[format!("{name}Amount")]), fee)
    };
    let (received, paid) = (side("received"), side("paid"));
    vec![
        (received.0, [received.1, 0, received.2]),
        (paid.0, [0, paid.1, paid.2]),
    ]
}

fn of_payments(row: &Value, pays: bool) -> Parts {
    let (amount, fee) = (units(&row["amount"]), units(&row["fee"]));
    let moved = if pays {
        [0, amount, fee]
    } else {
        [amount, 0, 0]
    };
    vec![("QORT".to_owned(), moved)]
}

/// The sums of rows by the beginning of their time, which has so many characters, and coin.
fn sums<'a>(
    rows: impl IntoIterator<Item = &'a Value>,
    characters: usize,
    parts: impl Fn(&Value) -> Parts,
) -> BTreeMap<(String, String), ([i64; 3], u64)> {
    let mut sums = BTreeMap::<_, ([i64; 3], u64)>::new();
    for row in rows {
        let time = row["timestampIso"].as_str().unwrap();
        for (coin, moved) in parts(row) {
            let sum = sums.entry((time[..characters].to_owned(), coin));
            let sum = sum.or_default();
            sum.1 += 1;
            for (sum, it) in sum.0.iter_mut().zip(moved) {
                *sum += it;
            }
        }
    }
    sums
}

/// The sums of an answer, by month if there is one.
fn reported(totals: &Value) -> BTreeMap<(String, String), ([i64; 3], u64)> {
    let totals = totals.as_array().unwrap().iter();
    let totals = totals.map(|it| {
        let [received, paid, fees] = ["received", "paid", "fees"].map(|name| units(&it[name]));
        assert_eq!(units(&it["net"]), received - paid - fees, "{it}");
        let month = it.get("month").and_then(Value::as_str).unwrap_or_default();
        let coin = it["coin"].as_str().unwrap();
        let key = (month.to_owned(), coin.to_owned());
        (key, ([received, paid, fees], it["rows"].as_u64().unwrap()))
    });
    totals.collect()
}

#[tokio::test]
async fn sums_are_those_of_all_rows_on_every_page() {
    let chain = Chain::of(Scenario::demo(NOW).frozen()).await;
    let mut months = 0;
    for (tool, list, arguments) in [
        ("get_account_ledger", "rows", json!({"address": "trent"})),
        (
            "get_account_ledger",
            "rows",
            json!({"address": "victor", "after": "40d", "before": "3d"}),
        ),
        (
            "get_trade_ledger",
            "rows",
            json!({"address": "rita-trades"}),
        ),
        (
            "get_trade_ledger",
            "rows",
            json!({"address": "new-name", "after": "40d"}),
        ),
        ("find_payments", "payments", json!({"sender": "trent"})),
        (
            "find_payments",
            "payments",
            json!({"recipient": "victor", "order": "oldest", "after": "60d"}),
        ),
        (
            "find_payments",
            "payments",
            json!({"sender": "trent", "confirmation_status": "UNCONFIRMED"}),
        ),
    ] {
        let rows = chain.rows(tool, list, arguments.clone()).await;
        let pays = arguments.get("sender").is_some();
        let parts = |row: &Value| match tool {
            "get_account_ledger" => of_account(row),
            "get_trade_ledger" => of_trades(row),
            _ => of_payments(row, pays),
        };
        for limit in [1, 100] {
            let mut arguments = arguments.clone();
            arguments["limit"] = limit.into();
            arguments["totals"] = "month".into();
            let page = chain.call(tool, arguments.clone()).await.unwrap();
            let expected = sums(&rows, 0, parts);
            assert_eq!(reported(&page["totals"]), expected, "{tool} {arguments}");
            let expected = sums(&rows, "2026-11".len(), parts);
            assert_eq!(reported(&page["months"]), expected, "{tool} {arguments}");
            months += expected.len();
            let first = page["months"][0]["month"].as_str();
            let last = page["months"].as_array().unwrap().last();
            let last = last.and_then(|it| it["month"].as_str());
            assert!(first >= last, "{tool} {arguments}");
        }
    }
    assert!(months > 60, "{months}");
    chain.stop().await;
}

/// A page of some payments has no sums of all, unless they are asked for. Later pages have none.
#[tokio::test]
async fn sums_of_payments_are_of_all_or_absent() {
    let chain = Chain::of(Scenario::demo(NOW).frozen()).await;
    for (arguments, has_sums) in [
        (json!({"sender": "trent", "limit": 1}), false),
        (
            json!({"sender": "trent", "limit": 1, "totals": "coin"}),
            true,
        ),
        (
            json!({"sender": "trent", "after": "30d", "limit": 100}),
            true,
        ),
        (
            json!({"sender": "trent", "offset": 1, "totals": "coin"}),
            false,
        ),
    ] {
        let page = chain.call("find_payments", arguments.clone()).await;
        let page = page.unwrap();
        assert_eq!(page.get("totals").is_some(), has_sums, "{arguments}");
        assert!(page.get("months").is_none(), "{arguments}");
    }
    chain.stop().await;
}

/// More payments than are read at once are not passed off as all.
#[tokio::test]
async fn sums_of_too_many_payments_name_their_rows() {
    let node = TestNode::start(Scenario::large()).await.unwrap();
    for (megabytes, rows, note) in [
        (8, json!(5_000), "of the first 5000 payments"),
        (1, Value::Null, "too many payments for their sums"),
    ] {
        let client = Node::new(config(&node, None, megabytes << 20)).unwrap();
        let catalog = Catalog::new(client, &Selection::default()).unwrap();
        let arguments = json!({"sender": "Alice Test", "totals": "coin", "limit": 1});
        let Value::Object(arguments) = arguments else {
            unreachable!()
        };
        let entry = catalog.entry("find_payments").unwrap();
        let page = catalog.call(entry, arguments).await.unwrap().structure();
        let totals = page.get("totals").cloned().unwrap_or_default();
        assert_eq!(totals[0]["rows"], rows);
        let notes = page["notes"].to_string();
        assert!(notes.contains(note), "{notes}");
        assert_eq!(page["truncated"], true);
        assert_eq!(page["payments"].as_array().unwrap().len(), 1);
    }
    node.stop().await;
}

/// The sums of a list that is read to its end: those of all its windows of blocks, or none.
#[tokio::test]
async fn sums_of_a_complete_list_are_those_of_its_rows() {
    let large = Chain::of(Scenario::of_size::<3_000>()).await;
    let demo = Chain::of(Scenario::demo(NOW).frozen()).await;
    let payments = json!({"sender": "Alice Test", "totals": "month", "limit": 100});
    let without_sums = json!({"sender": "Alice Test", "after": "height 440"});
    for (chain, tool, arguments, has_sums) in [
        (&large, "find_payments", payments, true),
        (&large, "find_payments", without_sums, false),
        (
            &demo,
            "get_account_ledger",
            json!({"address": "trent"}),
            true,
        ),
        (
            &demo,
            "get_trade_ledger",
            json!({"address": "rita-trades", "limit": 50}),
            true,
        ),
        (&demo, "list_names", json!({}), false),
    ] {
        let entry = chain.catalog.entry(tool).unwrap();
        let Value::Object(arguments) = arguments else {
            unreachable!()
        };
        let mut pages = chain.catalog.pages(entry, arguments.clone()).unwrap();
        let (mut rows, mut read, mut middle) = (Vec::new(), 0, None);
        while let Some(page) = pages.next().await {
            rows.extend(page.unwrap().rows);
            read += 1;
            if middle.is_none() && !rows.is_empty() {
                middle = Some(pages.place().clone());
            }
        }
        let sums: Vec<_> = pages.sums().into_iter().map(Value::Object).collect();
        assert_eq!(!sums.is_empty(), has_sums, "{tool}");
        if !has_sums {
            continue;
        }
        let parts = |row: &Value| match tool {
            "get_account_ledger" => of_account(row),
            "get_trade_ledger" => of_trades(row),
            _ => of_payments(row, true),
        };
        let mut expected = self::sums(&rows, 0, parts);
        if arguments.contains_key("totals") {
            expected.extend(self::sums(&rows, "2026-11".len(), parts));
            assert!(read > 10, "{read} windows");
        }
        assert_eq!(reported(&json!(sums)), expected, "{tool}");
        // Who goes on within a list has not seen all its rows.
        let resumed = chain.catalog.pages(entry, arguments).unwrap();
        let mut resumed = resumed.starting_at(middle.unwrap());
        while let Some(page) = resumed.next().await {
            page.unwrap();
        }
        let seen: u64 = resumed
            .sums()
            .iter()
            .map(|it| it["rows"].as_u64().unwrap())
            .sum();
        let all: u64 = expected.values().map(|(_, rows)| rows).sum();
        assert!(seen < all, "{tool} {seen} of {all}");
    }
    large.stop().await;
    demo.stop().await;
}
