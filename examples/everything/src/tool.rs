//! How the tools of this example are described: in one line.

use mcp_protocol::{Tool, ToolAnnotations};
use serde_json::{Value, json};

/// A tool that takes nothing.
pub(crate) fn tool(name: &str, description: &str) -> Tool {
    with_schema(
        name,
        description,
        json!({"type": "object", "properties": {}, "additionalProperties": false}),
    )
}

/// A tool that takes one text, which it cannot do without.
pub(crate) fn with_text(name: &str, description: &str, parameter: &str) -> Tool {
    with_schema(
        name,
        description,
        json!({
            "type": "object",
            "properties": {parameter: {"type": "string"}},
            "required": [parameter],
            "additionalProperties": false,
        }),
    )
}

/// A tool with parameters.
pub(crate) fn with_schema(name: &str, description: &str, input_schema: Value) -> Tool {
    Tool::new(name, description, input_schema, ToolAnnotations::PURE)
}
