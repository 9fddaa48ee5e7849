//! Tools about assets and automated transactions.

use qortal_testnode::{Fault, Scenario};
use serde_json::json;

use crate::{Chain, check, check_on};

const OSCAR: &str = "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC";

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

#[tokio::test]
async fn list_assets() {
    let cases = [
        ("all", json!({})),
        ("page", json!({"limit": 2, "offset": 5})),
        (
            "with_data",
            json!({"limit": 2, "reverse": true, "include_data": true}),
        ),
        ("by_words", json!({"query": "qora"})),
        (
            "by_words_in_descriptions",
            json!({"query": "coin", "limit": 1, "reverse": true}),
        ),
        ("by_words_none", json!({"query": "zzz"})),
    ];
    check("list_assets", cases).await;
}

#[tokio::test]
async fn get_asset_info() {
    let cases = [
        ("by_name", json!({"asset_name": "Gizmo"})),
        ("by_number", json!({"asset_id": 0})),
        ("not_ascii", json!({"asset_name": "Münze"})),
        ("other_case", json!({"asset_name": "gizmo"})),
        ("unknown_number", json!({"asset_id": 999})),
        ("both", json!({"asset_id": 6, "asset_name": "Gizmo"})),
        ("neither", json!({})),
    ];
    check("get_asset_info", cases).await;
}

#[tokio::test]
async fn get_asset_balances() {
    let cases = [
        (
            "richest",
            json!({"asset_ids": [0], "reverse": true, "limit": 3}),
        ),
        ("of_an_account", json!({"addresses": [OSCAR]})),
        (
            "by_name",
            json!({"addresses": ["rita-trades", OSCAR], "asset_ids": [6]}),
        ),
        (
            "page",
            json!({"addresses": ["Alice Test"], "ordering": "ACCOUNT_ASSET", "limit": 1, "offset": 1}),
        ),
        (
            "none",
            json!({"addresses": ["QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2"]}),
        ),
        ("unknown_asset", json!({"asset_ids": [0, 999]})),
        ("nothing_asked_for", json!({"exclude_zero": true})),
        ("unknown_name", json!({"addresses": ["no-such-name"]})),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({"asset_ids": [0]}))];
    check_on("get_asset_balances", cases, elsewhere).await;
}

#[tokio::test]
async fn get_asset_market() {
    let cases = [
        ("against_qort", json!({"asset_id": 3})),
        (
            "the_other_way_round",
            json!({"asset_id": 0, "other_asset_id": 3}),
        ),
        // The Core's labels of these amounts are wrong: 40 OTHER changed hands for 20 TEST.
        ("two_assets", json!({"asset_id": 4, "other_asset_id": 3})),
        (
            "two_assets_the_other_way_round",
            json!({"asset_id": 3, "other_asset_id": 4}),
        ),
        ("first_offers", json!({"asset_id": 3, "limit": 1})),
        ("none", json!({"asset_id": 8})),
        ("with_itself", json!({"asset_id": 0})),
        ("unknown_asset", json!({"asset_id": 999})),
    ];
    check("get_asset_market", cases).await;
}

/// `next` asks for more of each list at once, as long as there is a larger limit.
#[tokio::test]
async fn a_market_can_be_read_up_to_its_largest_limit() {
    let chain = Chain::recorded().await;
    let order = json!({
        "orderId": "5zM3VBnSbnNHrt3DkpHGBTpCvU7aCY5EQHFonrXcFmX4oVz69Z6ttJJZvWBNf9zH3AyH3KNLyBqZy9GYu8JMXd8N",
        "creatorPublicKey": "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP", "haveAssetId": 3, "wantAssetId": 0,
        "amount": "10.00000000", "price": "2.00000000", "fulfilled": "1.00000000", "timestamp": 1_795_215_812_730_i64,
        "isClosed": false, "isFulfilled": false, "creator": ALICE, "haveAssetName": "TEST", "wantAssetName": "QORT",
        "amountAssetId": 3, "amountAssetName": "TEST", "pricePair": "QORT/TEST",
    });
    let orders = json!(vec![order; 51]).to_string();
    chain
        .node
        .fault("/assets/openorders/3/0", Fault::Status(200, orders));
    for (limit, next) in [(10, Some(50)), (49, Some(50)), (50, None)] {
        let arguments = json!({"asset_id": 3, "limit": limit});
        let market = chain.call("get_asset_market", arguments).await.unwrap();
        assert_eq!(market["offersOfAsset"].as_array().unwrap().len(), limit);
        assert_eq!(market["truncated"], true, "{limit}");
        let asked = market
            .get("next")
            .map(|it| it["arguments"]["limit"].as_u64());
        assert_eq!(asked, next.map(Some), "{limit}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn get_at() {
    let cases = [
        (
            "frozen",
            json!({"at_address": "AJ9ZYkb9yDmNtbU6zA2nuTzEaTNyQ6BBpE"}),
        ),
        (
            "open_offer",
            json!({"at_address": "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo"}),
        ),
        (
            "finished",
            json!({"at_address": "AKfHsxZYay576oM3ff4VwfXX3MAB4unay6"}),
        ),
        (
            "program_and_data",
            json!({"at_address": "AGymFqWUWMi1zqFK7NQFzqM1sviiJWcKde", "detail": "full"}),
        ),
        (
            "unknown",
            json!({"at_address": "ALBYQ17dXkrc7P17U9sqk3SyqCgzyAsVg8"}),
        ),
        ("account", json!({"at_address": OSCAR})),
        ("name", json!({"at_address": "victor"})),
    ];
    check("get_at", cases).await;
}

#[tokio::test]
async fn list_asset_orders() {
    let cases = [
        ("all", json!({"address": ALICE})),
        ("open", json!({"address": ALICE, "state": "open"})),
        (
            "cancelled",
            json!({"address": "chloe", "state": "cancelled"}),
        ),
        (
            "fulfilled",
            json!({"address": "Bób-Name", "state": "fulfilled"}),
        ),
        (
            "of_a_pair",
            json!({"address": "Bób-Name", "have_asset_id": 0, "want_asset_id": 3}),
        ),
        (
            "open_of_a_pair",
            json!({"address": "Bób-Name", "have_asset_id": 0, "want_asset_id": 3, "state": "open"}),
        ),
        ("page", json!({"address": ALICE, "limit": 1, "offset": 1})),
        (
            "no_public_key",
            json!({"address": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"}),
        ),
        ("half_a_pair", json!({"address": ALICE, "have_asset_id": 0})),
        (
            "unknown_asset",
            json!({"address": ALICE, "have_asset_id": 0, "want_asset_id": 99}),
        ),
        (
            "unknown_state",
            json!({"address": ALICE, "state": "closed"}),
        ),
    ];
    check("list_asset_orders", cases).await;
}

/// The Core can be asked for one state at a time only.
#[tokio::test]
async fn the_orders_of_all_states_are_listed_once_whatever_the_page() {
    let chain = Chain::recorded().await;
    for address in [ALICE, "Bób-Name", "chloe", "trent"] {
        let mut counts = Vec::new();
        for state in ["open", "cancelled", "fulfilled"] {
            let arguments = json!({"address": address, "state": state, "limit": 100});
            let answer = chain.call("list_asset_orders", arguments).await.unwrap();
            counts.push(answer["orders"].as_array().unwrap().len());
        }
        let arguments = json!({"address": address, "limit": 1});
        let rows = chain.rows("list_asset_orders", "orders", arguments).await;
        assert_eq!(rows.len(), counts.iter().sum::<usize>(), "{address}");
        let times: Vec<_> = rows.iter().map(|it| it["timestamp"].as_i64()).collect();
        assert!(times.is_sorted_by(|a, b| a >= b), "{address}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn list_asset_transfers() {
    let cases = [
        ("all", json!({"asset_id": 6})),
        (
            "of_one_account",
            json!({"asset_id": 6, "address": "Bób-Name"}),
        ),
        ("page", json!({"asset_id": 6, "limit": 1, "offset": 1})),
        ("qort", json!({"asset_id": 0})),
        ("unknown_asset", json!({"asset_id": 99})),
    ];
    check("list_asset_transfers", cases).await;
}

#[tokio::test]
async fn get_asset_order() {
    let order = |id: &str| json!({"order_id": id});
    let cases = [
        (
            "partly_filled",
            order(
                "5zM3VBnSbnNHrt3DkpHGBTpCvU7aCY5EQHFonrXcFmX4oVz69Z6ttJJZvWBNf9zH3AyH3KNLyBqZy9GYu8JMXd8N",
            ),
        ),
        ("by_place", order("70/r7Zb67eP")),
        (
            "unknown",
            order(
                "3B8zsF8b9Lc5V1of2VtHDEEtKvhy1mfhPjQcZYL3ynN3t5ZCcGcwbRv1kRi7RZMpSk8cX6er8cwumoe6svWKnmft",
            ),
        ),
        ("no_signature", order("order 7")),
    ];
    check("get_asset_order", cases).await;
}
