//! Ranges side by side: what is before an edge and what is after it are all there is, and nothing twice.

use std::collections::{BTreeMap, BTreeSet};

use qortal_tools::Catalog;
use qortal_types::{Height, Timestamp};
use serde_json::{Value, json};

use crate::{Chain, paging::largest_limit, walk};

/// Every tool with a range: its other arguments, and its list.
fn lists() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (
            "find_payments",
            json!({"sender": "Alice Test", "confirmation_status": "CONFIRMED"}),
            "payments",
        ),
        (
            "get_account_activity",
            json!({"address": "Alice Test"}),
            "activities",
        ),
        ("get_group_history", json!({"group_id": 3}), "events"),
        (
            "get_account_ledger",
            json!({"address": "Alice Test"}),
            "rows",
        ),
        ("get_group_members", json!({"group_id": 3}), "members"),
        (
            "get_trade_ledger",
            json!({"address": "rita-trades"}),
            "rows",
        ),
        (
            "list_account_trades",
            json!({"address": "rita-trades"}),
            "trades",
        ),
        (
            "list_asset_orders",
            json!({"address": "Alice Test"}),
            "orders",
        ),
        (
            "list_asset_transfers",
            json!({"asset_id": "Gizmo"}),
            "transfers",
        ),
        (
            "list_asset_transfers",
            json!({"asset_id": "TEST"}),
            "transfers",
        ),
        (
            "list_blocks_by_minter",
            json!({"address": "Alice Test"}),
            "blocks",
        ),
        ("list_completed_trades", json!({}), "trades"),
        ("list_group_kicks", json!({"group_id": 3}), "kicks"),
        ("list_group_kicks", json!({"address": "spam-name"}), "kicks"),
        ("list_polls", json!({}), "polls"),
        ("list_trade_offers", json!({}), "offers"),
        (
            "list_transactions_by_address",
            json!({"address": "chloe"}),
            "transactions",
        ),
        (
            "list_transactions_by_creator",
            json!({"address": "Alice Test", "confirmation_status": "CONFIRMED"}),
            "transactions",
        ),
        ("search_qdn", json!({"service": "DOCUMENT"}), "publications"),
        (
            "search_transactions",
            json!({"tx_types": ["PAYMENT", "TRANSFER_ASSET"]}),
            "transactions",
        ),
    ]
}

/// Tools whose range is another one, and why its halves are not the whole.
const OTHERS: [(&str, &str); 9] = [
    (
        "list_names",
        "a name is in it by its registration or its last change",
    ),
    (
        "list_unconfirmed_transactions",
        "what is in no block has no height",
    ),
    ("get_price_history", "candles span hours"),
    (
        "get_trade_rankings",
        "an account can have trades on either side",
    ),
    ("get_price_chart", "candles span hours"),
    ("get_chat_messages", "chat is in no block"),
    ("count_chat_messages", "chat is in no block"),
    ("get_chat_activity", "chat is in no block"),
    (
        "search_qdn_resources",
        "`after` is exclusive, as in the Core",
    ),
];

#[test]
fn every_tool_with_a_range_is_tried_at_the_borders_of_blocks() {
    let lists = lists();
    let tried: BTreeSet<_> = lists.iter().map(|it| it.0).collect();
    let others: BTreeSet<_> = OTHERS.iter().map(|it| it.0).collect();
    for entry in Catalog::entries() {
        let schema = entry.input_schema();
        let parameters = &schema["properties"];
        if parameters.get("after").is_none() || parameters.get("before").is_none() {
            continue;
        }
        let name = entry.name;
        assert!(tried.contains(name) || others.contains(name), "{name}");
    }
}

/// Before the first transactions, at blocks with some and their neighbors, and at the last ones.
const HEIGHTS: [u64; 14] = [2, 13, 14, 27, 49, 50, 57, 60, 61, 89, 90, 397, 398, 468];

/// Those of these whose times are tried too: with transfers, kicks, offers, trades and payments.
const TIMED: [u64; 6] = [14, 27, 50, 60, 89, 397];

/// Where the rows of a list are divided: at the height and at the time of blocks, between blocks, and at the times that rows show.
fn edges(times: &BTreeMap<u64, i64>, rows: &[Value]) -> BTreeSet<String> {
    let mut edges = BTreeSet::new();
    edges.extend(HEIGHTS.map(|it| format!("height {it}")));
    for height in TIMED {
        let time = times[&height];
        let between = times
            .get(&(height + 1))
            .map_or(time, |it| i64::midpoint(time, *it));
        for time in [time, between] {
            edges.insert(Timestamp::from_millis(time).to_string());
        }
    }
    let own = rows.iter().step_by(rows.len().div_ceil(4));
    let own = own.flat_map(|row| row.as_object().unwrap());
    let own = own.filter(|(name, _)| name.ends_with("Iso"));
    edges.extend(own.map(|(_, time)| time.as_str().unwrap().to_owned()));
    edges
}

#[tokio::test]
async fn the_rows_before_and_after_an_edge_are_all_rows() {
    let chain = Chain::recorded().await;
    let mut times = BTreeMap::new();
    for height in TIMED.iter().flat_map(|it| [*it, it + 1]) {
        let height = Height::new(u32::try_from(height).unwrap());
        let block = chain.catalog.node().block_at(height).await.unwrap();
        times.insert(height.number().into(), block.timestamp.millis());
    }
    let (mut tried, mut divided, mut problems) = (0, 0, Vec::new());
    for (tool, arguments, list) in lists().into_iter().filter(|it| walk::tries(it.0)) {
        let rows = async |range: Value| {
            let mut arguments = arguments.clone();
            let of_call = arguments.as_object_mut().unwrap();
            of_call.extend(range.as_object().unwrap().clone());
            let limit = largest_limit(tool).unwrap().as_u64().unwrap();
            of_call.insert("limit".to_owned(), limit.min(100).into());
            chain.rows(tool, list, arguments).await
        };
        let sorted = |mut rows: Vec<Value>| {
            rows.sort_by_key(Value::to_string);
            rows
        };
        let all = rows(json!({})).await;
        assert!(!all.is_empty(), "{tool}");
        let edges = edges(&times, &all);
        let all = sorted(all);
        let mut splits = 0;
        for edge in walk::cases(edges) {
            let before = rows(json!({"before": edge})).await;
            let after = rows(json!({"after": edge})).await;
            splits += u32::from(!before.is_empty() && !after.is_empty());
            if sorted([before, after].concat()) != all {
                problems.push(format!("{tool} {arguments} {edge}"));
            }
        }
        tried += 1;
        divided += u32::from(splits > 0);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    // The rows of a few lists are in one block.
    assert!(divided * 2 > tried, "{divided} of {tried}");
    chain.stop().await;
}
