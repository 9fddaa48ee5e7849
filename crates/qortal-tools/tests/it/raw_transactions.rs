//! Transactions as bytes.

use serde_json::json;

use crate::{Chain, check};

/// A payment of the recorded chain, as `/transactions/signature/{signature}/raw` answers it.
const RAW_PAYMENT: &str = "1112FnMwF1x8ZcycFhCzvfMg4EMr454i32vEjPg1tJobN1f7SoYhwXJLECaMurTXU7xNdZ35THG5J69UoJciA5HtC7P7jYcmuVaC7D4mrbo6NwKyjqa4NnKD43ktrmiiFD3r2UAPQCqZAgJdGqEQ8usnwt2DCbz7zNYiakxBnJ5EhoEi9w9JM3MQjGJDhD52hC2bHKKP6CsaECHwrNV7gWx6oE9ypAf2aggf2thZEj4ZtbwPmavhhSfKFpuu547Jfy6TCULXgqymAC3oxLFnKiXmoP2t2C1BkGocf6K";

#[tokio::test]
async fn decode_transaction() {
    let cases = [
        ("payment", RAW_PAYMENT),
        (
            "signature",
            "2ppNzaXEVCWwtmdWyYJvCWhnbZonsF5zUWBQpQsyyx2EYXL3RdqvR1tTha7nHyURVb6AtXkrFdfyRQt3DzHscVw1",
        ),
        ("not_base58", "0OIl"),
        ("cut", RAW_PAYMENT.get(..200).unwrap()),
    ];
    let cases = cases.map(|(case, raw)| (case, json!({"raw": raw})));
    check("decode_transaction", cases).await;
}

/// What the bytes say is what the node says of the transaction.
#[tokio::test]
async fn decoded_bytes_agree_with_the_node() {
    let chain = Chain::recorded().await;
    let decoded = chain
        .call("decode_transaction", json!({"raw": RAW_PAYMENT}))
        .await
        .unwrap();
    let arguments = json!({"signature": decoded["signature"], "detail": "full"});
    let answered = chain
        .call("get_transaction_by_signature", arguments)
        .await
        .unwrap();
    for member in [
        "type",
        "timestamp",
        "creatorAddress",
        "amount",
        "fee",
        "reference",
        "details",
    ] {
        assert_eq!(decoded[member], answered[member], "{member}");
    }
    chain.stop().await;
}

/// Whatever bytes come, the argument is at fault: never a panic, and never an internal error.
#[tokio::test]
async fn odd_bytes_are_decoded_or_refused() {
    let chain = Chain::recorded().await;
    let bytes = bs58::decode(RAW_PAYMENT).into_vec().unwrap();
    let mut decoded = 0;
    for position in (0..bytes.len()).step_by(3) {
        for byte in [0x7f, 0xff] {
            let mut changed = bytes.clone();
            changed[position] = byte;
            let raw = bs58::encode(changed).into_string();
            match chain.call("decode_transaction", json!({"raw": raw})).await {
                Ok(_) => decoded += 1,
                Err(said) => assert!(said.starts_with("Invalid transaction. `raw` "), "{said}"),
            }
        }
    }
    // Times, amounts, keys and signatures may be anything; types and addresses may not.
    assert!(decoded > 100, "{decoded}");
    chain.stop().await;
}
