//! The reader of messages, against what serde_json makes of the same bytes.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_protocol::{
    RequestId, Revision, error,
    jsonrpc::{self, Message, MessageOrBatch},
};
use serde_json::Value;

use super::{Dice, SEED, messages, mutate, mutated, wanted_ids};

const ROUNDS: usize = 6_000;

/// What a message that was read says, as it was written.
fn check_message(message: &Message, written: &Value, what: &str) {
    assert_eq!(written["jsonrpc"], "2.0", "{what}");
    let (method, params, id) = match message {
        Message::Request(it) => (Some(&it.method), it.params.as_ref(), Some(it.id.to_value())),
        Message::Notification(it) => (Some(&it.method), it.params.as_ref(), None),
        Message::Response(it) => (None, None, it.id.as_ref().map(RequestId::to_value)),
    };
    let is_response = matches!(message, Message::Response(_));
    let written_id = written.get("id").and_then(RequestId::read);
    let written_id = written_id.as_ref().map(RequestId::to_value);
    assert!(id == written_id || is_response, "{what}");
    assert_eq!(
        method.map(String::as_str),
        written["method"].as_str(),
        "{what}"
    );
    if let Some(params) = params {
        assert_eq!(Some(params), written["params"].as_object(), "{what}");
    }
}

#[test]
fn messages_are_read_as_written_or_refused_with_their_id() {
    let mut dice = Dice::new();
    let seeds: Vec<Value> = Revision::ALL
        .iter()
        .copied()
        .flat_map(messages::all)
        .collect();
    let (mut read, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        let seed = dice.of(&seeds);
        let bytes = mutated(&mut dice, seed);
        let what = format!("seed {SEED:#x}, round {round}: {}", bytes.escape_ascii());
        let written = serde_json::from_slice::<Value>(&bytes);
        match (jsonrpc::parse(&bytes), written) {
            (Ok(MessageOrBatch::Single(message)), Ok(written)) => {
                check_message(&message, &written, &what);
                read += 1;
            }
            (Ok(MessageOrBatch::Batch(items)), Ok(Value::Array(written))) => {
                assert_eq!(items.len(), written.len(), "{what}");
                for (item, written) in items.iter().zip(&written) {
                    if let Ok(message) = item {
                        check_message(message, written, &what);
                    }
                }
            }
            (Err(invalid), Ok(_)) => {
                assert_eq!(invalid.error.code, error::INVALID_REQUEST, "{what}");
                let id: Vec<Value> = invalid.id.iter().map(RequestId::to_value).collect();
                assert_eq!(id, wanted_ids(&bytes), "{what}");
                refused += 1;
            }
            (Err(invalid), Err(_)) => {
                assert_eq!(invalid.error.code, error::PARSE_ERROR, "{what}");
                let id: Vec<Value> = invalid.id.iter().map(RequestId::to_value).collect();
                assert_eq!(id, wanted_ids(&bytes), "{what}");
            }
            (Ok(incoming), written) => panic!("{incoming:?} of {written:?}: {what}"),
        }
    }
    // The mutations leave enough whole, or this is worth little.
    assert!(
        read > 2_000 && refused > 500,
        "{read} read, {refused} refused"
    );
}

#[test]
fn changing_base64_changes_the_bytes() {
    let mut dice = Dice::new();
    for round in 0..ROUNDS {
        let bytes: Vec<u8> = (0..dice.roll(40))
            .map(|_| u8::try_from(dice.roll(256)).unwrap())
            .collect();
        let text = STANDARD.encode(&bytes);
        assert_eq!(STANDARD.decode(&text), Ok(bytes));
        let mut changed = text.into_bytes();
        mutate(&mut dice, &mut changed);
        let Ok(changed) = String::from_utf8(changed) else {
            continue;
        };
        // Whatever can be decoded is what its bytes encode to: no two texts say the same.
        if let Ok(decoded) = STANDARD.decode(&changed) {
            let again = STANDARD.encode(&decoded);
            assert_eq!(again, changed, "seed {SEED:#x}, round {round}");
        }
    }
}
