//! Tools that ask clients of the handshake lifecycle, with the forms of 2025-11-25.

use mcp_protocol::ServerRequest;
use mcp_server::{
    CallContext, ToolRouter,
    tool_schema::{NoParams, params},
};
use serde_json::{Value, json};

use crate::{asking::Asked, tool::Pure};

params! {
    struct Prompt {
        /// What to ask the model.
        prompt: String,
    }
}

params! {
    struct Message {
        /// What to ask the user.
        message: String,
    }
}

/// Adds them.
pub(crate) fn add_to(tools: ToolRouter) -> ToolRouter {
    tools
        .pure(
            "test_sampling",
            "Asks the model what it is told to.",
            sample,
        )
        .pure(
            "test_elicitation",
            "Asks the user what it is told to.",
            elicit,
        )
        .pure(
            "test_elicitation_sep1034_defaults",
            "Asks with defaults.",
            async |_: NoParams, cx: &CallContext| {
                ask("Confirm or change the values", defaults(), cx).await
            },
        )
        .pure(
            "test_elicitation_sep1330_enums",
            "Asks to choose.",
            async |_: NoParams, cx: &CallContext| ask("Choose", choices(), cx).await,
        )
}

async fn sample(params: Prompt, cx: &CallContext) -> Asked {
    let question = ServerRequest::sample(params.prompt, 100);
    let answer = cx.ask("answer", question).await?;
    let said = answer.get("content").and_then(|it| it.get("text"));
    let said = said.and_then(Value::as_str).unwrap_or_default();
    Ok(format!("LLM response: {said}"))
}

async fn elicit(params: Message, cx: &CallContext) -> Asked {
    let schema = json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    });
    ask(&params.message, schema, cx).await
}

async fn ask(message: &str, schema: Value, cx: &CallContext) -> Asked {
    let answer = cx
        .ask("form", ServerRequest::elicit(message, schema))
        .await?;
    let action = answer
        .get("action")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let content = answer.get("content").cloned().unwrap_or_default();
    Ok(format!(
        "Elicitation completed: action={action}, content={content}"
    ))
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
