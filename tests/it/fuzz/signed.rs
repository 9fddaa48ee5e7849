//! Cursors and request state are accepted as they were issued, and refused with any change.

use mcp_protocol::{
    Revision,
    jsonrpc::{self, Message, MessageOrBatch, Request},
};
use mcp_server::{RequestContext, Server};
use serde_json::{Value, json};

use super::{Dice, SEED, messages, mutate, site};

const ROUNDS: usize = 2_000;

async fn ask(server: &Server, method: &str, params: Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let message = messages::of(Revision::V2026_07_28, message).to_string();
    let Ok(MessageOrBatch::Single(Message::Request(request))) = jsonrpc::parse(message.as_bytes())
    else {
        panic!("not a request: {message}");
    };
    let request: Request = request;
    let cx = RequestContext::default();
    let response = server.handle(Revision::V2026_07_28, request, &cx).await;
    serde_json::from_slice(&response.to_vec()).unwrap()
}

/// Returns a text as it was issued, and then with random changes.
async fn check(method: &str, given: &str, taken: &str, params: Value) {
    let server = site::server();
    let first = ask(&server, method, params.clone()).await;
    let given = first["result"][given].as_str().unwrap().to_owned();
    let back = |text: &str| {
        let mut params = params.clone();
        params[taken] = text.into();
        params
    };
    assert!(ask(&server, method, back(&given)).await["result"].is_object());
    let mut dice = Dice::new();
    for round in 0..ROUNDS {
        let mut changed = given.clone().into_bytes();
        mutate(&mut dice, &mut changed);
        let Ok(changed) = String::from_utf8(changed) else {
            continue;
        };
        if changed == given {
            continue;
        }
        let answer = ask(&server, method, back(&changed)).await;
        let what = format!("seed {SEED:#x}, round {round}: {changed:?}");
        assert_eq!(answer["error"]["code"], -32602, "{what}: {answer}");
    }
    assert!(ask(&server, method, back(&given)).await["result"].is_object());
}

#[tokio::test]
async fn a_changed_cursor_is_refused() {
    check("tools/list", "nextCursor", "cursor", json!({})).await;
    check("resources/list", "nextCursor", "cursor", json!({})).await;
}

#[tokio::test]
async fn a_changed_request_state_is_refused() {
    check(
        "tools/call",
        "requestState",
        "requestState",
        json!({"name": "ask"}),
    )
    .await;
}
