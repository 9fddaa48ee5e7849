//! Tools about transactions.

use std::collections::HashSet;

use qortal_testnode::{Fault, Scenario};
use serde_json::{Value, json};

use crate::{Chain, check, check_on};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const QUINN: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";
const OSCAR: &str = "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC";
const GINA: &str = "QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh";
const CHLOE_KEY: &str = "7KNBj2MnEb6zq1vvKY1q8G2Voctcc2Z1X4avFyEH2eJC";
const GENESIS: &str = "MSaUg4zA1MRLRqiy6Dwv6aSfdF7xH2avy57KXby8u7fvkUieF4f1Ap3FjezV39cDt9ofcywxBFqEurADof97vfuHgnapNs9pCXKoa3vAJzLpBv6uUPW5Msc7kbctqjE61ycHV19BfkYaQ3f4E1Pxx7HVuqc2S5bqdmx7kvcMCdLm8wr";
/// Not a transaction of this chain.
const UNKNOWN: &str = "1111111111111111111111111111111111111111111111111111111111111112";

const PAYMENT: &str =
    "2ppNzaXEVCWwtmdWyYJvCWhnbZonsF5zUWBQpQsyyx2EYXL3RdqvR1tTha7nHyURVb6AtXkrFdfyRQt3DzHscVw1";
const MESSAGE: &str =
    "53vXvLiXrRZ6HB6d3pvhQQqBcg3EXutyhBjEJmMLqvsFZVB4EMoCVqymECE3w1ijUmE9FRGgJzt2Hc1aEFmiif1u";
const NAME_BOUGHT: &str =
    "2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko";
const PUBLICATION: &str =
    "5VFSe7XzSsMXCbBrHF9o1iNdgXD5zvgoDtmYBbTa4LqKPpdMoGoKXnAYRXNV7yVd2P39vAwURmjtYi9TCQksff3L";
const POLL: &str =
    "3DP8ZiF1vetq3h7qF7tZitUB8tEhz6WyhpGNiH7GokguiMPaWwTjBKaJjA9zZ6MVikrcmTCgTCYMDJ9wnVzptoVr";
const INVITE_CANCELLED: &str =
    "45SXBepVhq7e6DBqoFEGQtC8FFZCQWjZtyg2tPoKBvFBvzNDNEXVDpPQRDmvx6Gz3C2dZnqkagh6m9PtmfqfeKfz";
const VOTE: &str =
    "5pmN2YXFg3Ca2J8AAJ33GEAp2hLV1fbGdE4toPsBickZrMstRjJ4t6admDwkYb2tdoqLzQJoH8rPRGvrHj1JA9JK";
const KICK: &str =
    "4tj47iPXWSdh4Q6G7SmM3C5LdsMYwhtGcxx4ikqyDn272XqxVWrVsTj9dBqR155U1f4RgmPXvP357SxviSa5Ps59";
const AT_PAYMENT: &str =
    "4zouVW7G5Wxk41ZWF4Cc1fS4GaBrVFqaLVFYNZGJ1UpC3efDHJxNT6ssB9iw9giRccmUA85Nj74yBrQ1ao9b8kdK";
const MULTI_PAYMENT: &str =
    "48xUyQp5hPJBTW8bSnDFnKDr6wUodnVcXj4cwsurhEfaoRR5mzeAwYMY3kivLQWWiLDjUjn9Sm9dpPdXmLfekuYe";
const APPROVED: &str =
    "2weRuDKx9euhHrpEwjAj7jg5VTNayK4S2X2muj76yYUxyYJm7QRG3wrzzsSx7thit2q45RA7HqCBVNCTUKnXcfAh";
const REJECTED: &str =
    "2NKGPhvoS6HbfTtLeRuT5LtgxYWEQJW1K8iPMu55JXSmob78pG5hvvSTJNrxYGs7B6Q3nx2RDuMtyEWp3qFoATLC";
const EXPIRED: &str =
    "47PumeyehFX91mkPFei3AqvZ8sjXC7FiKEx5abhsbF6m6JaT9UMLwTtPEyfDNevbAKM2WwSeGGiQMqLncoz2cdkH";
const UNCONFIRMED: &str =
    "3EP9qYCvdpdcfHjV3ojhbyUBCHJk48dhkne5fVhz4EjA5aQJY4fcsGujTqsLApX6uaxYFQwxpMCudUsadJP4igXb";

#[tokio::test]
async fn get_transaction_by_signature() {
    let cases = [
        ("payment", json!({"signature": PAYMENT})),
        (
            "publication",
            json!({"signature": PUBLICATION, "detail": "full"}),
        ),
        ("poll", json!({"signature": POLL, "detail": "full"})),
        ("unconfirmed", json!({"signature": UNCONFIRMED})),
        ("unknown", json!({"signature": UNKNOWN})),
        ("of_a_block", json!({"signature": GENESIS})),
        ("no_base58", json!({"signature": "0OIl"})),
        ("missing", json!({})),
    ];
    check("get_transaction_by_signature", cases).await;
}

#[tokio::test]
async fn get_transaction_by_reference() {
    let cases = [
        (
            "next_of_its_creator",
            json!({"reference": "HKJM8XpHmKCGXp3F9mMASJ367kWeNf8Uu5RWy6A58kmeYAjYcAobfckfaSm9MR7U1f8rsCeXy3AUbtFF2RdvXXx"}),
        ),
        ("unknown", json!({"reference": UNKNOWN})),
        ("too_short", json!({"reference": "abc"})),
    ];
    check("get_transaction_by_reference", cases).await;
}

#[tokio::test]
async fn explain_transaction() {
    let cases = [
        ("payment", json!({"signature": PAYMENT})),
        ("message", json!({"signature": MESSAGE})),
        ("name_bought", json!({"signature": NAME_BOUGHT})),
        (
            "publication",
            json!({"signature": PUBLICATION, "detail": "full"}),
        ),
        ("invite_cancelled", json!({"signature": INVITE_CANCELLED})),
        ("kick", json!({"signature": KICK})),
        ("vote", json!({"signature": VOTE})),
        ("automated_transaction", json!({"signature": AT_PAYMENT})),
        ("multi_payment", json!({"signature": MULTI_PAYMENT})),
        ("approved", json!({"signature": APPROVED})),
        ("rejected", json!({"signature": REJECTED})),
        ("expired", json!({"signature": EXPIRED})),
        ("unconfirmed", json!({"signature": UNCONFIRMED})),
        ("unknown", json!({"signature": UNKNOWN})),
        ("not_a_signature", json!({"signature": ALICE})),
    ];
    // The one that still waits for its group: its signature is found as a user would find it.
    let chain = Chain::recorded().await;
    let waiting = chain
        .call("list_pending_transactions", json!({}))
        .await
        .unwrap();
    let signature = waiting["transactions"][0]["signature"].clone();
    chain.stop().await;
    let pending = ("pending", json!({"signature": signature}));
    check("explain_transaction", cases.into_iter().chain([pending])).await;
}

/// Fee, interval of blocks and how many wait; each is a part of the answer.
#[tokio::test]
async fn an_unconfirmed_transaction_says_when_it_will_be_in_a_block() {
    let chain = Chain::recorded().await;
    let explained = async || {
        let asked = json!({"signature": UNCONFIRMED});
        chain.call("explain_transaction", asked).await.unwrap()
    };
    let answer = explained().await;
    assert_eq!(
        answer["outlook"],
        json!({"unitFee": "1.25000000", "feeIsEnough": true, "waiting": 6, "blockSeconds": 65})
    );
    let state = answer["state"].as_str().unwrap();
    assert!(
        state.contains("Its fee is enough, and normally one of the next blocks takes it; there is one about every 65 seconds. 6 wait on this node."),
        "{state}"
    );

    chain.node.fault(
        "/transactions/unitfee",
        Fault::Status(200, "500000000".to_owned()),
    );
    let answer = explained().await;
    assert_eq!(answer["outlook"]["feeIsEnough"], false);
    let state = answer["state"].as_str().unwrap();
    assert!(
        state.contains("is below the lowest one, 5.00000000 QORT for each 1024 bytes, so that no block takes it."),
        "{state}"
    );

    chain
        .node
        .fault("/transactions/unitfee", Fault::Status(500, String::new()));
    let answer = explained().await;
    assert_eq!(answer["outlook"].get("unitFee"), None);
    assert_eq!(answer["outlook"]["waiting"], 6);
    let notes = answer["notes"].to_string();
    assert!(
        notes.contains("The lowest fee is left out, because"),
        "{notes}"
    );
    chain.stop().await;
}

/// One block measures nothing.
#[tokio::test]
async fn an_outlook_without_a_second_block_has_no_block_time() {
    let chain = Chain::recorded().await;
    let first = json!({
        "signature": GENESIS, "version": 4, "reference": "1".repeat(128), "height": 1, "timestamp": 1_795_212_000_000_i64,
        "transactionCount": 55, "totalFees": "0.00000000", "atCount": 0, "atFees": "0.00000000", "onlineAccountsCount": 0,
        "minterPublicKey": "1".repeat(32), "minterSignature": UNCONFIRMED, "transactionsSignature": UNCONFIRMED,
    });
    chain
        .node
        .fault("/blocks/last", Fault::Status(200, first.to_string()));
    let asked = json!({"signature": UNCONFIRMED});
    let answer = chain.call("explain_transaction", asked).await.unwrap();
    assert_eq!(answer["outlook"].get("blockSeconds"), None);
    chain.stop().await;
}

/// Messages from account to account stay unconfirmed since a rule of the Core.
#[tokio::test]
async fn a_message_is_not_promised_a_block() {
    let chain = Chain::recorded().await;
    let waiting = json!({"tx_types": ["MESSAGE"]});
    let waiting = chain
        .rows("list_unconfirmed_transactions", "transactions", waiting)
        .await;
    assert!(!waiting.is_empty());
    for message in waiting {
        let asked = json!({"signature": message["transaction"]});
        let answer = chain.call("explain_transaction", asked).await.unwrap();
        let state = answer["state"].as_str().unwrap();
        assert!(
            state.contains("are not put into blocks any more"),
            "{state}"
        );
    }
    chain.stop().await;
}

#[tokio::test]
async fn search_transactions() {
    let cases = [
        (
            "of_an_account",
            json!({"address": "Alice Test", "tx_types": ["CREATE_GROUP"]}),
        ),
        (
            "of_types",
            json!({"tx_types": ["BUY_NAME", "cancel_sell_name"]}),
        ),
        (
            "of_blocks",
            json!({"start_block": 49, "block_limit": 2, "limit": 5}),
        ),
        (
            "last_blocks",
            json!({"block_limit": 70, "reverse": true, "limit": 2}),
        ),
        (
            "unconfirmed",
            json!({"confirmation_status": "UNCONFIRMED", "tx_types": ["PAYMENT"]}),
        ),
        (
            "both",
            json!({"confirmation_status": "both", "address": GINA, "detail": "full"}),
        ),
        (
            "last_page",
            json!({"tx_types": ["PAYMENT"], "limit": 1, "offset": 28}),
        ),
        (
            "past_the_end",
            json!({"tx_types": ["PAYMENT"], "offset": 30}),
        ),
        ("none", json!({"address": QUINN})),
        ("unfiltered", json!({"limit": 1})),
        ("too_many_unfiltered", json!({"limit": 21})),
        (
            "blocks_of_unconfirmed",
            json!({"start_block": 5, "confirmation_status": "UNCONFIRMED"}),
        ),
        ("unknown_type", json!({"tx_types": ["PAYMENTS"]})),
        ("unknown_name", json!({"address": "no-such-name"})),
        (
            "unknown_status",
            json!({"confirmation_status": "PENDING", "limit": -1}),
        ),
    ];
    let elsewhere = [
        (
            Scenario::empty(),
            "empty_chain",
            json!({"tx_types": ["PAYMENT"]}),
        ),
        (
            Scenario::newer_core(),
            "newer_core",
            json!({"tx_types": ["BUY_NAME"], "detail": "full"}),
        ),
    ];
    check_on("search_transactions", cases, elsewhere).await;
}

/// Follows `next` to the end and returns what the transactions are called.
async fn all(chain: &Chain, tool: &str, arguments: Value) -> Vec<String> {
    let rows = chain.rows(tool, "transactions", arguments).await;
    let signatures = rows.iter().map(|it| it["transaction"].as_str().unwrap());
    signatures.map(str::to_owned).collect()
}

#[tokio::test]
async fn next_leads_through_all_transactions() {
    let chain = Chain::recorded().await;
    for (tool, arguments, pages_of_one) in [
        ("search_transactions", json!({"limit": 20}), false),
        ("search_transactions", json!({"limit": 7}), false),
        (
            "search_transactions",
            json!({"address": "chloe", "limit": 3}),
            true,
        ),
        (
            "list_transactions_by_address",
            json!({"address": "chloe", "limit": 3}),
            true,
        ),
        (
            "list_transactions_by_block",
            json!({"signature": GENESIS, "limit": 4}),
            true,
        ),
    ] {
        let found = all(&chain, tool, arguments.clone()).await;
        let different: HashSet<_> = found.iter().collect();
        assert_eq!(different.len(), found.len(), "{tool} {arguments}");
        if pages_of_one {
            let mut whole = arguments;
            whole["limit"] = 100.into();
            assert_eq!(found, all(&chain, tool, whole).await, "{tool}");
        } else {
            // All confirmed transactions that the recorded chain kept.
            assert_eq!(found.len(), 221, "{tool} {arguments}");
        }
    }
    chain.stop().await;
}

#[tokio::test]
async fn list_transactions_by_block() {
    let cases = [
        (
            "page",
            json!({"signature": GENESIS, "limit": 2, "offset": 3}),
        ),
        (
            "reversed",
            json!({"signature": GENESIS, "limit": 1, "reverse": true}),
        ),
        (
            "unknown",
            json!({"signature": GENESIS.replace("8wr", "8ws")}),
        ),
        ("of_a_transaction", json!({"signature": PAYMENT})),
    ];
    let chain = Chain::recorded().await;
    let last = chain.call("get_last_block", json!({})).await.unwrap();
    chain.stop().await;
    let empty = ("empty_block", json!({"signature": last["signature"]}));
    check(
        "list_transactions_by_block",
        cases.into_iter().chain([empty]),
    )
    .await;
}

#[tokio::test]
async fn list_transactions_by_address() {
    let cases = [
        ("by_name", json!({"address": "chloe", "limit": 2})),
        (
            "latest_first",
            json!({"address": ALICE, "limit": 1, "reverse": true}),
        ),
        (
            "unconfirmed",
            json!({"address": GINA, "confirmation_status": "UNCONFIRMED"}),
        ),
        (
            "both",
            json!({"address": GINA, "confirmation_status": "BOTH"}),
        ),
        ("received_only", json!({"address": OSCAR, "limit": 1})),
        ("none", json!({"address": QUINN})),
        (
            "wrong_checksum",
            json!({"address": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e"}),
        ),
    ];
    check("list_transactions_by_address", cases).await;
}

#[tokio::test]
async fn list_transactions_by_creator() {
    let cases = [
        (
            "page",
            json!({"public_key": CHLOE_KEY, "confirmation_status": "CONFIRMED", "limit": 1}),
        ),
        (
            "without_status",
            json!({"public_key": CHLOE_KEY, "limit": 1, "offset": 1, "reverse": true}),
        ),
        (
            "none",
            json!({"public_key": "11111111111111111111111111111112", "confirmation_status": "BOTH"}),
        ),
        (
            "an_address",
            json!({"public_key": ALICE, "confirmation_status": "BOTH"}),
        ),
    ];
    check("list_transactions_by_creator", cases).await;
}

#[tokio::test]
async fn list_unconfirmed_transactions() {
    let cases = [
        ("all", json!({})),
        ("page", json!({"limit": 1, "offset": 4})),
        ("of_types", json!({"tx_types": ["REGISTER_NAME"]})),
        ("of_an_account", json!({"address": "rita-trades"})),
        ("no_key_known", json!({"address": OSCAR})),
        ("none", json!({"tx_types": ["JOIN_GROUP"]})),
    ];
    check("list_unconfirmed_transactions", cases).await;
}

#[tokio::test]
async fn list_pending_transactions() {
    let cases = [
        ("all", json!({})),
        ("of_a_group", json!({"group_id": 6, "detail": "full"})),
        ("none", json!({"group_id": 2})),
    ];
    check("list_pending_transactions", cases).await;
}

#[tokio::test]
async fn get_fee() {
    let cases = [
        ("usual", json!({})),
        ("name", json!({"tx_type": "register_name"})),
        (
            "at_another_time",
            json!({"tx_type": "PAYMENT", "timestamp": 1_795_212_000_000_i64}),
        ),
        ("unused_type", json!({"tx_type": "AIRDROP"})),
        ("unknown_type", json!({"tx_type": "REGISTERNAME"})),
    ];
    check("get_fee", cases).await;
}

#[tokio::test]
async fn every_type_of_transaction_reads_as_a_sentence() {
    let chain = Chain::recorded().await;
    let mut said = std::collections::BTreeMap::new();
    let arguments = json!({"limit": 20, "detail": "full"});
    for row in chain
        .rows("search_transactions", "transactions", arguments)
        .await
    {
        let kind = row["type"].as_str().unwrap().to_owned();
        said.entry(kind)
            .or_insert_with(|| row["text"].as_str().unwrap().to_owned());
    }
    chain.stop().await;
    let lines: Vec<_> = said
        .iter()
        .map(|(kind, text)| format!("{kind}: {text}"))
        .collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/transaction_texts");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description("The first transaction of each type on the recorded chain");
    settings.bind(|| insta::assert_snapshot!("one_of_each_type", lines.join("\n")));
}
