//! Attributes of requests in spans and metrics, by OpenTelemetry's conventions for MCP servers.

use mcp_http::Parts;
use mcp_protocol::Revision;
use mcp_server::{Extensions, RequestOutcome};
use opentelemetry::KeyValue;

use crate::request_name::{NameKind, name_kind};

/// What a client named and no table has (OpenTelemetry, "Standard attributes").
pub(super) const OTHER: &str = "_OTHER";

/// The program in traces and metrics.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OtelServiceInfo {
    /// The service name, unless `OTEL_SERVICE_NAME` overrides it.
    pub name: &'static str,
    /// The version of the service.
    pub version: &'static str,
    /// The network transport of requests, `tcp` or `pipe`.
    pub transport: &'static str,
    /// Returns the program's tool with a name, so that clients cannot create attribute values.
    pub tool: fn(&str) -> Option<&'static str>,
}

impl OtelServiceInfo {
    /// Creates a program with these tools and the transport `tcp`.
    #[must_use]
    pub fn new(
        name: &'static str,
        version: &'static str,
        tool: fn(&str) -> Option<&'static str>,
    ) -> Self {
        Self {
            name,
            version,
            transport: "tcp",
            tool,
        }
    }

    /// Returns the name in a request, if it is that of a tool of the program.
    pub(super) fn known(&self, method: Option<&str>, name: &str) -> &'static str {
        let found = match method.and_then(name_kind) {
            Some(NameKind::Tool) | None => (self.tool)(name),
            Some(NameKind::Prompt) => None,
        };
        found.unwrap_or(OTHER)
    }
}

/// What the conventions have spans and metrics say of a request.
pub(super) fn attributes(
    program: &OtelServiceInfo,
    method: Option<&str>,
    name: Option<&str>,
    revision: Revision,
    extensions: &Extensions,
) -> Vec<KeyValue> {
    let mut attributes = vec![
        KeyValue::new("mcp.method.name", method.unwrap_or(OTHER).to_owned()),
        KeyValue::new("mcp.protocol.version", revision.name()),
        KeyValue::new("network.transport", program.transport),
    ];
    if let Some(name) = name.map(|name| program.known(method, name)) {
        match method.and_then(name_kind) {
            Some(NameKind::Prompt) => attributes.push(KeyValue::new("gen_ai.prompt.name", name)),
            Some(NameKind::Tool) | None => attributes.extend([
                KeyValue::new("gen_ai.tool.name", name),
                KeyValue::new("gen_ai.operation.name", "execute_tool"),
            ]),
        }
    }
    if extensions.get::<Parts>().is_some() {
        attributes.push(KeyValue::new("network.protocol.name", "http"));
    }
    attributes
}

/// What they say of one that failed; nothing of others.
pub(super) fn failure(outcome: RequestOutcome) -> Vec<KeyValue> {
    match outcome {
        RequestOutcome::Result | RequestOutcome::Cancelled => Vec::new(),
        RequestOutcome::ToolError => vec![KeyValue::new("error.type", "tool_error")],
        RequestOutcome::Refused => vec![KeyValue::new("error.type", "refused")],
        RequestOutcome::Error(code) => {
            let code = code.to_string();
            vec![
                KeyValue::new("rpc.response.status_code", code.clone()),
                KeyValue::new("error.type", code),
            ]
        }
        _ => vec![KeyValue::new("error.type", OTHER)],
    }
}

#[cfg(test)]
mod tests;
