//! The headers of a request (2026-07-28 `basic/transports/streamable-http`, "Request Metadata").

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use mcp_protocol::{
    Method, Object,
    transport::{self, HeaderParameter},
};
use serde_json::Value;

use crate::conversation::Conversation;

/// The header with the revision.
pub(crate) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// What a request repeats in its headers.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    pub(crate) map: HeaderMap,
    /// It opens a session, and has no revision yet.
    pub(crate) is_initialize: bool,
}

impl Headers {
    /// Those of a request: none where there is a handshake.
    pub(crate) fn of(to: &Conversation, method: &str, params: &Object) -> Self {
        let mut headers = Self {
            map: HeaderMap::new(),
            is_initialize: method == Method::Initialize.as_str(),
        };
        if to.revision().has_handshake() {
            return headers;
        }
        headers.add(METHOD, method);
        let known = Method::parse(method);
        let field = known.and_then(transport::name_field);
        let named = field.and_then(|field| params.get(field));
        if let Some(name) = named.and_then(Value::as_str) {
            headers.add(NAME, name);
        }
        if known == Some(Method::ToolsCall) {
            let tool = named.and_then(Value::as_str).unwrap_or_default();
            let arguments = params.get("arguments").and_then(Value::as_object);
            let declared = to.header_parameters.lock();
            for parameter in declared.get(tool).into_iter().flatten() {
                headers.add_parameter(parameter, arguments);
            }
        }
        headers
    }

    fn add_parameter(&mut self, parameter: &HeaderParameter, arguments: Option<&Object>) {
        let name = HeaderName::try_from(format!("mcp-param-{}", parameter.name));
        let text = match arguments.and_then(|it| parameter.value(it)) {
            Some(Value::String(text)) => text.clone(),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => value.to_string(),
            Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => return,
        };
        if let Ok(name) = name {
            self.add(name, &text);
        }
    }

    fn add(&mut self, name: HeaderName, text: &str) {
        if let Ok(value) = HeaderValue::try_from(encoded(text)) {
            self.map.insert(name, value);
        }
    }
}

/// The text as it can stand in a header ("Value Encoding").
fn encoded(text: &str) -> String {
    let is_plain = text.bytes().all(|it| matches!(it, b' '..=b'~'));
    let is_trimmed = !text.starts_with(' ') && !text.ends_with(' ');
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    match is_plain && is_trimmed && !looks_encoded {
        true => text.to_owned(),
        false => format!("=?base64?{}?=", STANDARD.encode(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn what_a_header_cannot_have_is_encoded() {
        for (text, expect) in [
            ("", ""),
            ("us west 1", "us west 1"),
            ("a ", "=?base64?YSA=?="),
            ("\tx", "=?base64?CXg=?="),
            ("é", "=?base64?w6k=?="),
            ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
        ] {
            assert_eq!(encoded(text), expect, "{text:?}");
        }
    }
}
