//! Messages as clients of each revision write them.

use mcp_protocol::{
    Revision,
    lifecycle::{CLIENT_CAPABILITIES, PROTOCOL_VERSION},
};
use serde_json::{Value, json};

/// A request. Where it asks for progress, its id is the token.
pub(crate) fn request(revision: Revision, id: u64, method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_some() {
        params["_meta"] = json!({ "progressToken": id });
    }
    if !revision.has_handshake() {
        params["_meta"][PROTOCOL_VERSION] = revision.name().into();
        params["_meta"][CLIENT_CAPABILITIES] = json!({});
    }
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The notification that an answer is not wanted any more.
pub(crate) fn cancelled(revision: Revision, id: u64) -> Value {
    let mut params = json!({ "requestId": id });
    if !revision.has_handshake() {
        params["_meta"] = json!({ PROTOCOL_VERSION: revision.name(), CLIENT_CAPABILITIES: {} });
    }
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
}
