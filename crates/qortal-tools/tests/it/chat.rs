//! Tools about chat.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_testnode::{Fault, Scenario};
use serde_json::{Value, json};

use crate::{Chain, check, check_on};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const DILBERT: &str = "Qci5m9k4rcwe4ruKrZZQKka4FzUUMut3er";
/// A message of trent in group 3, which others answer.
const ANSWERED: &str =
    "5ptie5dv255i4uT4rj1dKkXYX34aN3bpa3J3pcZbx9vd9T7K2uijPesb4zA9c8jzyCB6Hc8gmgRCNBYz9wx5Sa2h";
/// The reference of the first message.
const REFERENCE: &str =
    "5f3eaip77pkZVHhMeFpjPgxkTDbv7whUUbYzhGDPYHSXU7HY1CCZUWeUtBCqhcLJ7wRnDd8EVaiJqJuUWH8FnCTm";

#[tokio::test]
async fn get_chat_messages() {
    let cases = [
        ("group", json!({"tx_group_id": 3})),
        (
            "oldest_first",
            json!({"tx_group_id": 3, "reverse": false, "limit": 7}),
        ),
        ("page", json!({"tx_group_id": 3, "limit": 2, "offset": 2})),
        ("encrypted", json!({"tx_group_id": 4})),
        ("direct", json!({"involving": ["Alice Test", "Bób-Name"]})),
        (
            "of_one_sender",
            json!({"tx_group_id": 3, "sender": "victor"}),
        ),
        (
            "with_reference",
            json!({"tx_group_id": 3, "reference": REFERENCE}),
        ),
        (
            "answers_to_one",
            json!({"tx_group_id": 3, "chat_reference": ANSWERED}),
        ),
        (
            "answers",
            json!({"tx_group_id": 3, "has_chat_reference": true}),
        ),
        (
            "as_base58",
            json!({"tx_group_id": 3, "decode_text": false, "encoding": "BASE58", "limit": 1}),
        ),
        (
            "bytes_as_base58",
            json!({"tx_group_id": 3, "sender": "new-name", "encoding": "BASE58", "limit": 1}),
        ),
        (
            "between_times",
            json!({"tx_group_id": 3, "after": 1_795_238_669_424_i64, "before": 1_795_238_789_424_i64}),
        ),
        ("none", json!({"tx_group_id": 2})),
        ("group_0", json!({"tx_group_id": 0})),
        ("unknown_group", json!({"tx_group_id": 99})),
        ("no_room", json!({})),
        (
            "two_rooms",
            json!({"tx_group_id": 3, "involving": [ALICE, DILBERT]}),
        ),
        ("one_account", json!({"involving": [ALICE]})),
        (
            "one_account_twice",
            json!({"involving": [ALICE, "Alice Test"]}),
        ),
        (
            "three_accounts",
            json!({"involving": [ALICE, DILBERT, "victor"]}),
        ),
        (
            "unknown_name",
            json!({"involving": [ALICE, "no-such-name"]}),
        ),
        (
            "in_seconds",
            json!({"tx_group_id": 3, "after": 1_795_238_969, "limit": 1, "reverse": false}),
        ),
        (
            "before_2017",
            json!({"tx_group_id": 3, "after": 1_000_000_000_000_u64}),
        ),
        (
            "not_a_signature",
            json!({"tx_group_id": 3, "chat_reference": "0OIl"}),
        ),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({"tx_group_id": 3}))];
    check_on("get_chat_messages", cases, elsewhere).await;
}

#[tokio::test]
async fn count_chat_messages() {
    let cases = [
        ("group", json!({"tx_group_id": 3})),
        ("direct", json!({"involving": [ALICE, "Bób-Name"]})),
        ("of_one_sender", json!({"tx_group_id": 3, "sender": ALICE})),
        (
            "page",
            json!({"tx_group_id": 3, "limit": 12, "offset": 10, "reverse": true}),
        ),
        ("unknown_group", json!({"tx_group_id": 99})),
        ("no_room", json!({"sender": ALICE})),
    ];
    check("count_chat_messages", cases).await;
}

#[tokio::test]
async fn get_chat_message_by_signature() {
    let encrypted =
        "3V2TapGtCWWgqPHht8oAcQygaAwecyd7SgRmQv9wbsLDoMkiBaKYojabymjJrwqgCoXcAgWVVcauYiX5CUSvjjiS";
    let bytes =
        "34ivy17d3cuiDGShozCAdh5dcyquq3HTdb1jhwKw17zjZr7Xr4tw4GhvymDwpqiiL5oyXDX6kHfuns1GtD5ajqas";
    let direct =
        "2M72LrLuwbcPcGLnb11jeG7Y5x7UvC9VxZH9FugGK3VkKYXTrAXDgJD7dvv4uhZCAi16ft58XGNLh1Ayv4m6KZCg";
    let unknown =
        "5VFSe7XzSsMXCbBrHF9o1iNdgXD5zvgoDtmYBbTa4LqKPpdMoGoKXnAYRXNV7yVd2P39vAwURmjtYi9TCQksff3L";
    let cases = [
        ("text", json!({"signature": ANSWERED})),
        ("encrypted", json!({"signature": encrypted})),
        ("no_text", json!({"signature": bytes})),
        ("direct", json!({"signature": direct})),
        (
            "as_base58",
            json!({"signature": ANSWERED, "decode_text": false, "encoding": "base58"}),
        ),
        ("unknown", json!({"signature": unknown})),
        ("no_signature", json!({})),
    ];
    check("get_chat_message_by_signature", cases).await;
}

#[tokio::test]
async fn get_active_chats() {
    let cases = [
        ("account", json!({"address": ALICE})),
        ("page", json!({"address": "Alice Test", "limit": 1})),
        (
            "answers_only",
            json!({"address": ALICE, "has_chat_reference": true}),
        ),
        (
            "nowhere",
            json!({"address": "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2"}),
        ),
        ("no_address", json!({})),
    ];
    check("get_active_chats", cases).await;
}

#[tokio::test]
async fn get_chat_stats() {
    let cases = [("all", json!({})), ("first", json!({"limit": 1}))];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("get_chat_stats", cases, elsewhere).await;
}

/// A message as long as the Core takes one, in the form of a recorded one.
fn long_message(text: &str) -> Value {
    json!({
        "timestamp": 1_795_238_609_424_i64, "txGroupId": 3, "groupId": 3, "groupName": "open-lounge",
        "senderPublicKey": "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP", "sender": ALICE,
        "senderName": "Alice Test", "encoding": "BASE64", "data": STANDARD.encode(text.as_bytes()),
        "isText": true, "isEncrypted": false, "signature": ANSWERED,
    })
}

/// Asks a node whose messages are all long, and returns how many of them were shown and left out.
async fn check_long(path: &str, tool: &str, arguments: Value, body: Value, list: &str) -> usize {
    let chain = Chain::recorded().await;
    chain.node.fault(path, Fault::Status(200, body.to_string()));
    let answer = chain.call(tool, arguments.clone()).await.unwrap();
    chain.stop().await;
    let bytes = answer.to_string().len();
    assert!(bytes < 12_000, "{bytes} bytes");
    let shown = answer[list].as_array().unwrap().len();
    assert_eq!(answer["truncated"], true);
    let next = &answer["next"]["arguments"];
    let first = arguments.get("offset").and_then(Value::as_u64).unwrap_or(0);
    assert_eq!(next["offset"], first + shown as u64);
    assert_eq!(next["limit"], arguments["limit"]);
    let notes = answer["notes"].to_string();
    let left_out = arguments["limit"].as_u64().unwrap() - shown as u64;
    assert!(notes.contains(&format!("{left_out} more of this page are left out")));
    shown
}

#[tokio::test]
async fn long_messages_are_left_for_the_next_page() {
    for (text, expected) in [
        ("a".repeat(900), 7),
        // Cut at 1,000 characters each, which have two bytes in JSON.
        ("\"".repeat(3_000), 4),
        ("é".repeat(1_500), 4),
    ] {
        let messages: Vec<_> = (0..24).map(|_| long_message(&text)).collect();
        let arguments = json!({"tx_group_id": 3, "limit": 20, "offset": 3});
        let body = json!(messages);
        let shown = check_long(
            "/chat/messages",
            "get_chat_messages",
            arguments,
            body,
            "messages",
        );
        assert_eq!(shown.await, expected);
    }
}

#[tokio::test]
async fn groups_with_long_messages_are_left_for_the_next_page() {
    let groups: Vec<_> = (0..20)
        .map(|_| long_message(&"no cipher ".repeat(90)))
        .collect();
    let direct: Vec<_> = (0..10_i64)
        .map(|it| json!({"address": DILBERT, "timestamp": 1_795_238_609_424 + it, "sender": ALICE}))
        .collect();
    let arguments = json!({"address": ALICE, "limit": 20});
    let body = json!({"groups": groups, "direct": direct});
    let shown = check_long(
        "/chat/active/*",
        "get_active_chats",
        arguments.clone(),
        body.clone(),
        "groups",
    );
    let of_groups = shown.await;
    let shown = check_long(
        "/chat/active/*",
        "get_active_chats",
        arguments,
        body,
        "direct",
    );
    assert_eq!((of_groups, shown.await), (7, 7));
}

#[tokio::test]
async fn get_chat_activity() {
    let cases = [
        ("group", json!({"tx_group_id": "open-lounge"})),
        ("page", json!({"tx_group_id": 3, "limit": 1, "offset": 1})),
        (
            "period",
            json!({"tx_group_id": 3, "after": 1_795_239_809_424_i64, "before": 1_795_240_139_424_i64}),
        ),
        ("encrypted", json!({"tx_group_id": 4})),
        ("direct", json!({"involving": ["Alice Test", "Bób-Name"]})),
        ("none", json!({"tx_group_id": 2})),
        ("unknown_group", json!({"tx_group_id": 99})),
        ("no_room", json!({})),
    ];
    check("get_chat_activity", cases).await;
}

/// A token has some four bytes here.
#[tokio::test]
async fn a_days_chat_is_judged_in_less_than_a_thousand_tokens() {
    let chain = Chain::recorded().await;
    let message = |index: usize| {
        let sender = format!("{:02}", index % 40);
        json!({
            "timestamp": 1_795_200_000_000_u64 + 1_000 * index as u64, "txGroupId": 3,
            "reference": REFERENCE, "senderPublicKey": "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP",
            "sender": SENDERS[index % SENDERS.len()], "senderName": format!("a name of {sender}"),
            "encoding": "BASE64", "data": "aGVsbG8gMA==", "isText": true, "isEncrypted": false,
            "signature": ANSWERED,
        })
    };
    let day: Vec<Value> = (0..1_500).map(message).collect();
    let answer = Fault::Status(200, json!(day).to_string());
    chain.node.fault("/chat/messages", answer);
    let said = chain
        .call("get_chat_activity", json!({"tx_group_id": 3}))
        .await
        .unwrap();
    assert_eq!(said["messageCount"], 1_500);
    assert_eq!(said["senders"].as_array().map(Vec::len), Some(15));
    let bytes = said.to_string().len();
    assert!(bytes <= 4_000, "{bytes}");
    chain.stop().await;
}

/// Accounts of the recorded chain.
const SENDERS: [&str; 16] = [
    ALICE,
    DILBERT,
    "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK",
    "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL",
    "QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6",
    "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq",
    "QaRfMCN42yurmJNmkc5p9hR846vJgsTovB",
    "QZajYTTmxtjX7C2YgytGgNKXDVvxFgZWHg",
    "QSsBRjKobUenghATsCnodVRfYGDACzreCC",
    "QMm4tkDnJvzUE7oUWqQBAnssVLt6tFRg2n",
    "QT1XAJAgLYwrYXdTDKDg8c29uMVosh3HgU",
    "QNd8bKHAZyS1kGcdwBfNeQ7fqykshbw2qV",
    "QjHp5Ky4WmVaRKnaaGCKvTQ4TuvwhyMZCz",
    "QhFNm1fBrJrHaXvei8bTu4H31wwFUx3wrL",
    "QXvtLWWNRAcGbWXeYHUxT4ysomE92krWqt",
    "QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh",
];
