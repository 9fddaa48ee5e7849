//! Reading the params of a request.

use std::fmt::Display;

use mcp_protocol::{ErrorObject, Object, lifecycle::CLIENT_CAPABILITIES};
use serde_json::Value;

/// Refuses a request for what its params are.
pub(crate) fn invalid<T>(what: impl Display) -> Result<T, ErrorObject> {
    Err(ErrorObject::invalid_params(what))
}

/// Of a cursor that is none of this server's, or not any more.
pub(crate) fn unknown_cursor() -> ErrorObject {
    ErrorObject::invalid_params("unknown or expired cursor, start again without one")
}

/// The URI of a resource.
pub(crate) fn uri(params: &mut Object) -> Result<String, ErrorObject> {
    match params.remove("uri") {
        Some(Value::String(uri)) => Ok(uri),
        Some(_) | None => invalid("uri must be a string"),
    }
}

/// What the client declares with the request that it can do.
pub(crate) fn capabilities(params: &Object) -> Option<&Object> {
    params.get("_meta")?.get(CLIENT_CAPABILITIES)?.as_object()
}
