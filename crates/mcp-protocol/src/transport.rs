//! The rules of transports, which authors of tools and clients do not need: the revision of a message, the ID of an
//! unreadable message, HTTP headers, and event streams.

pub mod header;
mod header_parameter;
pub mod sse;

use serde_json::Value;

pub use self::header_parameter::HeaderParameter;
pub use crate::jsonrpc::scanner::RequestIdScanner;
use crate::{
    ErrorObject, LogLevel, Object, Request, Revision,
    lifecycle::{CLIENT_CAPABILITIES, LOG_LEVEL, PROTOCOL_VERSION},
};

/// Returns whether the params name a revision. The message then belongs to the per-request lifecycle, whatever its
/// method (2026-07-28 `basic/versioning`, end).
#[must_use]
pub fn has_revision_in_meta(params: Option<&Object>) -> bool {
    meta(params).is_some_and(|meta| meta.contains_key(PROTOCOL_VERSION))
}

/// Returns the name of the revision in `_meta`, known or not.
///
/// # Errors
/// Returns a -32602 error if a required field is missing or mistyped, and names the field (2026-07-28 `basic/index`,
/// "Per-request protocol fields"). Also returns one for a log level that a served revision does not define
/// (`server/utilities/logging`, "Error Handling").
pub fn revision_name_in_meta(params: Option<&Object>) -> Result<&str, ErrorObject> {
    let meta = meta(params).ok_or_else(|| missing(PROTOCOL_VERSION, "a string"))?;
    let version = meta
        .get(PROTOCOL_VERSION)
        .and_then(Value::as_str)
        .ok_or_else(|| missing(PROTOCOL_VERSION, "a string"))?;
    if !meta.get(CLIENT_CAPABILITIES).is_some_and(Value::is_object) {
        return Err(missing(CLIENT_CAPABILITIES, "an object"));
    }
    let level = meta
        .get(LOG_LEVEL)
        .filter(|_| per_request_revision(version).is_ok());
    let is_level = |it: &Value| it.as_str().and_then(LogLevel::parse).is_some();
    if level.is_none_or(is_level) {
        Ok(version)
    } else {
        Err(ErrorObject::invalid_params(format_args!(
            "{LOG_LEVEL} must be one of {}",
            LogLevel::ALL.map(LogLevel::name).join(", ")
        )))
    }
}

/// Returns the revision with this name in `_meta`.
///
/// # Errors
/// Returns a -32022 error if the revision is unknown or needs a handshake.
pub fn per_request_revision(name: &str) -> Result<Revision, ErrorObject> {
    Revision::all_without_handshake()
        .find(|it| it.name() == name)
        .ok_or_else(|| ErrorObject::unsupported_protocol_version(name))
}

/// Returns the revision to negotiate for an `initialize` request.
///
/// # Errors
/// Returns a -32602 error if the request does not name a revision.
pub fn negotiate_revision(initialize: &Request) -> Result<Revision, ErrorObject> {
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
    ErrorObject::invalid_params(format_args!("_meta must contain {key} ({kind})"))
}
