//! The headers of a request (2026-07-28 `basic/transports/streamable-http`, "Request Metadata").

use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use mcp_protocol::{
    Method, Object,
    transport::{HeaderParameter, header},
};
use serde_json::Value;

use crate::conversation::Conversation;

/// The header with the revision.
pub(crate) const VERSION: HeaderName = HeaderName::from_static(header::PROTOCOL_VERSION);
const METHOD: HeaderName = HeaderName::from_static(header::METHOD);
const NAME: HeaderName = HeaderName::from_static(header::NAME);

/// The MCP headers of a request.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    pub(crate) map: HeaderMap,
    /// Whether the request is `initialize`, which has neither a session nor a revision yet.
    pub(crate) is_initialize: bool,
}

impl Headers {
    /// Creates the headers of a request. With a handshake there are none.
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
        let field = known.and_then(header::name_field);
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
        let text = arguments.and_then(|arguments| parameter.unencoded_text(arguments));
        if let (Some(text), Ok(name)) = (text, HeaderName::try_from(parameter.header_name())) {
            self.add(name, &text);
        }
    }

    fn add(&mut self, name: HeaderName, text: &str) {
        if let Ok(value) = HeaderValue::from_str(&header::encode(text)) {
            self.map.insert(name, value);
        }
    }
}
