//! What answers leave out unless everything is asked for, and the short form of transactions.

use qortal_tools::Catalog;
use serde_json::{Map, Value, json};

use crate::Chain;

/// Members that hold keys or signatures in summaries, because they are the answer or the next call needs them.
const ANSWERS: [(&str, &str); 4] = [
    ("resolve_identity", "publicKey"),
    ("compare_nodes", "signature"),
    ("decode_transaction", "signature"),
    ("decode_transaction", "senderPublicKey"),
];

/// Calls `seen` with the name of each member of an answer, its value, and whether it is in a list.
fn walk(value: &Value, in_list: bool, seen: &mut impl FnMut(&Map<String, Value>, &str, bool)) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                seen(members, name, in_list);
                walk(value, in_list, seen);
            }
        }
        Value::Array(items) => items.iter().for_each(|it| walk(it, true, seen)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

#[tokio::test]
async fn summaries_have_no_signatures_no_keys_and_no_time_twice() {
    let chain = Chain::recorded().await;
    let mut problems = Vec::new();
    for entry in Catalog::entries() {
        let has_detail = entry.parameters().iter().any(|it| it.name == "detail");
        let mut arguments: Value = serde_json::from_str(entry.example).unwrap();
        // Some examples ask for everything.
        arguments.as_object_mut().unwrap().remove("detail");
        let answer = chain.call(entry.name, arguments).await.unwrap();
        walk(&answer, false, &mut |members, name, in_list| {
            // Shorter ones are not signatures, but what is called so in arguments.
            let is_text = members[name].as_str().is_some_and(|it| it.len() > 40);
            let lower = name.to_lowercase();
            let is_key = lower.ends_with("signature") || lower.ends_with("publickey");
            let is_answer = ANSWERS.contains(&(entry.name, name));
            // The dynamic tools carry answers and arguments of others.
            let is_dynamic = ["call_tool", "describe_tool", "find_tools"].contains(&entry.name);
            if is_key && is_text && !is_answer && !is_dynamic {
                problems.push(format!("{} {name}", entry.name));
            }
            let is_twice = members.contains_key(&format!("{name}Iso"));
            if is_twice && (in_list || has_detail) {
                problems.push(format!("{} {name} twice", entry.name));
            }
        });
    }
    assert!(problems.is_empty(), "{problems:#?}");
    chain.stop().await;
}

#[tokio::test]
async fn all_of_it_is_there_with_detail_full() {
    let chain = Chain::recorded().await;
    let mut more = 0;
    for entry in Catalog::entries() {
        if !entry.parameters().iter().any(|it| it.name == "detail") {
            continue;
        }
        let mut arguments: Value = serde_json::from_str(entry.example).unwrap();
        let summary = chain.call(entry.name, arguments.clone()).await.unwrap();
        arguments["detail"] = "full".into();
        let full = chain.call(entry.name, arguments).await.unwrap();
        let count = |answer: &Value| {
            let mut members = 0;
            walk(answer, false, &mut |_, _, _| members += 1);
            members
        };
        assert!(count(&full) >= count(&summary), "{}", entry.name);
        more += usize::from(count(&full) > count(&summary));
    }
    assert!(more > 15, "{more}");
    chain.stop().await;
}

const SIGNATURE: &str =
    "2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko";

/// The short form of the transaction with [`SIGNATURE`].
async fn handle(chain: &Chain) -> String {
    let answer = chain
        .call(
            "get_transaction_by_signature",
            json!({"signature": SIGNATURE}),
        )
        .await
        .unwrap();
    answer["transaction"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn every_tool_that_takes_a_signature_takes_the_short_form() {
    let chain = Chain::recorded().await;
    let handle = handle(&chain).await;
    let (_, beginning) = handle.split_once('/').unwrap();
    assert!(SIGNATURE.starts_with(beginning), "{handle}");
    for tool in [
        "get_transaction_by_signature",
        "explain_transaction",
        "search",
    ] {
        let call = async |transaction: &str| {
            let parameter = if tool == "search" {
                "query"
            } else {
                "signature"
            };
            let arguments = json!({ parameter: transaction });
            chain.call(tool, arguments).await.unwrap()
        };
        let (by_handle, by_signature) = (call(&handle).await, call(SIGNATURE).await);
        match tool {
            "search" => assert_eq!(
                by_handle["results"][0]["id"],
                format!("transaction:{handle}")
            ),
            _ => assert_eq!(by_handle, by_signature, "{tool}"),
        }
    }
    let fetched = json!({"id": format!("transaction:{handle}")});
    let fetched = chain.call("fetch", fetched).await.unwrap();
    assert!(
        fetched["text"].as_str().unwrap().contains(&handle),
        "{fetched}"
    );
    let inspected = json!({ "text": handle });
    let inspected = chain.call("inspect_identifier", inspected).await.unwrap();
    assert_eq!(inspected["kind"], "transaction");
    chain.stop().await;
}

#[tokio::test]
async fn the_place_in_the_block_is_accepted_too() {
    let chain = Chain::recorded().await;
    let block = json!({"signature": 19, "order": "oldest", "limit": 100});
    let block = chain
        .call("list_transactions_by_block", block)
        .await
        .unwrap();
    let rows = block["transactions"].as_array().unwrap();
    assert!(rows.len() > 2);
    for (index, row) in rows.iter().enumerate() {
        let place = json!({"signature": format!("19/{}", index + 1)});
        let found = chain
            .call("get_transaction_by_signature", place)
            .await
            .unwrap();
        assert_eq!(found["transaction"], row["transaction"]);
    }
    for (wrong, expected) in [
        ("19/99", "Transaction not found. "),
        ("19/zzzzzzzz", "Transaction not found. "),
        ("99999/2sNaWjar", "Block not found. "),
        ("19/0", "Invalid signature. "),
        ("0/1", "Invalid signature. "),
        ("19/2sNaWjarX", "Invalid signature. "),
    ] {
        let arguments = json!({ "signature": wrong });
        let said = chain.call("get_transaction_by_signature", arguments).await;
        let said = said.unwrap_err();
        assert!(said.starts_with(expected), "{wrong}: {said}");
    }
    chain.stop().await;
}
