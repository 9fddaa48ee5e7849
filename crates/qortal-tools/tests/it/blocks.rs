//! Tools about blocks.

use qortal_testnode::Scenario;
use serde_json::{Value, json};

use crate::{Chain, check, check_on};

#[tokio::test]
async fn get_block_height() {
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("get_block_height", [("tip", json!({}))], elsewhere).await;
}

#[tokio::test]
async fn get_block_by_height() {
    let cases = [
        ("genesis", json!(1)),
        ("archived", json!(100)),
        ("within_a_batch", json!(345)),
        ("payout_of_a_batch", json!(360)),
        ("beyond_the_tip", json!(469)),
        ("zero", json!(0)),
        ("overflow", json!(99_999_999_999_u64)),
        ("as_text", json!("468")),
        ("fraction", json!(1.5)),
    ];
    let cases = cases.map(|(case, height)| (case, json!({"height": height})));
    check("get_block_by_height", cases).await;
}

#[tokio::test]
async fn get_last_block() {
    check("get_last_block", [("tip", json!({}))]).await;
}

const GENESIS: &str = "MSaUg4zA1MRLRqiy6Dwv6aSfdF7xH2avy57KXby8u7fvkUieF4f1Ap3FjezV39cDt9ofcywxBFqEurADof97vfuHgnapNs9pCXKoa3vAJzLpBv6uUPW5Msc7kbctqjE61ycHV19BfkYaQ3f4E1Pxx7HVuqc2S5bqdmx7kvcMCdLm8wr";

#[tokio::test]
async fn get_first_block() {
    check("get_first_block", [("genesis", json!({}))]).await;
}

#[tokio::test]
async fn get_block_by_signature() {
    let cases = [
        ("genesis", GENESIS.to_owned()),
        ("unknown", GENESIS.replace("8wr", "8ws")),
        (
            "of_a_transaction",
            "2ppNzaXEVCWwtmdWyYJvCWhnbZonsF5zUWBQpQsyyx2EYXL3RdqvR1tTha7nHyURVb6AtXkrFdfyRQt3DzHscVw1".to_owned(),
        ),
        ("no_base58", "0OIl".to_owned()),
    ];
    let cases = cases.map(|(case, signature)| (case, json!({"signature": signature})));
    for tool in ["get_block_by_signature", "get_block_height_by_signature"] {
        check(tool, cases.clone()).await;
    }
}

#[tokio::test]
async fn get_block_at_timestamp() {
    let cases = [
        ("within_the_chain", json!(1_795_230_000_000_i64)),
        ("exactly_the_tip", json!(1_795_242_169_424_i64)),
        ("a_moment_before_the_tip", json!(1_795_242_169_423_i64)),
        ("long_after_the_tip", json!(1_800_000_000_000_i64)),
        ("genesis_only", json!(1_795_212_000_000_i64)),
        ("in_seconds", json!(1_795_230_000)),
        ("as_text", json!("1795230000000")),
        ("negative", json!(-5)),
    ];
    let cases = cases.map(|(case, timestamp)| (case, json!({"timestamp": timestamp})));
    check("get_block_at_timestamp", cases).await;
}

#[tokio::test]
async fn list_block_summaries() {
    let cases = [
        ("around_a_batch", json!({"start": 359, "end": 362})),
        ("counted", json!({"start": 149, "end": 400, "count": 2})),
        ("up_to_the_tip", json!({"start": 467, "end": 1000})),
        ("beyond_the_tip", json!({"start": 500, "end": 501})),
        ("backwards", json!({"start": 10, "end": 10})),
        ("too_many", json!({"start": 1, "end": 400, "count": 101})),
        ("no_end", json!({"start": 1})),
    ];
    check("list_block_summaries", cases).await;
}

#[tokio::test]
async fn list_block_range() {
    let cases = [
        ("up", json!({"height": 467, "count": 2})),
        ("down", json!({"height": 2, "count": 5, "reverse": true})),
        ("first_of_many", json!({"height": 150, "count": 1})),
        (
            "with_signatures",
            json!({"height": 200, "count": 1, "include_online_signatures": true}),
        ),
        ("beyond_the_tip", json!({"height": 469, "count": 1})),
        ("no_count", json!({"height": 1})),
    ];
    check("list_block_range", cases).await;
}

#[tokio::test]
async fn next_leads_through_all_blocks() {
    let chain = Chain::recorded().await;
    for (tool, arguments, expected) in [
        (
            "list_block_summaries",
            json!({"start": 1, "end": 9999, "count": 100}),
            (1..=468).collect::<Vec<_>>(),
        ),
        (
            "list_block_range",
            json!({"height": 130, "count": 50, "reverse": true}),
            (1..=130).rev().collect(),
        ),
    ] {
        let blocks = chain.rows(tool, "blocks", arguments).await;
        let heights: Vec<_> = blocks
            .iter()
            .map(|it| it["height"].as_i64().unwrap())
            .collect();
        assert_eq!(heights, expected, "{tool}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn get_block_minting_info() {
    let cases = [
        ("recorded", 200),
        ("archived", 100),
        ("genesis", 1),
        ("beyond_the_tip", 469),
    ];
    let cases = cases.map(|(case, height)| (case, json!({"height": height})));
    check("get_block_minting_info", cases).await;
}

#[tokio::test]
async fn list_block_signers() {
    let cases = [
        ("most_first", json!({"limit": 3})),
        ("fewest_first", json!({"limit": 1, "reverse": true})),
        (
            "of_two_accounts",
            json!({"addresses": ["Alice Test", "Qci5m9k4rcwe4ruKrZZQKka4FzUUMut3er"]}),
        ),
        ("none", json!({"addresses": "victor"})),
        ("unknown_name", json!({"addresses": ["no-such-name"]})),
    ];
    check("list_block_signers", cases).await;
}

#[tokio::test]
async fn every_height_of_the_chain_has_a_block_that_names_its_parent() {
    let chain = Chain::recorded().await;
    let mut parent = Value::Null;
    for height in [1, 2, 3, 149, 150, 151, 299, 300, 301, 467, 468] {
        let block = chain
            .call(
                "get_block_by_height",
                json!({"height": height, "detail": "full"}),
            )
            .await
            .unwrap();
        assert_eq!(block["height"], height);
        if height > 1 {
            let before = json!({"height": height - 1, "detail": "full"});
            parent = chain.call("get_block_by_height", before).await.unwrap()["signature"].clone();
            assert_eq!(block["reference"], parent, "height {height}");
        }
    }
    assert!(parent.is_string());
    chain.stop().await;
}

#[tokio::test]
async fn list_blocks_by_minter() {
    let cases = [
        ("latest", json!({"address": "Alice Test", "limit": 2})),
        (
            "no_public_key",
            json!({"address": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"}),
        ),
        ("none", json!({"address": "chloe"})),
        ("unknown_name", json!({"address": "no-such-name"})),
    ];
    check("list_blocks_by_minter", cases).await;
}

/// The Core cuts archive and database each for itself, and returns nothing beyond the end of the shorter one.
#[tokio::test]
async fn every_block_of_a_minter_is_listed_once_and_the_latest_first() {
    let chain = Chain::recorded().await;
    let arguments = json!({"address": "Alice Test", "limit": 50});
    let rows = chain
        .rows("list_blocks_by_minter", "blocks", arguments)
        .await;
    let heights: Vec<_> = rows
        .iter()
        .map(|it| it["height"].as_u64().unwrap())
        .collect();
    assert!(heights.is_sorted_by(|a, b| a > b), "{heights:?}");
    let signers = chain
        .call("list_block_signers", json!({"addresses": ["Alice Test"]}))
        .await
        .unwrap();
    let counts = signers["signers"].as_array().unwrap().iter();
    let counted: u64 = counts.map(|it| it["blockCount"].as_u64().unwrap()).sum();
    assert_eq!(heights.len() as u64, counted);
    chain.stop().await;
}
