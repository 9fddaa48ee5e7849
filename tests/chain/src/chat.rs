//! The transactions of a chat, as events of the simulated node.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_testnode::Event;
use serde_json::{Value, json};

/// The transactions, which name their sources.
pub const DATA: &str = include_str!("../../../crates/qortal-apps/tests/data/chat.json");
/// A group of the recorded chain without messages.
pub const GROUP: u32 = 2;
/// The time of the first recorded message.
pub const START: i64 = 1_795_238_609_424;

/// The accounts of the recorded chain that send the messages.
pub fn address(name: &str) -> &'static str {
    match name {
        "Alice Test" => "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
        "Bob Test" => "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK",
        "Carol Test" => "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL",
        _ => panic!("{name}"),
    }
}

/// A signature of 64 bytes in Base58, by the id of its message.
pub fn signature(id: &str) -> String {
    let last = if id == "gone" { "Z" } else { id };
    format!("{}{last}", "1".repeat(63))
}

fn reference(id: &str) -> String {
    format!("{}3{id}", "1".repeat(62))
}

/// The data of a transaction, with signatures, references and addresses in place of what stands for them.
pub fn data(row: &Value) -> Vec<u8> {
    if let Some(base64) = row["base64"].as_str() {
        return STANDARD.decode(base64).unwrap();
    }
    let text = match row["text"].as_str() {
        Some(text) => text.to_owned(),
        None => row["envelope"].to_string(),
    };
    let text = text
        .replace("<reference of a>", &reference("a"))
        .replace("<unknown>", &signature("Y"))
        .replace("<gone>", &signature("gone"))
        .replace("<a>", &signature("a"))
        .replace("<Bob Test>", address("Bob Test"));
    text.into_bytes()
}

/// The events that send them, in the order of time.
pub fn events() -> Vec<Event> {
    let file: Value = serde_json::from_str(DATA).unwrap();
    let rows = file["messages"].as_array().unwrap().iter();
    rows.map(|row| {
        let (id, by) = (row["id"].as_str().unwrap(), row["by"].as_str().unwrap());
        let mut members = json!({
            "timestamp": START + row["minute"].as_i64().unwrap() * 60_000,
            "txGroupId": GROUP,
            "reference": reference(id),
            "sender": address(by),
            "senderName": by,
            "data": bs58::encode(data(row)).into_string(),
            "signature": signature(id),
        });
        if let Some(changed) = row["changes"].as_str() {
            members["chatReference"] = signature(changed).into();
        }
        Event::RowAdded {
            table: "chat",
            like: json!({"txGroupId": 3}),
            but: members,
        }
    })
    .collect()
}
