//! The rules of transports, which authors of tools and clients do not need: the revision that a message is written in, as far as the
//! message itself determines it, its id where it cannot be read, and over HTTP headers and event streams.

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

/// Whether the params name a revision, which makes the message one of the per-request lifecycle whatever its
/// method (2026-07-28 `basic/versioning`, end).
#[must_use]
pub fn has_revision_in_meta(params: Option<&Object>) -> bool {
    meta(params).is_some_and(|meta| meta.contains_key(PROTOCOL_VERSION))
}

/// The name of the revision in `_meta`, known or not.
///
/// # Errors
/// -32602, which names the required member that is missing or mistyped (2026-07-28 `basic/index`, "Per-request protocol
/// fields"), or a log level that a served revision does not have (`server/utilities/logging`, "Error Handling").
pub fn required_revision_name(params: Option<&Object>) -> Result<&str, ErrorObject> {
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
        .filter(|_| supported_revision(version).is_ok());
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

/// The revision with this name in `_meta`.
///
/// # Errors
/// -32022 for a revision that is unknown, or that needs a handshake.
pub fn supported_revision(name: &str) -> Result<Revision, ErrorObject> {
    Revision::per_request()
        .find(|it| it.name() == name)
        .ok_or_else(|| ErrorObject::unsupported_protocol_version(name))
}

/// The revision that answers an `initialize` request.
///
/// # Errors
/// -32602 if it does not name a revision.
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
