//! What minters, members of groups, holders of assets and owners of nodes ask.

use serde_json::json;

use super::{case, check};

#[tokio::test]
async fn minters_and_sponsors() {
    check(vec![
        case(
            "Which accounts does my node mint for?",
            &["list_minting_accounts"],
            [
                ("/total", json!(2)),
                ("/keys/0/minterName", json!("Alice Test")),
                ("/keys/0/level", json!(8)),
                ("/keys/1/recipientName", json!("Bób-Name")),
            ],
        ),
        case(
            "How many accounts have reached level 5, and which?",
            &["list_accounts_by_level", "level=5"],
            [
                ("/total", json!(1)),
                ("/levels/0", json!({"level": 5, "count": 1})),
                (
                    "/accounts/0/address",
                    json!("Qci5m9k4rcwe4ruKrZZQKka4FzUUMut3er"),
                ),
            ],
        ),
        case(
            "Who was penalized, and how much?",
            &["list_penalties"],
            [
                ("/accountsWithPenalty", json!(2)),
                ("/blocksOfAll", json!(-5003)),
                ("/penalties/0/blocksMintedPenalty", json!(-5000)),
            ],
        ),
        case(
            "Have I got a penalty?",
            &["list_penalties", "address=chloe"],
            [
                ("/total", json!(0)),
                ("/notes/1", json!("The account has no penalty.")),
            ],
        ),
        case(
            "Who sponsors Bob?",
            &["get_sponsorship", "address=Bób-Name"],
            [
                ("/sponsor", json!("QYeTxCyLUNdagyNQBkC7yXVipLb5HHL9tY")),
                ("/sponsorLevel", json!(7)),
            ],
        ),
        case(
            "Whom does Alice sponsor, and are they active?",
            &["get_sponsorship", "address=Alice Test"],
            [
                ("/sponseeCount", json!(2)),
                ("/sponseesActivity/bought", json!(700)),
                ("/activity/qdnTransactions", json!(2)),
            ],
        ),
        case(
            "When did Alice last mint a block?",
            &["list_blocks_by_minter", "address=Alice Test", "limit=1"],
            [
                ("/blocks/0/height", json!(467)),
                ("/blocks/0/timestampIso", json!("2026-11-21T06:21:54.673Z")),
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn members_of_groups_and_holders_of_assets() {
    check(vec![
        case(
            "Why was I kicked, and out of which group?",
            &["list_group_kicks", "address=spam-name"],
            [
                ("/kicks/0/groupName", json!("open-lounge")),
                ("/kicks/0/reason", json!("off-topic advertising")),
            ],
        ),
        case(
            "Who was kicked out of this group, and by whom?",
            &["list_group_kicks", "group_id=3"],
            [
                ("/kicks/0/memberName", json!("spam-name")),
                ("/kicks/0/adminName", json!("trent")),
            ],
        ),
        case(
            "Which of my asset orders are still open?",
            &["list_asset_orders", "address=Alice Test", "state=open"],
            [
                ("/orders/0/haveAssetName", json!("GOLD")),
                ("/orders/0/price", json!("1.23456789")),
                ("/orders/1/fulfilled", json!("1.00000000")),
            ],
        ),
        case(
            "Was my order cancelled?",
            &["list_asset_orders", "address=chloe", "state=cancelled"],
            [("/orders/0/state", json!("cancelled"))],
        ),
        case(
            "Which of my orders for this pair were filled?",
            &[
                "list_asset_orders",
                "address=Bób-Name",
                "have_asset_id=0",
                "want_asset_id=3",
            ],
            [("/orders/0/state", json!("fulfilled"))],
        ),
        case(
            "Who sent Gizmos to whom?",
            &["list_asset_transfers", "asset_id=6"],
            [
                ("/assetName", json!("Gizmo")),
                ("/transfers/1/senderName", json!("rita-trades")),
                ("/transfers/1/recipientName", json!("Bób-Name")),
                ("/transfers/1/amount", json!("25.00000000")),
            ],
        ),
        case(
            "What would this raw transaction do?",
            &[
                "decode_transaction",
                "raw=1112FnMwF1x8ZcycFhCzvfMg4EMr454i32vEjPg1tJobN1f7SoYhwXJLECaMurTXU7xNdZ35THG5J69UoJciA5HtC7P7jYcmuVaC7D4mrbo6NwKyjqa4NnKD43ktrmiiFD3r2UAPQCqZAgJdGqEQ8usnwt2DCbz7zNYiakxBnJ5EhoEi9w9JM3MQjGJDhD52hC2bHKKP6CsaECHwrNV7gWx6oE9ypAf2aggf2thZEj4ZtbwPmavhhSfKFpuu547Jfy6TCULXgqymAC3oxLFnKiXmoP2t2C1BkGocf6K",
            ],
            [
                ("/type", json!("PAYMENT")),
                ("/amount", json!("1.23456789")),
                ("/fee", json!("0.01000000")),
                ("/isSigned", json!(true)),
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn owners_of_nodes_with_the_key() {
    check(vec![
        case(
            "What does my node store, and does it relay?",
            &["get_node_settings"],
            [
                ("/settings/9/name", json!("storagePolicy")),
                ("/settings/9/value", json!("FOLLOWED_OR_VIEWED")),
                ("/settings/11/name", json!("relayModeEnabled")),
                ("/settings/11/value", json!("true")),
            ],
        ),
        case(
            "Whom does my node follow, and whom does it block?",
            &["get_node_lists"],
            [
                ("/followedNames", json!(["victor", "Alice Test"])),
                ("/blockedNames", json!(["spam-name"])),
                ("/blockedAddressCount", json!(0)),
            ],
        ),
        case(
            "What is the node asked for by others?",
            &["get_engine_stats"],
            [("/messages/0/counters/requests", json!(0))],
        ),
        case(
            "How many transactions were there in all time?",
            &["get_node_summary", "all_time=true"],
            [("/blockCount", json!(467))],
        ),
        case(
            "Does my node host this blog?",
            &["search_hosted_qdn", "query=post-2"],
            [
                ("/total", json!(1)),
                ("/resources/0/service", json!("BLOG_POST")),
                ("/resources/0/name", json!("rita-trades")),
            ],
        ),
    ])
    .await;
}
