//! Ranges of time: the rows of a list that are in a range, and no others.

use std::collections::BTreeMap;

use qortal_testnode::{Event, Scenario};
use serde_json::{Value, json};

use crate::{Chain, walk};

/// Lists that have time: a tool, its other arguments, the list, and the member of a row that is in the range or not. A height stands
/// for the time of its block.
const LISTS: &[(&str, &str, &str, &str)] = &[
    (
        "find_payments",
        r#"{"sender": "Alice Test", "confirmation_status": "CONFIRMED"}"#,
        "payments",
        "height",
    ),
    (
        "find_payments",
        r#"{"sender": "Alice Test", "amount": "5", "confirmation_status": "CONFIRMED"}"#,
        "payments",
        "height",
    ),
    (
        "get_account_activity",
        r#"{"address": "Alice Test"}"#,
        "activities",
        "height",
    ),
    (
        "search_transactions",
        r#"{"address": "victor"}"#,
        "transactions",
        "blockHeight",
    ),
    (
        "search_transactions",
        r#"{"tx_types": ["PAYMENT", "MESSAGE"]}"#,
        "transactions",
        "blockHeight",
    ),
    (
        "list_transactions_by_address",
        r#"{"address": "chloe"}"#,
        "transactions",
        "blockHeight",
    ),
    (
        "search_qdn",
        r#"{"service": "DOCUMENT"}"#,
        "publications",
        "blockHeight",
    ),
    (
        "list_blocks_by_minter",
        r#"{"address": "Alice Test"}"#,
        "blocks",
        "height",
    ),
    (
        "get_trade_ledger",
        r#"{"address": "rita-trades"}"#,
        "rows",
        "dateTime",
    ),
    (
        "list_group_kicks",
        r#"{"group_id": 3}"#,
        "kicks",
        "timestampIso",
    ),
    (
        "list_group_kicks",
        r#"{"address": "spam-name"}"#,
        "kicks",
        "timestampIso",
    ),
    ("list_polls", "{}", "polls", "publishedIso"),
    ("list_polls", r#"{"query": "app"}"#, "polls", "publishedIso"),
    (
        "list_asset_orders",
        r#"{"address": "Alice Test"}"#,
        "orders",
        "timestampIso",
    ),
    (
        "list_asset_transfers",
        r#"{"asset_id": "Gizmo"}"#,
        "transfers",
        "timestampIso",
    ),
    (
        "list_transactions_by_creator",
        r#"{"address": "Alice Test"}"#,
        "transactions",
        "blockHeight",
    ),
    ("list_completed_trades", "{}", "trades", "tradeTimestampIso"),
    (
        "list_completed_trades",
        r#"{"order": "oldest", "blockchain": "LITECOIN"}"#,
        "trades",
        "tradeTimestampIso",
    ),
    (
        "get_group_members",
        r#"{"group_id": "minters"}"#,
        "members",
        "joinedIso",
    ),
    (
        "get_group_members",
        r#"{"group_id": 3}"#,
        "members",
        "joinedIso",
    ),
    ("list_names", "{}", "names", "registeredIso or updatedIso"),
];

/// The times of all blocks, as text.
async fn times(chain: &Chain) -> BTreeMap<u64, String> {
    let arguments = json!({"height": 1, "count": 100});
    let blocks = chain.rows("list_block_range", "blocks", arguments).await;
    let time = |it: &Value| it["timestampIso"].as_str().unwrap().to_owned();
    let time = |it: &Value| (it["height"].as_u64().unwrap(), time(it));
    blocks.iter().map(time).collect()
}

#[tokio::test]
async fn a_range_has_all_rows_of_the_list_that_are_in_it() {
    let chain = Chain::recorded().await;
    let times = times(&chain).await;
    // Where a payment is made a minute before its block, that of another is exactly the end.
    let ranges = [
        (json!("2026-11-20T22:40Z"), Value::Null),
        (Value::Null, json!("2026-11-20T22:40Z")),
        (json!(times[&19]), json!(times[&43])),
        (json!("height 19"), json!(20)),
        (json!("block 27"), json!("2026-11-21")),
        (json!("2026-11-21"), json!("now")),
    ];
    let in_time = |edge: &Value| match edge.as_str() {
        Some("now") | None if edge.is_null() || edge == "now" => None,
        Some(text) => match text.split_once(' ') {
            Some((_, height)) => Some(times[&height.parse::<u64>().unwrap()].clone()),
            None => Some(text.trim_end_matches('Z').to_owned()),
        },
        None => Some(times[&edge.as_u64().unwrap()].clone()),
    };
    for (tool, arguments, list, member) in LISTS.iter().filter(|it| walk::tries(it.0)) {
        let mut arguments: Value = serde_json::from_str(arguments).unwrap();
        arguments["limit"] = 50.into();
        let all = chain.rows(tool, list, arguments.clone()).await;
        let mut found = 0;
        for (after, before) in &ranges {
            let time_of = |value: &Value| match value.as_u64() {
                Some(height) => Some(times[&height].clone()),
                None => value.as_str().map(str::to_owned),
            };
            let (start, end) = (in_time(after), in_time(before));
            let is_in = |row: &Value| {
                let mut times = member.split(" or ").filter_map(|it| time_of(&row[it]));
                times.any(|time| {
                    start.as_ref().is_none_or(|it| time >= *it)
                        && end.as_ref().is_none_or(|it| time < *it)
                })
            };
            let expected: Vec<_> = all.iter().filter(|it| is_in(it)).cloned().collect();
            (arguments["after"], arguments["before"]) = (after.clone(), before.clone());
            for limit in [2, 50] {
                arguments["limit"] = limit.into();
                let rows = chain.rows(tool, list, arguments.clone()).await;
                assert_eq!(json!(rows), json!(expected), "{tool} {arguments}");
            }
            found += expected.len();
        }
        assert!(found > 0, "{tool}");
    }
    chain.stop().await;
}

/// Rows of transactions show when they were made, and a range goes by their blocks: where the two differ, the answer says so.
#[tokio::test]
async fn a_range_notes_rows_that_were_made_before_it() {
    let chain = Chain::recorded().await;
    let found = async |tool: &str, mut arguments: Value, after: &str| {
        arguments["after"] = after.into();
        let answer = chain.call(tool, arguments).await.unwrap();
        let notes = answer["notes"].to_string();
        notes.contains("The range goes by the times of blocks.")
    };
    let payments = json!({"tx_types": ["PAYMENT"], "order": "oldest"});
    let of_sender =
        json!({"sender": "Alice Test", "order": "oldest", "confirmation_status": "CONFIRMED"});
    for (tool, arguments) in [
        ("search_transactions", payments),
        ("find_payments", of_sender),
    ] {
        // A payment of block 14 was made at 22:12:32, a minute before its block.
        let range = "2026-11-20T22:12:40Z";
        assert!(found(tool, arguments.clone(), range).await, "{tool}");
        let whole = "2026-11-20T22:00:00Z";
        assert!(!found(tool, arguments.clone(), whole).await, "{tool}");
        assert!(!found(tool, arguments, "height 14").await, "{tool}");
    }
    chain.stop().await;
}

/// What waits is in no block, so that its own time counts.
#[tokio::test]
async fn a_range_of_what_waits_is_one_of_the_times_at_which_it_was_made() {
    let chain = Chain::recorded().await;
    let of_sender = json!({"address": "Alice Test", "confirmation_status": "UNCONFIRMED"});
    for (tool, arguments) in [
        ("list_unconfirmed_transactions", json!({})),
        ("list_transactions_by_address", of_sender.clone()),
        ("list_transactions_by_creator", of_sender),
    ] {
        let list = "transactions";
        let all = chain.rows(tool, list, arguments.clone()).await;
        assert!(!all.is_empty(), "{tool}");
        for row in &all {
            let time = |it: &Value| it["timestampIso"].as_str().unwrap().to_owned();
            let middle = time(row);
            for (edge, expected) in [
                ("before", all.iter().filter(|it| time(it) < middle).count()),
                ("after", all.iter().filter(|it| time(it) >= middle).count()),
            ] {
                let mut arguments = arguments.clone();
                arguments[edge] = middle.as_str().into();
                let found = chain.rows(tool, list, arguments).await;
                assert_eq!(found.len(), expected, "{tool} {edge} {middle}");
            }
        }
    }
    chain.stop().await;
}

#[tokio::test]
async fn publications_that_wait_are_found_by_time_too() {
    let chain = Chain::recorded().await;
    let tool = "search_qdn";
    for (number, service) in [(1_u8, 140), (2, 800), (3, 140)] {
        chain.node.apply(&Event::RowAdded {
            table: "transactions",
            like: json!({"type": "REGISTER_NAME", "name": "gina-pending"}),
            but: json!({
                "type": "ARBITRARY",
                "service": service,
                "name": "Victor",
                "signature": bs58::encode([number; 64]).into_string(),
                "timestamp": 1_795_242_180_000_i64 + i64::from(number) * 1_000,
            }),
        });
    }
    let waiting = json!({"name": "victor", "confirmation_status": "UNCONFIRMED", "limit": 1});
    let all = chain.rows(tool, "publications", waiting.clone()).await;
    let times = ["06:23:03.000Z", "06:23:02.000Z", "06:23:01.000Z"];
    let times = times.map(|it| format!("2026-11-21T{it}"));
    let time = |it: &Value| it["timestampIso"].as_str().unwrap().to_owned();
    assert_eq!(all.iter().map(time).collect::<Vec<_>>(), times);
    for (range, expected) in [
        (json!({"after": times[1]}), 2),
        (json!({"before": times[1]}), 1),
        (json!({"service": "DOCUMENT"}), 1),
        (json!({"name": "stranger"}), 0),
        (json!({"address": "chloe"}), 0),
    ] {
        let mut arguments = waiting.clone();
        arguments
            .as_object_mut()
            .unwrap()
            .extend(range.as_object().unwrap().clone());
        let found = chain.rows(tool, "publications", arguments).await;
        assert_eq!(found.len(), expected, "{range}");
    }
    chain.stop().await;
}

/// Candles of a range have its trades and no others.
#[tokio::test]
async fn prices_of_a_range_are_those_of_its_trades() {
    let chain = Chain::recorded().await;
    let of_coin = json!({"blockchain": "LITECOIN"});
    let trades = chain.rows("list_completed_trades", "trades", of_coin).await;
    assert!(trades.len() > 1);
    for end in &trades {
        let end = end["tradeTimestampIso"].as_str().unwrap();
        let arguments = json!({"blockchain": "LITECOIN", "interval": "hour", "before": end, "after": "2026-11-20", "limit": 200});
        let candles = chain.rows("get_price_history", "candles", arguments).await;
        let shown = candles.iter().map(|it| it["trades"].as_u64().unwrap());
        let is_in = |it: &&Value| it["tradeTimestampIso"].as_str().unwrap() < end;
        let expected = trades.iter().filter(is_in).count();
        assert_eq!(shown.sum::<u64>(), expected as u64, "{end}");
    }
    // The latest ones before the end, if there is no beginning.
    let arguments = json!({"blockchain": "LITECOIN", "interval": "hour", "before": "height 468"});
    let candles = chain.rows("get_price_history", "candles", arguments).await;
    assert!(candles.len() > 1, "{candles:?}");
    chain.stop().await;
}

/// A month of an account with 150,000 payments costs what is in it.
#[tokio::test]
async fn a_range_does_not_need_the_whole_list() {
    let chain = Chain::of(Scenario::large()).await;
    for (tool, account) in [
        ("find_payments", "sender"),
        ("get_account_activity", "address"),
    ] {
        for (range, most) in [
            (
                json!({"after": "height 450", "before": "height 455"}),
                5 * 500,
            ),
            (json!({"after": "height 100"}), 32 * 500),
            (json!({"before": "height 450"}), 32 * 500),
        ] {
            let mut arguments = range;
            arguments[account] = "Alice Test".into();
            let asked = chain.node.journal().len();
            chain.call(tool, arguments.clone()).await.unwrap();
            let asked = chain.node.journal().split_off(asked);
            let read: usize = asked.iter().map(|it| it.rows_read).sum();
            assert!((20..=most).contains(&read), "{tool} {arguments} {read}");
        }
    }
    chain.stop().await;
}

#[tokio::test]
async fn what_is_no_range_is_refused_in_words() {
    let chain = Chain::recorded().await;
    for (tool, arguments, said) in [
        (
            "find_payments",
            json!({"sender": "chloe", "after": "soon"}),
            "Expected a date or time such as 2026-11-20 or 2026-11-20T22:00Z, a time before now such as 24h or 7d, or a block such as height 1234.",
        ),
        (
            "find_payments",
            json!({"sender": "chloe", "after": "2026-11-21", "before": "height 19"}),
            "`before` is earlier than `after`. Expected a moment or block later than that one.",
        ),
        (
            "find_payments",
            json!({"sender": "Alice Test", "after": 27, "limit": 1}),
            "payments that are in none yet are left out; `confirmation_status` UNCONFIRMED lists them.",
        ),
        (
            "find_payments",
            json!({"sender": "chloe", "after": 27, "confirmation_status": "UNCONFIRMED"}),
            "`confirmation_status` is not CONFIRMED, but blocks are chosen, and unconfirmed transactions are in none.",
        ),
        (
            "search_transactions",
            json!({"address": "chloe", "after": "7d", "start_block": 3}),
            "is given together with `after` or `before`. Expected one of both; `after` and `before` take heights too, such as height 1234.",
        ),
        (
            "list_polls",
            json!({"after": "height 9999"}),
            "`after` is height 9999, and this node has no such block.",
        ),
    ] {
        let answer = chain.call(tool, arguments).await;
        let answer = answer.map_or_else(|it| it, |it| it["notes"].to_string());
        assert!(answer.contains(said), "{answer}");
    }
    chain.stop().await;
}
