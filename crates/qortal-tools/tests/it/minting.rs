//! Tools about minting.

use qortal_testnode::{Fault, Scenario};
use serde_json::json;

use crate::{Chain, check, check_on};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

#[tokio::test]
async fn get_minting_status() {
    let cases = [
        ("founder", json!({"address": ALICE})),
        (
            "by_name_and_online",
            json!({"address": "Alice Test", "include_online": true}),
        ),
        (
            "receives_shares_only",
            json!({"address": "Bób-Name", "include_online": true}),
        ),
        (
            "gave_its_privileges_away",
            json!({"address": "QMm4tkDnJvzUE7oUWqQBAnssVLt6tFRg2n"}),
        ),
        (
            "penalty",
            json!({"address": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"}),
        ),
        (
            "never_used",
            json!({"address": "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2"}),
        ),
        (
            "privileges_received",
            json!({"address": "QT1XAJAgLYwrYXdTDKDg8c29uMVosh3HgU"}),
        ),
        ("unknown_name", json!({"address": "no-such-name"})),
    ];
    let elsewhere = [(
        Scenario::empty(),
        "empty_chain",
        json!({"address": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"}),
    )];
    check_on("get_minting_status", cases, elsewhere).await;
}

#[tokio::test]
async fn get_chain_params() {
    check("get_chain_params", [("another_chain", json!({}))]).await;
}

#[tokio::test]
async fn list_reward_shares() {
    let cases = [
        ("of_one_account", json!({"address": "Alice Test"})),
        ("minter", json!({"address": ALICE, "role": "minter"})),
        (
            "recipient",
            json!({"address": "Bób-Name", "role": "recipient", "reverse": true}),
        ),
        ("page", json!({"limit": 2, "offset": 1})),
        (
            "none",
            json!({"address": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"}),
        ),
        ("role_without_account", json!({"role": "minter"})),
        ("unknown_role", json!({"address": ALICE, "role": "owner"})),
    ];
    check("list_reward_shares", cases).await;
}

#[tokio::test]
async fn list_online_minters() {
    let cases = [
        ("summary", json!({})),
        ("full", json!({"detail": "full"})),
        ("page", json!({"detail": "full", "limit": 2, "offset": 1})),
        ("one_level", json!({"detail": "full", "level": 7})),
        ("level_without_detail", json!({"level": 7})),
        ("no_such_level", json!({"detail": "full", "level": 11})),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("list_online_minters", cases, elsewhere).await;
}

#[tokio::test]
async fn get_minting_status_on_the_main_network() {
    let chain = Chain::recorded().await;
    let answer = |body: &str| Fault::Status(200, body.to_owned());
    // What makes it the main network: its genesis block, its height, and the group of its minters.
    let genesis = json!({
        "signature": "1".repeat(128), "version": 4, "reference": "1".repeat(128), "transactionCount": 0,
        "totalFees": "0.00000000", "transactionsSignature": "1".repeat(64), "height": 1,
        "timestamp": 1_593_450_000_000_i64, "minterPublicKey": "1".repeat(32),
        "minterSignature": "1".repeat(64), "atCount": 0, "atFees": "0.00000000",
        "onlineAccountsCount": 0, "minterAddress": "Unknown", "minterLevel": 0,
    });
    let dilbert = "Qci5m9k4rcwe4ruKrZZQKka4FzUUMut3er";
    let levels: Vec<_> = (0..=10)
        .map(|level| json!({"level": level, "count": 100}))
        .collect();
    chain
        .node
        .fault("/blocks/first", answer(&genesis.to_string()));
    chain.node.fault("/blocks/height", answer("2721342"));
    chain.node.fault(
        "/addresses/online/levels",
        answer(&json!(levels).to_string()),
    );
    chain.node.fault(
        "/groups/members/694/validate",
        answer(&json!([{"address": dilbert, "isMember": false}]).to_string()),
    );
    let status = chain
        .call("get_minting_status", json!({"address": dilbert}))
        .await
        .unwrap();
    assert_eq!(status["isMintingGroupMember"], false);
    assert_eq!(
        status["obstacles"][0],
        "It is not in group 694, whose members alone may mint on the main network."
    );
    assert_eq!(
        status["nextLevel"],
        json!({
            "level": 6, "countedBlocks": 34, "blocksNeeded": 964_000, "blocksMissing": 963_966,
            "nextCreditHeight": 2_722_000,
        })
    );
    // 19 % of 2.5 QORT for 200 accounts.
    assert_eq!(
        status["reward"],
        json!({
            "blockReward": "2.50000000", "fallsAtHeight": 2_851_201, "lowestLevel": 5,
            "highestLevel": 6, "percent": 19, "estimatedEach": "0.00237500",
            "estimatedPerDay": "3.42000000",
        })
    );
    chain.stop().await;
}

#[tokio::test]
async fn list_minting_accounts() {
    let elsewhere = [(Scenario::empty(), "none", json!({}))];
    check_on(
        "list_minting_accounts",
        [("two_keys", json!({}))],
        elsewhere,
    )
    .await;
}

#[tokio::test]
async fn list_accounts_by_level() {
    let cases = [
        ("all", json!({"limit": 3})),
        ("one_level", json!({"level": 5})),
        ("page", json!({"limit": 2, "offset": 2})),
        ("no_such_level", json!({"level": 11})),
    ];
    check("list_accounts_by_level", cases).await;
}

#[tokio::test]
async fn every_account_of_a_level_is_listed_once() {
    let chain = Chain::recorded().await;
    let rows = chain
        .rows("list_accounts_by_level", "accounts", json!({"limit": 3}))
        .await;
    // The recorded accounts of level 1 and more.
    assert_eq!(rows.len(), 12);
    let levels: Vec<_> = rows.iter().map(|it| it["level"].as_u64()).collect();
    assert!(levels.is_sorted_by(|a, b| a >= b), "{levels:?}");
    chain.stop().await;
}

#[tokio::test]
async fn list_penalties() {
    let cases = [
        ("all", json!({})),
        (
            "of_one_account",
            json!({"address": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"}),
        ),
        ("none", json!({"address": "chloe"})),
        ("page", json!({"limit": 1, "offset": 1})),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("list_penalties", cases, elsewhere).await;
}

#[tokio::test]
async fn get_sponsorship() {
    let cases = [
        ("founder", json!({"address": "Alice Test"})),
        (
            "never_used",
            json!({"address": "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2"}),
        ),
        ("unknown_name", json!({"address": "no-such-name"})),
    ];
    check("get_sponsorship", cases).await;
}

#[tokio::test]
async fn a_sponsee_has_a_sponsor() {
    let chain = Chain::recorded().await;
    let arguments = json!({"address": "Bób-Name"});
    let answer = chain.call("get_sponsorship", arguments).await.unwrap();
    assert_eq!(answer["sponsor"], "QYeTxCyLUNdagyNQBkC7yXVipLb5HHL9tY");
    assert_eq!(answer["sponsorLevel"], 7);
    assert_eq!(answer["sponseeCount"], 0);
    chain.stop().await;
}
