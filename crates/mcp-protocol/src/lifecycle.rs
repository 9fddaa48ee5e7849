//! Which revision a message is to be read as: the parts of the answer that no transport changes.

use serde_json::Value;

use crate::{Object, error::ErrorObject, jsonrpc::Request, revision::Revision};

/// `_meta` key: the revision a request is written in.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// `_meta` key: what the client can do.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// `_meta` key of results: who answered.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// `_meta` key of notifications and the result of `subscriptions/listen`: which subscription it is of.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// Whether the params name a revision of their own, which makes the message one of the per-request
/// lifecycle whatever its method is (2026-07-28 `basic/versioning`, end).
#[must_use]
pub fn names_revision(params: Option<&Object>) -> bool {
    meta(params).is_some_and(|meta| meta.contains_key(PROTOCOL_VERSION))
}

/// The revision named in `_meta`, as text; both required members must be there.
///
/// Errors with -32602, which names the missing or mistyped member
/// (2026-07-28 `basic/index`, "Per-request protocol fields").
pub fn named_revision(params: Option<&Object>) -> Result<&str, ErrorObject> {
    let meta = meta(params).ok_or_else(|| missing(PROTOCOL_VERSION, "a string"))?;
    let version = meta
        .get(PROTOCOL_VERSION)
        .and_then(Value::as_str)
        .ok_or_else(|| missing(PROTOCOL_VERSION, "a string"))?;
    if !meta.get(CLIENT_CAPABILITIES).is_some_and(Value::is_object) {
        return Err(missing(CLIENT_CAPABILITIES, "an object"));
    }
    Ok(version)
}

/// The revision behind a name in `_meta`; -32022 for one that is unknown, or that needs a handshake.
pub fn served_revision(name: &str) -> Result<Revision, ErrorObject> {
    Revision::per_request()
        .find(|it| it.name() == name)
        .ok_or_else(|| ErrorObject::unsupported_protocol_version(name))
}

/// The revision that an `initialize` request leads to; -32602 if it does not say which it asks for.
pub fn negotiated_revision(initialize: &Request) -> Result<Revision, ErrorObject> {
    initialize
        .params
        .as_ref()
        .and_then(|params| params.get("protocolVersion"))
        .and_then(Value::as_str)
        .map(Revision::negotiate)
        .ok_or_else(|| ErrorObject::invalid_params("protocolVersion must be a string"))
}

fn meta(params: Option<&Object>) -> Option<&Object> {
    params?.get("_meta")?.as_object()
}

fn missing(key: &str, kind: &str) -> ErrorObject {
    ErrorObject::invalid_params(format_args!("_meta must hold {key} ({kind})"))
}
