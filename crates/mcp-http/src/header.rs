//! Single-value headers, and the validation of the headers that MCP defines.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::{HeaderMap, header::HeaderName};
use mcp_protocol::{ErrorObject, Object, Request, Revision};
use mcp_server::{HeaderParameter, Server};
use serde_json::Value;

/// The protocol version a client uses (2025-06-18 `basic/transports`).
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The method of the request in the body (2026-07-28 `basic/transports/streamable-http`).
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
/// The tool, prompt or resource that the request in the body names (same page).
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The methods that require `Mcp-Name`, each with the member of its params that holds the name (same page).
const NAMED_BY: [(&str, &str); 3] = [
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
];

/// Around the Base64 of a value's UTF-8, where a header cannot carry the value as it is (same page).
const ENCODED: (&[u8], &[u8]) = (b"=?base64?", b"?=");

/// A header that must not be repeated is given more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DuplicateHeader;

/// Returns the only value of a header, without surrounding white space.
///
/// # Errors
/// Fails if the header is given more than once.
pub(crate) fn single_value<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a [u8]>, DuplicateHeader> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    match values.next() {
        None => Ok(first.map(|value| value.as_bytes().trim_ascii())),
        Some(_) => Err(DuplicateHeader),
    }
}

/// Returns the revision in the version header; `None` without the header.
///
/// # Errors
/// Fails with -32022 for an unsupported version, and with -32600 for a repeated header.
pub(crate) fn revision(headers: &HeaderMap) -> Result<Option<Revision>, ErrorObject> {
    let value = single_value(headers, &PROTOCOL_VERSION).map_err(|DuplicateHeader| {
        ErrorObject::invalid_request("MCP-Protocol-Version is given more than once")
    })?;
    let Some(value) = value else { return Ok(None) };
    let name = String::from_utf8_lossy(value);
    match Revision::parse(&name) {
        Some(revision) => Ok(Some(revision)),
        None => Err(ErrorObject::unsupported_protocol_version(&name)),
    }
}

/// Checks that the version header equals the version in `_meta`.
///
/// # Errors
/// Fails with -32020 if it differs or is missing.
pub(crate) fn validate_revision(headers: &HeaderMap, named: &str) -> Result<(), ErrorObject> {
    let value = required(headers, &PROTOCOL_VERSION, "MCP-Protocol-Version")?;
    match value == named.as_bytes() {
        true => Ok(()),
        false => Err(differs("MCP-Protocol-Version", value, "_meta")),
    }
}

/// Checks that `Mcp-Method` and `Mcp-Name` match the request.
///
/// # Errors
/// Fails with -32020 if one differs or is missing.
pub(crate) fn validate_request(headers: &HeaderMap, request: &Request) -> Result<(), ErrorObject> {
    let method = required(headers, &METHOD, "Mcp-Method")?;
    if method != request.method.as_bytes() {
        return Err(differs("Mcp-Method", method, "the method"));
    }
    let named_by = NAMED_BY
        .into_iter()
        .find(|(method, _)| *method == request.method);
    let Some((_, member)) = named_by else {
        return Ok(());
    };
    let name = request.params.as_ref().and_then(|it| it.get(member));
    validate_name(headers, name, member)
}

fn validate_name(
    headers: &HeaderMap,
    name: Option<&Value>,
    member: &str,
) -> Result<(), ErrorObject> {
    let value = match name {
        // The server reports the missing name.
        None if !headers.contains_key(NAME) => return Ok(()),
        None | Some(_) => required(headers, &NAME, "Mcp-Name")?,
    };
    let decoded = decode(value, "Mcp-Name")?;
    match name.and_then(Value::as_str) {
        Some(name) if name.as_bytes() == &*decoded => Ok(()),
        Some(_) | None => Err(differs("Mcp-Name", value, format_args!("params.{member}"))),
    }
}

/// Checks that the arguments which the tool declares as headers match these headers
/// (2026-07-28 `basic/transports/streamable-http`, "Server Validation").
///
/// # Errors
/// Fails with -32020 if a header differs, is missing, or has no argument.
pub(crate) fn validate_parameters(
    headers: &HeaderMap,
    request: &Request,
    server: &Server,
) -> Result<(), ErrorObject> {
    let params = request.params.as_ref();
    let tool = params.and_then(|it| it.get("name")).and_then(Value::as_str);
    let Some(parameters) = tool.and_then(|tool| server.header_parameters(tool)) else {
        return Ok(());
    };
    let empty = Object::new();
    let arguments = params.and_then(|it| it.get("arguments"));
    let arguments = arguments.and_then(Value::as_object).unwrap_or(&empty);
    for parameter in parameters.iter() {
        validate_parameter(headers, parameter, arguments)?;
    }
    Ok(())
}

fn validate_parameter(
    headers: &HeaderMap,
    parameter: &HeaderParameter,
    arguments: &Object,
) -> Result<(), ErrorObject> {
    let shown = format!("Mcp-Param-{}", parameter.name);
    // A declared name is a token (RFC 9110 §5.6.2), so this does not fail.
    let Ok(name) = HeaderName::try_from(shown.as_str()) else {
        return Ok(());
    };
    let Some(expected) = parameter.value(arguments) else {
        return match headers.contains_key(&name) {
            true => Err(ErrorObject::header_mismatch(format_args!(
                "{shown} is given, but its argument is missing"
            ))),
            false => Ok(()),
        };
    };
    let value = required(headers, &name, &shown)?;
    let decoded = decode(value, &shown)?;
    match std::str::from_utf8(&decoded) {
        Ok(decoded) if HeaderParameter::matches(decoded, expected) => Ok(()),
        Ok(_) | Err(_) => Err(differs(&shown, value, "the argument")),
    }
}

/// Decodes a value that may be Base64-encoded.
fn decode<'a>(value: &'a [u8], shown: &str) -> Result<Cow<'a, [u8]>, ErrorObject> {
    let encoded = value
        .strip_prefix(ENCODED.0)
        .and_then(|it| it.strip_suffix(ENCODED.1));
    let Some(text) = encoded else {
        return Ok(Cow::Borrowed(value));
    };
    let invalid = || ErrorObject::header_mismatch(format_args!("{shown} is not valid Base64"));
    let text = std::str::from_utf8(text).map_err(|_| invalid())?;
    STANDARD.decode(text).map(Cow::Owned).map_err(|_| invalid())
}

fn required<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
    shown: &str,
) -> Result<&'a [u8], ErrorObject> {
    match single_value(headers, name) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => Err(ErrorObject::header_mismatch(format_args!(
            "{shown} is missing"
        ))),
        Err(DuplicateHeader) => Err(ErrorObject::header_mismatch(format_args!(
            "{shown} is given more than once"
        ))),
    }
}

fn differs(shown: &str, value: &[u8], from: impl std::fmt::Display) -> ErrorObject {
    let value = String::from_utf8_lossy(value);
    let value: String = value.chars().take(100).collect();
    ErrorObject::header_mismatch(format_args!(
        "{shown} is {value:?}, which does not match {from}"
    ))
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn a_value_is_given_once_and_trimmed() {
        let mut headers = HeaderMap::new();
        assert_eq!(single_value(&headers, &NAME), Ok(None));
        headers.append(NAME, HeaderValue::from_static(" \ta b\t "));
        assert_eq!(single_value(&headers, &NAME), Ok(Some(b"a b".as_slice())));
        headers.append(NAME, HeaderValue::from_static("a b"));
        assert_eq!(single_value(&headers, &NAME), Err(DuplicateHeader));
    }
}
