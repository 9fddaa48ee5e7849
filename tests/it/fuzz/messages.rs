//! Messages as correct clients send them, to begin with.

use mcp_protocol::{Revision, lifecycle};
use serde_json::{Value, json};

/// Requests and notifications of all features, in the form of a revision.
pub(crate) fn all(revision: Revision) -> Vec<Value> {
    let progress = json!({"progressToken": "p"});
    let say = json!({"text": "a\nb\u{2028}"});
    let mut messages = Vec::new();
    for (method, params) in [
        ("ping", json!({})),
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("tools/list", json!({"cursor": "AAAA"})),
        (
            "tools/call",
            json!({"name": "echo", "arguments": {"a": [1, {"b": "ä"}]}}),
        ),
        (
            "tools/call",
            json!({"name": "say", "arguments": say, "_meta": progress}),
        ),
        (
            "tools/call",
            json!({"name": "route", "arguments": {"text": "Hello"}}),
        ),
        ("tools/call", json!({"name": "ask", "arguments": {}})),
        ("tools/call", json!({"name": "no_such_tool"})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "test://1"})),
        ("resources/subscribe", json!({"uri": "test://1"})),
        ("prompts/list", json!({})),
        ("logging/setLevel", json!({"level": "debug"})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "x"},
            "argument": {"name": "a", "value": "b"}}),
        ),
    ] {
        let id = match messages.len() % 2 {
            0 => json!(messages.len()),
            _ => json!(format!("id {}", messages.len())),
        };
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        messages.push(of(revision, message));
    }
    if revision.has_handshake() {
        let client = json!({"name": "test", "version": "0"});
        let params =
            json!({"protocolVersion": revision.name(), "capabilities": {}, "clientInfo": client});
        messages
            .push(json!({"jsonrpc": "2.0", "id": -1, "method": "initialize", "params": params}));
        messages.push(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        messages.push(json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
        messages.push(json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}}));
        let batch: Vec<Value> = messages.iter().take(3).cloned().collect();
        messages.push(Value::Array(batch));
    }
    messages.push(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 999}}));
    messages
}

/// The message as a client of this revision writes it.
pub(crate) fn of(revision: Revision, mut message: Value) -> Value {
    if !revision.has_handshake() {
        let meta = &mut message["params"]["_meta"];
        meta[lifecycle::PROTOCOL_VERSION] = revision.name().into();
        meta[lifecycle::CLIENT_CAPABILITIES] = json!({"elicitation": {}});
    }
    message
}
