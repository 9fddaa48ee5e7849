//! Tools about blocks.

use qortal_testnode::Scenario;
use serde_json::{Value, json};

use crate::{Chain, check, check_on};

#[tokio::test]
async fn get_block_height() {
    check("get_block_height", "tip", json!({})).await;
    check_on(
        Scenario::empty(),
        "get_block_height",
        "empty_chain",
        json!({}),
    )
    .await;
}

#[tokio::test]
async fn get_block_by_height() {
    for (case, height) in [
        ("genesis", json!(1)),
        ("archived", json!(100)),
        ("within_a_batch", json!(345)),
        ("payout_of_a_batch", json!(360)),
        ("beyond_the_tip", json!(469)),
        ("zero", json!(0)),
        ("overflow", json!(99_999_999_999_u64)),
        ("as_text", json!("468")),
        ("fraction", json!(1.5)),
    ] {
        check("get_block_by_height", case, json!({"height": height})).await;
    }
}

#[tokio::test]
async fn get_last_block() {
    check("get_last_block", "tip", json!({})).await;
}

#[tokio::test]
async fn every_height_of_the_chain_has_a_block_that_names_its_parent() {
    let chain = Chain::recorded().await;
    let mut parent = Value::Null;
    for height in [1, 2, 3, 149, 150, 151, 299, 300, 301, 467, 468] {
        let block = chain
            .call("get_block_by_height", json!({"height": height}))
            .await
            .unwrap();
        assert_eq!(block["height"], height);
        if height > 1 {
            let before = json!({"height": height - 1});
            parent = chain.call("get_block_by_height", before).await.unwrap()["signature"].clone();
            assert_eq!(block["reference"], parent, "height {height}");
        }
    }
    assert!(parent.is_string());
    chain.stop().await;
}
