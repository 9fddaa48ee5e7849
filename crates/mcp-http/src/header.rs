//! Reading single header values, and the headers of the protocol itself.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::{HeaderMap, header::HeaderName};
use mcp_protocol::{ErrorObject, Object, Request, Revision};
use mcp_server::{HeaderParameter, Server};
use serde_json::Value;

/// The revision a client speaks (2025-06-18 `basic/transports`).
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The method of the request in the body (2026-07-28 `basic/transports/streamable-http`).
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
/// What the request in the body asks for by name (same page).
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Where a method that `Mcp-Name` is required for keeps the name in its params (same page).
const NAMED_BY: [(&str, &str); 3] = [
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
];

/// How a name that no header can carry is written: Base64 of its UTF-8 between these (same page).
const ENCODED: (&[u8], &[u8]) = (b"=?base64?", b"?=");

/// A header that may stand only once stands twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeated;

/// The only value of a header, without the white space around it.
pub(crate) fn single<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a [u8]>, Repeated> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    match values.next() {
        None => Ok(first.map(|value| value.as_bytes().trim_ascii())),
        Some(_) => Err(Repeated),
    }
}

/// Whether a revision is named at all.
pub(crate) fn has_revision(headers: &HeaderMap) -> bool {
    headers.contains_key(PROTOCOL_VERSION)
}

/// The revision in the header of a message that names none itself; `None` without the header.
///
/// Errors with -32022 for a revision there is not, -32600 for a repeated header.
pub(crate) fn revision(headers: &HeaderMap) -> Result<Option<Revision>, ErrorObject> {
    let value = single(headers, &PROTOCOL_VERSION)
        .map_err(|Repeated| ErrorObject::invalid_request("MCP-Protocol-Version stands twice"))?;
    let Some(value) = value else { return Ok(None) };
    let name = String::from_utf8_lossy(value);
    match Revision::parse(&name) {
        Some(revision) => Ok(Some(revision)),
        None => Err(ErrorObject::unsupported_protocol_version(&name)),
    }
}

/// Whether the version header says what `_meta` says; -32020 if not.
pub(crate) fn agree_on_revision(headers: &HeaderMap, named: &str) -> Result<(), ErrorObject> {
    let value = required(headers, &PROTOCOL_VERSION, "MCP-Protocol-Version")?;
    match value == named.as_bytes() {
        true => Ok(()),
        false => Err(differs("MCP-Protocol-Version", value, "_meta")),
    }
}

/// Whether the routing headers say what the request says; -32020 if not.
pub(crate) fn agree_on_request(headers: &HeaderMap, request: &Request) -> Result<(), ErrorObject> {
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
    agree_on_name(headers, name, member)
}

fn agree_on_name(
    headers: &HeaderMap,
    name: Option<&Value>,
    member: &str,
) -> Result<(), ErrorObject> {
    let value = match name {
        // Nothing to agree with: that the request lacks its name is for the server to say.
        None if !headers.contains_key(NAME) => return Ok(()),
        None | Some(_) => required(headers, &NAME, "Mcp-Name")?,
    };
    let said = decoded(value, "Mcp-Name")?;
    match name.and_then(Value::as_str) {
        Some(name) if name.as_bytes() == &*said => Ok(()),
        Some(_) | None => Err(differs("Mcp-Name", value, format_args!("params.{member}"))),
    }
}

/// Whether the headers repeat the parameters that the tool wants repeated; -32020 if not
/// (2026-07-28 `basic/transports/streamable-http`, "Server Validation").
pub(crate) fn agree_on_parameters(
    headers: &HeaderMap,
    request: &Request,
    server: &Server,
) -> Result<(), ErrorObject> {
    let params = request.params.as_ref();
    let tool = params.and_then(|it| it.get("name")).and_then(Value::as_str);
    let Some(parameters) = tool.and_then(|tool| server.header_parameters(tool)) else {
        return Ok(());
    };
    let nothing = Object::new();
    let arguments = params.and_then(|it| it.get("arguments"));
    let arguments = arguments.and_then(Value::as_object).unwrap_or(&nothing);
    for parameter in parameters.iter() {
        agree_on_parameter(headers, parameter, arguments)?;
    }
    Ok(())
}

fn agree_on_parameter(
    headers: &HeaderMap,
    parameter: &HeaderParameter,
    arguments: &Object,
) -> Result<(), ErrorObject> {
    let shown = format!("Mcp-Param-{}", parameter.name);
    // A declared name is a token, and as such a header name.
    let Ok(name) = HeaderName::try_from(shown.as_str()) else {
        return Ok(());
    };
    let Some(expected) = parameter.value(arguments) else {
        return match headers.contains_key(&name) {
            true => Err(ErrorObject::header_mismatch(format_args!(
                "{shown} stands for an argument that is not there"
            ))),
            false => Ok(()),
        };
    };
    let value = required(headers, &name, &shown)?;
    let said = decoded(value, &shown)?;
    match std::str::from_utf8(&said) {
        Ok(said) if HeaderParameter::says(said, expected) => Ok(()),
        Ok(_) | Err(_) => Err(differs(&shown, value, "the argument")),
    }
}

/// What a value says that may be encoded.
fn decoded<'a>(value: &'a [u8], shown: &str) -> Result<Cow<'a, [u8]>, ErrorObject> {
    let Some(text) = encoded(value) else {
        return Ok(Cow::Borrowed(value));
    };
    let invalid = || ErrorObject::header_mismatch(format_args!("{shown} is not valid Base64"));
    let text = std::str::from_utf8(text).map_err(|_| invalid())?;
    STANDARD.decode(text).map(Cow::Owned).map_err(|_| invalid())
}

fn encoded(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(ENCODED.0)?.strip_suffix(ENCODED.1)
}

fn required<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
    shown: &str,
) -> Result<&'a [u8], ErrorObject> {
    match single(headers, name) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => Err(ErrorObject::header_mismatch(format_args!(
            "{shown} is missing"
        ))),
        Err(Repeated) => Err(ErrorObject::header_mismatch(format_args!(
            "{shown} stands twice"
        ))),
    }
}

fn differs(shown: &str, value: &[u8], from: impl std::fmt::Display) -> ErrorObject {
    let value = String::from_utf8_lossy(value);
    let value: String = value.chars().take(100).collect();
    ErrorObject::header_mismatch(format_args!("{shown} is {value:?}, which is not {from}"))
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn a_value_stands_once_and_without_the_white_space_around_it() {
        let mut headers = HeaderMap::new();
        assert_eq!(single(&headers, &NAME), Ok(None));
        headers.append(NAME, HeaderValue::from_static(" \ta b\t "));
        assert_eq!(single(&headers, &NAME), Ok(Some(b"a b".as_slice())));
        headers.append(NAME, HeaderValue::from_static("a b"));
        assert_eq!(single(&headers, &NAME), Err(Repeated));
    }
}
