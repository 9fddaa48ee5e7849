//! Any input gets a valid answer: real messages, mutated by a seeded generator, against a server with every feature.
//! The expectations are derived from the bytes sent, not with our own parser.

mod events;
mod http;
mod jsonrpc;
mod messages;
mod refusals;
mod signed;
mod site;
mod stdio;

use mcp_protocol::{RequestId, transport::RequestIdScanner};
use serde_json::{Value, json};

/// Printed with every failure; the same seed makes the same input.
pub(crate) const SEED: u64 = 0x5eed_0000_2026_1122;

/// Every code that a server of ours may answer a client with.
const CODES: &[i64] = &[
    -32700, -32600, -32601, -32602, -32002, -32020, -32021, -32022,
];
/// The longest message of an error: one sentence that repeats little of the input.
const SENTENCE_BYTES: usize = 500;

/// SplitMix64: small, and the same everywhere.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new() -> Self {
        Self(SEED)
    }

    /// A number from 0 to one less than `sides`; 0 if there are none.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^= it >> 31;
        usize::try_from(it % u64::try_from(sides.max(1)).unwrap()).unwrap()
    }

    pub(crate) fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.roll(choices.len())]
    }

    /// Whether one in `of` has come up.
    pub(crate) fn one_in(&mut self, of: usize) -> bool {
        self.roll(of) == 0
    }
}

/// Pieces that mean something to one reader or another.
const PIECES: &[&[u8]] = &[
    b"null",
    b"true",
    b"[",
    b"]",
    b"{",
    b"}",
    b"[]",
    b"{}",
    b"\"",
    b"\\",
    b",",
    b":",
    b"-1",
    b"1.5",
    b"1e999",
    b"99999999999999999999",
    b"\"id\":null,",
    b"\"id\":7,",
    b"\"method\":\"ping\",",
    b"\"jsonrpc\":\"2.0\",",
    b"\"params\":[1],",
    b"\"result\":{},",
    b"\"_meta\":{},",
    b"\\u0000",
    b"\\ud800",
    b"\xff\xfe",
    b"\xc3",
    b"\0",
    b"\r",
    b"\n",
    b"\t",
    b" ",
    b"2026-07-28",
    b"2025-03-26",
    b"1999-01-01",
    b"=?base64?",
    b"?=",
    b"=",
    b"../",
    b"\xef\xbb\xbf",
];

/// Changes a few places.
pub(crate) fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(bytes.len());
        let end = (at + dice.roll(30)).min(bytes.len());
        match dice.roll(7) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.roll(8),
            1 => drop(bytes.drain(at..end)),
            2 | 3 => drop(bytes.splice(at..at, dice.of(PIECES).iter().copied())),
            4 => bytes.extend_from_within(at..end),
            5 => bytes.truncate(at.max(1)),
            _ => drop(bytes.splice(at..end, dice.of(PIECES).iter().copied())),
        }
    }
}

/// The message in bytes, changed as a whole or byte by byte, or as it was.
pub(crate) fn mutated(dice: &mut Dice, message: &Value) -> Vec<u8> {
    let mut message = message.clone();
    if dice.one_in(2) {
        bend(dice, &mut message);
    }
    let mut bytes = message.to_string().into_bytes();
    if dice.one_in(2) {
        mutate(dice, &mut bytes);
    }
    bytes
}

/// Changes a member somewhere in the message, so that it is JSON still.
fn bend(dice: &mut Dice, value: &mut Value) {
    let odd = [
        Value::Null,
        json!(true),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!(""),
        json!("2025-03-26"),
        json!("x".repeat(3_000)),
        json!([]),
        json!([[null]]),
        json!({}),
        json!({"a": {"b": {}}}),
    ];
    match value {
        Value::Object(object) if !object.is_empty() && !dice.one_in(8) => {
            let names: Vec<String> = object.keys().cloned().collect();
            let name = dice.of(&names);
            match dice.roll(6) {
                0 => drop(object.remove(name)),
                1 => {
                    let moved = object.remove(name).unwrap_or_default();
                    object.insert(dice.of(&names).clone(), moved);
                }
                _ => bend(dice, &mut object[name]),
            }
        }
        Value::Array(items) if !items.is_empty() && !dice.one_in(8) => {
            let at = dice.roll(items.len());
            match dice.roll(4) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => bend(dice, &mut items[at]),
            }
        }
        other => *other = dice.of(&odd).clone(),
    }
}

/// The ids that have to be answered, once each, if these bytes are one message or a batch, or a request that is not JSON.
pub(crate) fn wanted_ids(bytes: &[u8]) -> Vec<Value> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Array(items)) => items.iter().filter_map(wanted_id).collect(),
        Ok(message) => wanted_id(&message).into_iter().collect(),
        Err(_) => {
            let id = RequestIdScanner::find(bytes);
            id.iter().map(RequestId::to_value).collect()
        }
    }
}

/// The id of a request, or of a message that could have been one.
fn wanted_id(message: &Value) -> Option<Value> {
    let id = message.get("id")?;
    let is_response = message.get("method").is_none()
        && message["jsonrpc"] == "2.0"
        && (message.get("result").is_some() || message.get("error").is_some());
    let id = RequestId::read(id).filter(|_| !is_response)?;
    Some(id.to_value())
}

/// The ids that are answered by these messages, each of which is one that a server may send.
pub(crate) fn answered_ids(said: &[Value], what: &dyn Fn() -> String) -> Vec<Value> {
    let mut ids = Vec::new();
    for message in said.iter().flat_map(|it| match it {
        Value::Array(batch) => batch.as_slice(),
        message => std::slice::from_ref(message),
    }) {
        assert_eq!(message["jsonrpc"], "2.0", "{message} for {}", what());
        if message["method"].is_string() {
            continue;
        }
        assert_ne!(message.get("id"), Some(&Value::Null), "{}", what());
        let (result, error) = (message.get("result"), message.get("error"));
        assert!(
            result.is_some() != error.is_some(),
            "{message} for {}",
            what()
        );
        if let Some(error) = error {
            let code = error["code"].as_i64().unwrap();
            assert!(CODES.contains(&code), "{message} for {}", what());
            let message = error["message"].as_str().unwrap();
            assert!(message.len() <= SENTENCE_BYTES, "{message} for {}", what());
        }
        match message.get("id") {
            Some(id) => ids.push(id.clone()),
            None => assert!(error.is_some(), "{message} for {}", what()),
        }
    }
    ids
}

/// Whether both hold the same ids, in any order.
pub(crate) fn same_ids(mut some: Vec<Value>, mut others: Vec<Value>) -> bool {
    let by_text = |it: &Value| it.to_string();
    some.sort_by_key(by_text);
    others.sort_by_key(by_text);
    some == others
}
