//! Event streams: any text of a tool is read back as the HTML standard describes.

use std::{future::poll_fn, pin::Pin};

use hyper::{Request, Response, body::Body as _};
use mcp_http::Body;
use mcp_protocol::Revision;
use serde_json::{Value, json};

use super::{Dice, SEED, http, messages};

const ROUNDS: usize = 500;

/// What breaks lines, fields or strings somewhere.
const BITS: &[&str] = &[
    "\n", "\r", "\r\n", "\n\n", "\u{2028}", "\u{2029}", "\u{85}", "\0", "\u{feff}", "data: ",
    "id: 1", ":", "event: x", "retry: 0", "\"", "\\", "ä", "🦀", " ", "x",
];

/// The whole body of an answer, which ends by itself.
pub(crate) async fn bytes(answer: Response<Body>) -> Vec<u8> {
    let mut body = answer.into_body();
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        bytes.extend_from_slice(&frame.unwrap().into_data().unwrap());
    }
    bytes
}

/// The messages of a stream (HTML standard, "Interpreting an event stream"), which has nothing else in it.
pub(crate) fn read(stream: &[u8]) -> Vec<Value> {
    let stream = std::str::from_utf8(stream).unwrap();
    assert!(!stream.starts_with('\u{feff}'), "{stream:?}");
    let lines = stream.replace("\r\n", "\n").replace('\r', "\n");
    let mut messages = Vec::new();
    let mut data = Vec::new();
    for line in lines.split_terminator('\n') {
        match line.split_once(':') {
            Some(("", _)) => (),
            Some(("data", value)) => data.push(value.strip_prefix(' ').unwrap_or(value)),
            None if line.is_empty() => {
                messages.push(serde_json::from_str(&data.join("\n")).unwrap());
                data.clear();
            }
            Some(_) | None => panic!("{line:?} in {stream:?}"),
        }
    }
    assert!(data.is_empty(), "{stream:?}");
    messages
}

#[tokio::test]
async fn any_text_arrives_unchanged() {
    let service = http::service();
    let mut dice = Dice::new();
    for round in 0..ROUNDS {
        let text: String = (0..dice.roll(12)).map(|_| *dice.of(BITS)).collect();
        let params =
            json!({"name": "say", "arguments": {"text": text}, "_meta": {"progressToken": text}});
        let call = json!({"jsonrpc": "2.0", "id": text, "method": "tools/call", "params": params});
        let call = messages::of(Revision::V2026_07_28, call).to_string();
        let request = Request::post("/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "say")
            .body(Body::from(bytes::Bytes::from(call)))
            .unwrap();
        let answer = service.answer(request).await;
        let what = format!("seed {SEED:#x}, round {round}: {text:?}");
        assert_eq!(
            answer.headers()["content-type"],
            "text/event-stream",
            "{what}"
        );
        let said = read(&bytes(answer).await);
        assert_eq!(said.len(), 3, "{what}");
        for progress in &said[..2] {
            assert_eq!(progress["params"]["message"], text, "{what}");
            assert_eq!(progress["params"]["progressToken"], text, "{what}");
        }
        assert_eq!(said[2]["id"], text, "{what}");
        assert_eq!(said[2]["result"]["content"][0]["text"], text, "{what}");
    }
}
