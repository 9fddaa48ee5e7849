//! Tools about accounts.

use std::time::Duration;

use qortal_testnode::Scenario;
use serde_json::json;

use crate::{Chain, check, check_on};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const QUINN: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";
const OSCAR: &str = "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC";
const AN_AT: &str = "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo";

#[tokio::test]
async fn get_account_overview() {
    for (case, address) in [
        ("founder", ALICE),
        ("by_name", "victor"),
        ("by_name_in_another_case", "ALICE TEST"),
        ("never_used", QUINN),
        ("received_only", OSCAR),
        ("automated_transaction", AN_AT),
        ("look_alike_name", "a1ice test"),
        ("unknown_name", "nobody-has-this"),
        ("node_id", "NeVy4b2uKJ2KQBAMjJykFAYrdQRhB35LQ1"),
    ] {
        check("get_account_overview", case, json!({"address": address})).await;
    }
}

#[tokio::test]
async fn get_account_overview_costs_one_round_trip() {
    let chain = Chain::recorded().await;
    let latency = Duration::from_millis(400);
    chain.node.latency(latency);
    let call = chain.call("get_account_overview", json!({"address": ALICE}));
    // Four questions one after the other would take four times as long.
    tokio::time::timeout(latency * 3, call)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(chain.node.journal().len(), 4);
    chain.stop().await;
}

#[tokio::test]
async fn get_balance() {
    for (case, arguments) in [
        ("qort", json!({"address": ALICE})),
        ("by_name", json!({"address": "chloe"})),
        (
            "no_digit_lost",
            json!({"address": "Alice Test", "asset_id": 0}),
        ),
        ("never_used", json!({"address": QUINN})),
        ("other_asset", json!({"address": OSCAR, "asset_id": 6})),
        ("unknown_asset", json!({"address": ALICE, "asset_id": 999})),
        (
            "wrong_checksum",
            json!({"address": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e"}),
        ),
        ("no_address", json!({})),
        ("number_as_address", json!({"address": 7})),
    ] {
        check("get_balance", case, arguments).await;
    }
    check_on(
        Scenario::empty(),
        "get_balance",
        "empty_chain",
        json!({"address": ALICE}),
    )
    .await;
}

#[tokio::test]
async fn validate_address() {
    for (case, address) in [
        ("account", ALICE),
        ("automated_transaction", AN_AT),
        ("wrong_checksum", "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXb2"),
        ("wrong_character", "QaRZV0EJE6xGpSsgQGLm67VBNR7WH8UXbD"),
        ("node_id", "NeVy4b2uKJ2KQBAMjJykFAYrdQRhB35LQ1"),
        ("bitcoin", "16Jswqk47s9PUcyCc88MMVwzgvHPvtEpf"),
        ("empty", ""),
    ] {
        check("validate_address", case, json!({"address": address})).await;
    }
}
