//! Parsing of request params.

use std::fmt::Display;

use mcp_protocol::{ErrorObject, Object, lifecycle::CLIENT_CAPABILITIES};
use serde_json::Value;

/// Returns the error for invalid params.
pub(crate) fn invalid<T>(what: impl Display) -> Result<T, ErrorObject> {
    Err(ErrorObject::invalid_params(what))
}

/// Returns the error for an unknown or expired cursor.
pub(crate) fn unknown_cursor() -> ErrorObject {
    ErrorObject::invalid_params("unknown or expired cursor, start again without one")
}

/// Removes the URI of a resource from the params.
pub(crate) fn uri(params: &mut Object) -> Result<String, ErrorObject> {
    match params.remove("uri") {
        Some(Value::String(uri)) => Ok(uri),
        Some(_) | None => invalid("uri must be a string"),
    }
}

/// Returns the capabilities that the client declares with the request.
pub(crate) fn capabilities(params: &Object) -> Option<&Object> {
    params.get("_meta")?.get(CLIENT_CAPABILITIES)?.as_object()
}
