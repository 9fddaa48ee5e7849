//! The JSON-RPC error object, and the error codes of JSON-RPC and MCP.

use serde_json::{Value, json};

use crate::{
    Capability, Features, Object, Revision, ServerRequest,
    json::{put, put_some},
};

/// The text is not JSON (JSON-RPC 2.0 §5.1).
pub const PARSE_ERROR: i64 = -32700;
/// The JSON is not a valid request object.
pub const INVALID_REQUEST: i64 = -32600;
/// The method does not exist, or belongs to a capability that the server does not offer.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// Malformed params, an unknown tool, or a missing required field of `_meta`.
pub const INVALID_PARAMS: i64 = -32602;
/// An internal error of the server.
pub const INTERNAL_ERROR: i64 = -32603;
/// The resource does not exist (2024-11-05 to 2025-11-25; later revisions use [`INVALID_PARAMS`]).
pub(crate) const RESOURCE_NOT_FOUND: i64 = -32002;
/// An HTTP header is missing, malformed, or contradicts the body (2026-07-28).
pub const HEADER_MISMATCH: i64 = -32020;
/// The request needs a capability that the client did not declare (2026-07-28).
pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
/// The revision of a request is not supported (2026-07-28).
pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;

/// The user must open a URL before the server can complete the request (2025-11-25 only).
pub const URL_ELICITATION_REQUIRED: i64 = -32042;
/// The caller's grant lacks a scope. This code is specific to this crate and outside the range that JSON-RPC reserves.
/// Over HTTP, the response has the status of the same number (2026-07-28 `basic/authorization`, "Scope Challenge
/// Handling").
pub const INSUFFICIENT_SCOPE: i64 = 403;

/// The `error` field of a JSON-RPC response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({code})")]
#[non_exhaustive]
#[must_use]
pub struct ErrorObject {
    /// The error code: a constant of this module, or one that the server defines.
    pub code: i64,
    /// A message of one short sentence.
    pub message: String,
    /// Details for programs, if any.
    pub data: Option<Box<Value>>,
}

impl ErrorObject {
    /// Creates an error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// Sets the details for programs.
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(Box::new(data));
        self
    }

    /// Creates a -32600 error with a description of the problem in the message.
    pub fn invalid_request(what: impl std::fmt::Display) -> Self {
        Self::new(INVALID_REQUEST, format!("Invalid request: {what}"))
    }

    /// Creates a -32601 error that names the method.
    pub fn method_not_found(method: &str) -> Self {
        let shown: String = method.chars().take(100).collect();
        Self::new(METHOD_NOT_FOUND, format!("Method not found: {shown}"))
    }

    /// Creates a -32602 error with a description of the problem in the params.
    pub fn invalid_params(what: impl std::fmt::Display) -> Self {
        Self::new(INVALID_PARAMS, format!("Invalid params: {what}"))
    }

    /// Creates a -32603 error, without details of the cause.
    pub fn opaque_internal() -> Self {
        Self::new(INTERNAL_ERROR, "Internal error")
    }

    /// Creates a -32603 error: the server stopped before the request was finished.
    pub fn server_stopped() -> Self {
        let message = "The server stopped before this request was finished. Send it again when the server is back.";
        Self::new(INTERNAL_ERROR, message)
    }

    /// Creates a -32020 error with a description of the invalid header.
    pub fn header_mismatch(what: impl std::fmt::Display) -> Self {
        Self::new(HEADER_MISMATCH, format!("Header mismatch: {what}"))
    }

    /// Creates a -32022 error with `data.supported`, the list of all revisions, and `data.requested` (2026-07-28
    /// `basic/versioning`, "Protocol Version Negotiation"). If the requested revision needs a handshake, the list omits
    /// it, because the client would choose it again.
    pub fn unsupported_protocol_version(requested: &str) -> Self {
        let supported = match requested.parse::<Revision>() {
            Ok(_) => Revision::all_without_handshake()
                .map(Revision::name)
                .collect(),
            Err(_) => Revision::names(),
        };
        let requested: String = requested.chars().take(100).collect();
        let message = format!("Unsupported protocol version: {requested}");
        Self::new(UNSUPPORTED_PROTOCOL_VERSION, message)
            .with_data(json!({"supported": supported, "requested": requested}))
    }

    /// Creates an error with `data.uri` for a resource that does not exist. The code depends on the revision
    /// (`server/resources`).
    pub fn resource_not_found(uri: &str, rules: &Features) -> Self {
        Self::new(rules.resource_not_found, "Resource not found").with_data(json!({"uri": uri}))
    }

    /// Creates a -32021 error with `data.requiredCapabilities` (2026-07-28 `basic/index`, "Error Codes").
    pub fn missing_client_capability(capabilities: &[Capability]) -> Self {
        let names: Vec<_> = capabilities.iter().map(|it| it.name()).collect();
        let message = format!("The client did not declare {}", names.join(" and "));
        Self::new(MISSING_CLIENT_CAPABILITY, message)
            .with_data(json!({"requiredCapabilities": Capability::to_capabilities(capabilities)}))
    }

    /// Creates a -32042 error with `data.elicitations` (2025-11-25 `client/elicitation`, "URL Elicitation Required
    /// Error").
    pub fn url_elicitation_required(elicitations: &[ServerRequest], rules: &Features) -> Self {
        let elicitations = elicitations.iter().map(|it| Value::from(it.params(rules)));
        let message = "This request cannot be answered before the user has opened a URL";
        Self::new(URL_ELICITATION_REQUIRED, message)
            .with_data(json!({"elicitations": elicitations.collect::<Vec<_>>()}))
    }

    /// Creates an [`INSUFFICIENT_SCOPE`] error with `data.requiredScopes`, the complete list of scopes that the request
    /// needs.
    pub fn insufficient_scope(required: &[String]) -> Self {
        let message = format!(
            "Insufficient scope: this request needs access with the scope {}",
            required.join(" and ")
        );
        Self::new(INSUFFICIENT_SCOPE, message).with_data(json!({"requiredScopes": required}))
    }

    /// Returns the scopes in an [`INSUFFICIENT_SCOPE`] error.
    #[must_use]
    pub fn required_scopes(&self) -> Vec<String> {
        let scopes = self
            .data
            .as_ref()
            .filter(|_| self.code == INSUFFICIENT_SCOPE);
        let scopes = scopes.and_then(|it| it.get("requiredScopes")?.as_array());
        let scopes = scopes.into_iter().flatten().filter_map(Value::as_str);
        scopes.map(str::to_owned).collect()
    }

    /// Reads the `error` field of a response. Missing or mistyped fields get defaults.
    pub fn read(value: &Value) -> Self {
        let message = value.get("message").and_then(Value::as_str);
        Self {
            code: value
                .get("code")
                .and_then(Value::as_i64)
                .unwrap_or(INTERNAL_ERROR),
            message: message.unwrap_or("no message").to_owned(),
            data: value.get("data").cloned().map(Box::new),
        }
    }

    /// Returns the wire form.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut object = Object::new();
        put(&mut object, "code", self.code);
        put(&mut object, "message", self.message.as_str());
        put_some(&mut object, "data", self.data.as_deref().cloned());
        Value::Object(object)
    }
}
