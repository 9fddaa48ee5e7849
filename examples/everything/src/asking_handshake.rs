//! Tools that ask clients of the handshake lifecycle, with the forms of 2025-11-25.

use mcp_protocol::{CallToolResult, ClientRequest, Object};
use mcp_server::{CallContext, ToolOutcome, ToolRouter};
use serde_json::{Value, json};

use crate::tool::{tool, with_text};

/// Adds them.
pub(crate) fn add_to(tools: ToolRouter) -> ToolRouter {
    tools
        .with_context(
            with_text(
                "test_sampling",
                "Asks the model what it is told to.",
                "prompt",
            ),
            |arguments, cx| Box::pin(sample(arguments, cx)),
        )
        .with_context(
            with_text(
                "test_elicitation",
                "Asks the user what it is told to.",
                "message",
            ),
            |arguments, cx| Box::pin(elicit(arguments, cx)),
        )
        .with_context(
            tool("test_elicitation_sep1034_defaults", "Asks with defaults."),
            |_, cx| Box::pin(ask("Confirm or change the values", defaults(), cx)),
        )
        .with_context(
            tool("test_elicitation_sep1330_enums", "Asks to choose."),
            |_, cx| Box::pin(ask("Choose", choices(), cx)),
        )
}

async fn sample(arguments: Object, cx: &CallContext) -> ToolOutcome {
    let prompt = arguments.get("prompt").and_then(Value::as_str);
    let Some(prompt) = prompt else {
        return Ok(CallToolResult::error("prompt must be a text."));
    };
    let answer = cx.ask("answer", ClientRequest::sample(prompt, 100)).await?;
    let said = answer.get("content").and_then(|it| it.get("text"));
    let said = said.and_then(Value::as_str).unwrap_or_default();
    Ok(CallToolResult::text(format!("LLM response: {said}")))
}

async fn elicit(arguments: Object, cx: &CallContext) -> ToolOutcome {
    let message = arguments.get("message").and_then(Value::as_str);
    let Some(message) = message else {
        return Ok(CallToolResult::error("message must be a text."));
    };
    let schema = json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    });
    ask(message, schema, cx).await
}

async fn ask(message: &str, schema: Value, cx: &CallContext) -> ToolOutcome {
    let answer = cx
        .ask("form", ClientRequest::elicit(message, schema))
        .await?;
    let action = answer
        .get("action")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let content = answer.get("content").cloned().unwrap_or_default();
    let said = format!("Elicitation completed: action={action}, content={content}");
    Ok(CallToolResult::text(said))
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": {"type": "boolean", "default": true},
        },
    })
}

fn choices() -> Value {
    let titled = |names: [&str; 3]| -> Value {
        let options = ["value1", "value2", "value3"].into_iter().zip(names);
        options
            .map(|(value, title)| json!({"const": value, "title": title}))
            .collect()
    };
    let options = json!(["option1", "option2", "option3"]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": options},
            "titledSingle": {
                "type": "string",
                "oneOf": titled(["First Option", "Second Option", "Third Option"]),
            },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {
                "type": "array",
                "items": {"type": "string", "enum": options},
            },
            "titledMulti": {
                "type": "array",
                "items": {"anyOf": titled(["First Choice", "Second Choice", "Third Choice"])},
            },
        },
    })
}
