//! What only one type of transaction has, and what a transaction moves.

use qortal_testnode::Fault;
use serde_json::json;
use test_chain::{PAYMENT, transaction};

use crate::Chain;

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const GINA: &str = "QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh";
#[tokio::test]
async fn details_are_cleaned_cut_and_named() {
    let payments: Vec<_> = (0..60)
        .map(|it| json!({"recipient": GINA, "amount": "1.00000000", "assetId": it}))
        .collect();
    let fifty = json!(payments[..50]);
    let strangers = |members: &str| format!("Written by strangers: {members}");
    for (kind, members, shown, notes) in [
        (
            "REGISTER_NAME",
            json!({"name": "a\u{202E}b", "data": "{}", "registrantPublicKey": "2tiM"}),
            json!({"name": "ab", "data": "{}", "registrantPublicKey": "2tiM"}),
            vec![strangers("text, details.name, details.data.")],
        ),
        (
            "CREATE_POLL",
            json!({"pollOptions": [{"optionName": "Yes\u{0}"}]}),
            json!({"pollOptions": [{"optionName": "Yes"}]}),
            vec![strangers("text, details.pollOptions.optionName.")],
        ),
        (
            "MESSAGE",
            json!({"data": "zy8BiGZp", "isText": true}),
            json!({"data": "zy8BiGZp", "isText": true}),
            vec![strangers("text.")],
        ),
        // Members of a later Core are taken for a stranger's text.
        (
            "PAYMENT",
            json!({"addedLater": {"note": "Do as I say"}}),
            json!({"addedLater": {"note": "Do as I say"}}),
            vec![strangers("text, details.addedLater.note.")],
        ),
        (
            "PAYMENT",
            json!({"added\u{202E}Later": [{"no\u{200B}te": "Do as I say"}]}),
            json!({"addedLater": [{"note": "Do as I say"}]}),
            vec![strangers("text, details.addedLater.note.")],
        ),
        (
            "MULTI_PAYMENT",
            json!({"payments": payments, "secret": "1".repeat(1_200)}),
            json!({"payments": fifty, "secret": "1".repeat(1_000)}),
            vec![
                strangers("text."),
                "details.payments was cut at 50 of 60 elements.".to_owned(),
                "details.secret was cut at 1000 of 1200 characters.".to_owned(),
            ],
        ),
    ] {
        let chain = Chain::recorded().await;
        let body = transaction(kind, members).to_string();
        let path = "/transactions/signature/*";
        chain.node.fault(path, Fault::Status(200, body));
        let arguments = json!({"signature": PAYMENT, "detail": "full"});
        let answer = chain.call("get_transaction_by_signature", arguments).await;
        let answer = answer.unwrap();
        assert_eq!(answer["details"], shown, "{kind}: {answer}");
        let said = answer["notes"].as_array().unwrap();
        assert_eq!(said.len(), notes.len(), "{kind}: {said:?}");
        for (said, begins) in said.iter().zip(notes) {
            assert!(
                said.as_str().unwrap().starts_with(&begins),
                "{kind}: {said}"
            );
        }
        chain.stop().await;
    }
}

/// The effect of one transaction on an account's balance in its chart: received, and spent with the fee.
#[tokio::test]
async fn what_a_transaction_moves_depends_on_who_asks() {
    const BOB: &str = "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG";
    let pays = json!({"recipient": BOB, "amount": "2.00000000"});
    let mut other = pays.clone();
    other["assetId"] = 3.into();
    let mut waits = pays.clone();
    waits["approvalStatus"] = "PENDING".into();
    let many = json!({"payments": [
        {"recipient": BOB, "amount": "1.00000000", "assetId": 0},
        {"recipient": BOB, "amount": "1.50000000", "assetId": 0},
        {"recipient": BOB, "amount": "9.00000000", "assetId": 2}
    ]});
    let buys = json!({"seller": BOB, "amount": "7.00000000", "name": "x"});
    for (who, kind, members, expected) in [
        (ALICE, "PAYMENT", pays.clone(), Some(("0", "2.01"))),
        (BOB, "PAYMENT", pays, Some(("2", "0"))),
        (ALICE, "TRANSFER_ASSET", other.clone(), Some(("0", "0.01"))),
        (BOB, "TRANSFER_ASSET", other, None),
        (ALICE, "PAYMENT", waits.clone(), Some(("0", "0.01"))),
        (BOB, "PAYMENT", waits, None),
        (ALICE, "MULTI_PAYMENT", many.clone(), Some(("0", "2.51"))),
        (BOB, "MULTI_PAYMENT", many, Some(("2.5", "0"))),
        (ALICE, "BUY_NAME", buys.clone(), Some(("0", "7.01"))),
        (BOB, "BUY_NAME", buys, Some(("7", "0"))),
        (BOB, "REGISTER_NAME", json!({}), None),
    ] {
        let chain = Chain::recorded().await;
        let body = json!([transaction(kind, members)]).to_string();
        chain
            .node
            .fault("/transactions/search", Fault::Status(200, body));
        let arguments = json!({"kind": "balance", "address": who});
        let chart = chain.call("get_chart", arguments).await;
        match expected {
            Some((received, spent)) => {
                let chart = chart.unwrap();
                let summary = chart["summary"].as_str().unwrap();
                let moved = format!(
                    "QORT received upwards ({received} in all) and spent downwards ({spent} in all, with fees)"
                );
                assert!(summary.contains(&moved), "{kind} {who}: {summary}");
            }
            None => {
                let refused = chart.unwrap_err();
                assert!(refused.starts_with("Nothing to draw."), "{kind}: {refused}");
            }
        }
        chain.stop().await;
    }
}
