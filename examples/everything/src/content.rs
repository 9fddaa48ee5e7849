//! Tools that answer at once, each with another kind of content.

use mcp_protocol::{CallToolResult, ContentBlock, Object, content::ResourceContents};
use mcp_server::ToolRouter;
use serde_json::{Value, json};

use crate::tool::{Pure, with_schema};

/// One red pixel, as PNG in Base64.
pub(crate) const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// No sound at all, as WAV in Base64.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// Adds them.
pub(crate) fn add_to(tools: ToolRouter) -> ToolRouter {
    tools
        .pure(
            "test_simple_text",
            "Says something.",
            async || "This is a simple text response for testing.",
        )
        .pure("test_image_content", "Shows a picture.", async || {
            ContentBlock::image_base64(PNG, "image/png")
        })
        .pure("test_audio_content", "Plays a sound.", async || {
            ContentBlock::audio_base64(WAV, "audio/wav")
        })
        .pure(
            "test_embedded_resource",
            "Hands out a resource.",
            async || {
                let text = "This is an embedded resource content.";
                embedded("test://embedded-resource", "text/plain", text)
            },
        )
        .pure(
            "test_multiple_content_types",
            "Hands out one of each.",
            mixed,
        )
        .pure("test_error_handling", "Fails.", async || {
            Err::<String, _>("This tool intentionally returns an error for testing")
        })
        .raw_tool(conditional(), |arguments| async move {
            CallToolResult::structured(arguments.into())
        })
        .raw_tool(routed(), |arguments| async move { echo_region(&arguments) })
        .raw_tool(squares(), |arguments| async move { square(&arguments) })
}

/// A resource with its contents.
pub(crate) fn embedded(uri: &str, mime_type: &str, text: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::text(uri, text).with_mime_type(mime_type))
}

async fn mixed() -> Vec<ContentBlock> {
    vec![
        ContentBlock::text("Multiple content types test:"),
        ContentBlock::image_base64(PNG, "image/png"),
        embedded(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#,
        ),
    ]
}

/// A schema may use all of JSON Schema 2020-12, and is published as it is.
fn conditional() -> mcp_protocol::Tool {
    with_schema(
        "json_schema_2020_12_tool",
        "Takes a person who can be reached.",
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {"address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }},
            "properties": {
                "name": {"type": "string"},
                "address": {"$ref": "#/$defs/address"},
                "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                "phone": {"type": "string"},
                "email": {"type": "string"},
            },
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
            "if": {
                "properties": {"contactMethod": {"const": "phone"}},
                "required": ["contactMethod"],
            },
            "then": {"required": ["phone"]},
            "else": {"required": ["email"]},
            "additionalProperties": false,
        }),
    )
}

/// A parameter that clients repeat in a header, so that a proxy can route by it.
fn routed() -> mcp_protocol::Tool {
    with_schema(
        "test_custom_header",
        "Answers from a region.",
        json!({
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
            "required": ["region"],
            "additionalProperties": false,
        }),
    )
}

fn echo_region(arguments: &Object) -> CallToolResult {
    match arguments.get("region").and_then(Value::as_str) {
        Some(region) => CallToolResult::text(format!("Answered from {region}.")),
        None => CallToolResult::error("region must be a text. Name a region."),
    }
}

/// Structured content other than an object, which is wrapped where a revision requires one.
fn squares() -> mcp_protocol::Tool {
    let mut tool = with_schema(
        "squares",
        "Lists the first square numbers.",
        json!({
            "type": "object",
            "properties": {"count": {"type": "integer", "minimum": 0, "maximum": 100}},
            "required": ["count"],
            "additionalProperties": false,
        }),
    );
    tool.output_schema = Some(json!({"type": "array", "items": {"type": "integer"}}));
    tool
}

fn square(arguments: &Object) -> CallToolResult {
    match arguments.get("count").and_then(Value::as_u64) {
        Some(count @ 0..=100) => CallToolResult::structured((0..count).map(|n| n * n).collect()),
        Some(_) | None => CallToolResult::error("count must be an integer from 0 to 100."),
    }
}
