//! Tools about accounts.

use qortal_testnode::Scenario;
use serde_json::json;

use crate::{check, check_on};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const QUINN: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";
const OSCAR: &str = "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC";
const AN_AT: &str = "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo";

#[tokio::test]
async fn get_account_overview() {
    let of = |address: &str| json!({"address": address});
    let cases = [
        ("founder", of(ALICE)),
        ("by_name", of("victor")),
        ("by_name_in_another_case", of("ALICE TEST")),
        ("never_used", of(QUINN)),
        ("received_only", of(OSCAR)),
        ("automated_transaction", of(AN_AT)),
        ("look_alike_name", of("a1ice test")),
        ("unknown_name", of("no-such-name")),
        ("node_id", of("NeVy4b2uKJ2KQBAMjJykFAYrdQRhB35LQ1")),
        (
            "all_assets",
            json!({"address": "rita-trades", "include_assets": true}),
        ),
        (
            "some_assets_and_those_it_has_nothing_of",
            json!({"address": OSCAR, "asset_ids": [0, 6, 8]}),
        ),
        (
            "one_asset_as_text",
            json!({"address": "rita-trades", "asset_ids": "3"}),
        ),
        (
            "unknown_asset",
            json!({"address": ALICE, "asset_ids": [0, 999]}),
        ),
        (
            "assets_of_no_one",
            json!({"address": QUINN, "include_assets": true}),
        ),
    ];
    check("get_account_overview", cases).await;
}

#[tokio::test]
async fn resolve_identity() {
    let cases = [
        ("name", "Bób-Name"),
        ("address", ALICE),
        ("public_key", "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP"),
        (
            "key_of_a_stranger",
            "49zX6u55gUqTNPopBkfiATpZ4r4KwXhi27KChcbUCudg",
        ),
        ("no_key_known", OSCAR),
        ("automated_transaction", AN_AT),
        ("unknown_name", "no-such-name"),
        ("look_alike_name", "v1ctor"),
        (
            "key_too_short",
            "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1",
        ),
        ("mistyped_address", "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e"),
    ];
    let cases = cases.map(|(case, identity)| (case, json!({"identity": identity})));
    check("resolve_identity", cases).await;
}

#[tokio::test]
async fn get_account_report() {
    let cases = [
        ("trader", "rita-trades"),
        ("founder", ALICE),
        ("buyer", "new-name"),
        ("never_used", QUINN),
        ("received_only", OSCAR),
        ("unknown_name", "no-such-name"),
    ];
    let cases = cases.map(|(case, address)| (case, json!({"address": address})));
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({"address": ALICE}))];
    check_on("get_account_report", cases, elsewhere).await;
}

#[tokio::test]
async fn get_account_activity() {
    let cases = [
        ("latest", json!({"address": "victor", "limit": 8})),
        (
            "oldest",
            json!({"address": ALICE, "limit": 6, "reverse": true}),
        ),
        (
            "groups",
            json!({"address": "trent", "limit": 12, "offset": 8}),
        ),
        ("trader", json!({"address": "rita-trades", "limit": 4})),
        ("names", json!({"address": "chloe", "limit": 30})),
        (
            "privileges_received",
            json!({"address": "QT1XAJAgLYwrYXdTDKDg8c29uMVosh3HgU"}),
        ),
        ("never_used", json!({"address": QUINN})),
    ];
    check("get_account_activity", cases).await;
}

#[tokio::test]
async fn find_payments() {
    let cases = [
        (
            "between",
            json!({"sender": "Alice Test", "recipient": "Bób-Name"}),
        ),
        ("received", json!({"recipient": OSCAR})),
        (
            "exact_amount",
            json!({"sender": ALICE, "amount": "42.00000000", "limit": 2}),
        ),
        (
            "amount_as_number",
            json!({"sender": ALICE, "amount": 42, "limit": 1}),
        ),
        (
            "unconfirmed",
            json!({"sender": ALICE, "confirmation_status": "UNCONFIRMED"}),
        ),
        (
            "first_page",
            json!({"sender": ALICE, "limit": 2, "reverse": true}),
        ),
        ("none", json!({"recipient": QUINN})),
        ("no_one_named", json!({"amount": "1"})),
        (
            "amount_too_precise",
            json!({"sender": ALICE, "amount": "0.000000001"}),
        ),
        ("negative_amount", json!({"sender": ALICE, "amount": "-1"})),
    ];
    check("find_payments", cases).await;
}

#[tokio::test]
async fn get_balance() {
    let cases = [
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
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({"address": ALICE}))];
    check_on("get_balance", cases, elsewhere).await;
}

#[tokio::test]
async fn validate_address() {
    let cases = [
        ("account", ALICE),
        ("automated_transaction", AN_AT),
        ("wrong_checksum", "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXb2"),
        ("wrong_character", "QaRZV0EJE6xGpSsgQGLm67VBNR7WH8UXbD"),
        ("node_id", "NeVy4b2uKJ2KQBAMjJykFAYrdQRhB35LQ1"),
        ("bitcoin", "16Jswqk47s9PUcyCc88MMVwzgvHPvtEpf"),
        ("empty", ""),
    ];
    let cases = cases.map(|(case, address)| (case, json!({"address": address})));
    check("validate_address", cases).await;
}
