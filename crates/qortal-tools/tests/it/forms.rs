//! The forms in which every tool takes times and accounts.

use serde_json::{Value, json};

use crate::{
    Chain,
    defaults::{example, parameters, with},
};

/// Moments, in every form, by the clock of the network where they are before now.
#[tokio::test]
async fn times_are_read_in_every_form() {
    let chain = Chain::recorded().await;
    let mut moments = 0;
    for (entry, parameter) in parameters() {
        let is_moment = |it: &&str| parameter.doc.contains(it);
        if !["ISO 8601", "Start: date"].iter().any(is_moment) {
            continue;
        }
        moments += 1;
        let name = parameter.name.as_str();
        // An example may end before this.
        let with = |value: Value| match with(entry, name, value) {
            Value::Object(mut arguments) if name == "after" => {
                arguments.remove("before");
                Value::Object(arguments)
            }
            arguments => arguments,
        };
        let mut answers = Vec::new();
        for value in [
            json!("2026-11-20T22:00:00Z"),
            json!("2026-11-20T23:00+01:00"),
            json!(1_795_212_000_000_i64),
            json!("1795212000000"),
        ] {
            let answer = chain.call(entry.name, with(value)).await;
            let answer = answer.map(|mut it| {
                // It holds the argument as it was sent.
                it.as_object_mut().unwrap().remove("next");
                it
            });
            // At that time there may be nothing.
            let is_refused = answer.as_ref().is_err_and(|it| it.starts_with("Invalid"));
            assert!(!is_refused, "{} {name}: {answer:?}", entry.name);
            answers.push(answer);
        }
        for answer in &answers {
            assert_eq!(answer, &answers[0], "{} {name}", entry.name);
        }
        for ago in ["24h", "7 days", "2w ago", "now"] {
            let before = chain.node.journal().len();
            let said = chain.call(entry.name, with(ago.into())).await;
            // At that time there may be nothing.
            let is_refused = said.as_ref().is_err_and(|it| it.starts_with("Invalid"));
            assert!(!is_refused, "{} {name}: {said:?}", entry.name);
            let journal = chain.node.journal().split_off(before);
            let asked = journal.iter().any(|it| it.target == "/admin/info");
            assert!(asked, "{} {name}", entry.name);
        }
        let said = chain.call(entry.name, with("soon".into())).await;
        assert!(said.unwrap_err().starts_with("Invalid timestamp. "));
    }
    assert!(moments > 10, "{moments}");
    chain.stop().await;
}

/// A page that began 24 hours ago has a next one that begins at the same moment, however late it is asked for.
#[tokio::test]
async fn the_next_page_of_a_time_before_now_begins_at_the_same_moment() {
    let chain = Chain::recorded().await;
    let arguments = json!({"group_id": 3, "after": "1d", "limit": 1});
    let page = chain.call("get_chat_messages", arguments).await.unwrap();
    let after = page["next"]["arguments"]["after"].as_str().unwrap();
    assert!(after.ends_with('Z'), "{after}");
    chain.stop().await;
}

/// Every account can be given by its address, a name or its public key.
#[tokio::test]
async fn accounts_are_found_by_address_name_and_public_key() {
    const ADDRESS: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
    const NAME: &str = "Alice Test";
    const KEY: &str = "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP";
    let chain = Chain::recorded().await;
    let mut accounts = 0;
    for (entry, parameter) in parameters() {
        let name = parameter.name.as_str();
        let is_list = parameter.schema["type"] == "array";
        if !parameter.doc.contains("Address or name.") {
            // What does not say so accepts none: a mistyped address is not told from any other text.
            let mistyped = json!("QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9w");
            let said = chain.call(entry.name, with(entry, name, mistyped)).await;
            let is_account = said.is_err_and(|it| it.starts_with("Invalid Qortal address."));
            assert!(!is_account || name == "at_address", "{} {name}", entry.name);
            continue;
        }
        accounts += 1;
        let mut answers = Vec::new();
        for account in [ADDRESS, NAME, KEY] {
            let mut arguments = match name {
                // Instead of the group of the example.
                "involving" => json!({}),
                _ => example(entry),
            };
            arguments[name] = match (name, is_list) {
                ("involving", _) => json!([account, "chloe"]),
                (_, true) => json!([account]),
                (_, false) => account.into(),
            };
            let answer = chain.call(entry.name, arguments).await;
            let answer = answer.map_err(|said| said.replace(account, ""));
            let answer = answer.map(|mut it| {
                let members = it.as_object_mut().unwrap();
                members.retain(|key, _| {
                    let is_about_the_way = key.ends_with("esolvedFrom")
                        || ["resolved", "next", "given", "notes"].contains(&key.as_str());
                    !is_about_the_way
                });
                it
            });
            answers.push(answer);
        }
        assert!(
            answers[0].is_ok(),
            "{} {name}: {:?}",
            entry.name,
            answers[0]
        );
        assert_eq!(answers[0], answers[1], "{} {name}", entry.name);
        assert_eq!(answers[0], answers[2], "{} {name}", entry.name);
    }
    assert!(accounts > 30, "{accounts}");
    chain.stop().await;
}
