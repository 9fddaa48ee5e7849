//! Ranges side by side: what is before a block and what is after it are all there is, and nothing twice.

use std::collections::BTreeSet;

use qortal_tools::Catalog;
use serde_json::{Value, json};

use crate::{Chain, walk};

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
const OTHERS: [(&str, &str); 8] = [
    (
        "list_names",
        "a name is in it by its registration or its last change",
    ),
    (
        "list_unconfirmed_transactions",
        "what is in no block has no height",
    ),
    ("get_price_history", "candles span hours"),
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

#[tokio::test]
async fn the_rows_before_and_after_a_block_are_all_rows() {
    let chain = Chain::recorded().await;
    // Before the first transactions, at blocks with some and their neighbors, and at the last ones.
    let heights = [2, 13, 14, 27, 49, 50, 57, 60, 61, 89, 90, 397, 398, 468];
    let (mut tried, mut divided) = (0, 0);
    for (tool, arguments, list) in lists().into_iter().filter(|it| walk::tries(it.0)) {
        let rows = async |range: Value| {
            let mut arguments = arguments.clone();
            let of_call = arguments.as_object_mut().unwrap();
            of_call.extend(range.as_object().unwrap().clone());
            of_call.insert("limit".to_owned(), 25.into());
            let mut rows = chain.rows(tool, list, arguments).await;
            rows.sort_by_key(Value::to_string);
            rows
        };
        let all = rows(json!({})).await;
        assert!(!all.is_empty(), "{tool}");
        let mut splits = 0;
        for height in heights {
            let height = format!("height {height}");
            let before = rows(json!({"before": height})).await;
            let after = rows(json!({"after": height})).await;
            splits += u32::from(!before.is_empty() && !after.is_empty());
            let mut both = [before, after].concat();
            both.sort_by_key(Value::to_string);
            assert_eq!(json!(both), json!(all), "{tool} {height}");
        }
        tried += 1;
        divided += u32::from(splits > 0);
    }
    // The rows of a few lists are in one block.
    assert!(divided * 2 > tried, "{divided} of {tried}");
    chain.stop().await;
}
