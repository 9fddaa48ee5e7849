//! Tools that ask their client, as a straight line of code: the same tool serves clients that are asked
//! while it waits, and clients that bring their answers with the next request.

use mcp_protocol::{CallToolResult, Capability, ClientRequest, Object};
use mcp_server::{CallContext, ToolOutcome, ToolRouter};
use serde_json::{Value, json};

use crate::tool::tool;

/// Adds them.
pub(crate) fn add_to(tools: ToolRouter) -> ToolRouter {
    tools
        .with_context(
            tool("test_input_required_result_elicitation", "Greets by name."),
            |_, cx| Box::pin(greet(cx)),
        )
        .with_context(
            tool("test_input_required_result_sampling", "Asks the model."),
            |_, cx| Box::pin(ask_model(cx)),
        )
        .with_context(
            tool("test_input_required_result_list_roots", "Lists folders."),
            |_, cx| Box::pin(list_roots(cx)),
        )
        .with_context(
            tool("test_input_required_result_request_state", "Keeps a state."),
            |_, cx| Box::pin(with_state(cx)),
        )
        .with_context(
            tool(
                "test_input_required_result_tampered_state",
                "Keeps a state.",
            ),
            |_, cx| Box::pin(with_state(cx)),
        )
        .with_context(
            tool("test_input_required_result_multiple_inputs", "Asks a lot."),
            |_, cx| Box::pin(ask_all(cx)),
        )
        .with_context(
            tool("test_input_required_result_multi_round", "Asks twice."),
            |_, cx| Box::pin(ask_twice(cx)),
        )
        .with_context(
            tool(
                "test_input_required_result_capabilities",
                "Asks what can be answered.",
            ),
            |_, cx| Box::pin(ask_what_can_be_answered(cx)),
        )
        .with_context(
            tool("test_missing_capability", "Needs a client with a model."),
            |_, cx| Box::pin(need_model(cx)),
        )
        .with_context(
            tool(
                "test_streaming_elicitation",
                "Asks in the middle of its work.",
            ),
            |_, cx| Box::pin(greet(cx)),
        )
}

/// A form with one field.
pub(crate) fn form(message: &str, field: &str, kind: &str) -> ClientRequest {
    let schema = json!({
        "type": "object",
        "properties": {field: {"type": kind}},
        "required": [field],
    });
    ClientRequest::elicit(message, schema)
}

/// The user's input in a field; empty if there is none.
pub(crate) fn field<'a>(answer: &'a Object, name: &str) -> &'a str {
    let content = answer.get("content").and_then(|it| it.get(name));
    content.and_then(Value::as_str).unwrap_or_default()
}

async fn greet(cx: &CallContext) -> ToolOutcome {
    let question = form("What is your name?", "name", "string");
    let answer = cx.ask("user_name", question).await?;
    Ok(CallToolResult::text(format!(
        "Hello, {}!",
        field(&answer, "name")
    )))
}

async fn ask_model(cx: &CallContext) -> ToolOutcome {
    let question = ClientRequest::sample("What is the capital of France?", 100);
    let answer = cx.ask("capital_question", question).await?;
    let said = answer.get("content").and_then(|it| it.get("text"));
    Ok(CallToolResult::text(
        said.and_then(Value::as_str).unwrap_or("nothing"),
    ))
}

async fn list_roots(cx: &CallContext) -> ToolOutcome {
    let answer = cx.ask("client_roots", ClientRequest::ListRoots).await?;
    let roots = answer.get("roots").and_then(Value::as_array);
    let uris = roots
        .into_iter()
        .flatten()
        .filter_map(|it| it.get("uri")?.as_str());
    let uris: Vec<_> = uris.collect();
    Ok(CallToolResult::text(format!(
        "The client works in {}.",
        uris.join(", ")
    )))
}

async fn with_state(cx: &CallContext) -> ToolOutcome {
    let count = cx.state().and_then(|it| it.as_u64()).unwrap_or(0);
    cx.keep_state(json!(count + 1));
    cx.ask("confirm", form("Please confirm", "ok", "boolean"))
        .await?;
    Ok(CallToolResult::text("state-ok"))
}

async fn ask_all(cx: &CallContext) -> ToolOutcome {
    cx.keep_state(json!("asked all"));
    let questions = vec![
        (
            "user_name".to_owned(),
            form("What is your name?", "name", "string"),
        ),
        (
            "greeting".to_owned(),
            ClientRequest::sample("Generate a greeting", 50),
        ),
        ("client_roots".to_owned(), ClientRequest::ListRoots),
    ];
    let answers = cx.ask_all(questions).await?;
    Ok(CallToolResult::text(format!(
        "{} answers have come.",
        answers.len()
    )))
}

async fn ask_twice(cx: &CallContext) -> ToolOutcome {
    cx.keep_state(json!("asked"));
    let name = cx
        .ask(
            "step1",
            form("Step 1: What is your name?", "name", "string"),
        )
        .await?;
    let question = form("Step 2: What is your favorite color?", "color", "string");
    let color = cx.ask("step2", question).await?;
    let (name, color) = (field(&name, "name"), field(&color, "color"));
    Ok(CallToolResult::text(format!("{name} likes {color}.")))
}

async fn ask_what_can_be_answered(cx: &CallContext) -> ToolOutcome {
    let mut questions = Vec::new();
    if cx.supports(Capability::Elicitation) {
        questions.push((
            "user".to_owned(),
            form("What is your name?", "name", "string"),
        ));
    }
    if cx.supports(Capability::Sampling) {
        questions.push((
            "model".to_owned(),
            ClientRequest::sample("Who are you?", 50),
        ));
    }
    let answers = cx.ask_all(questions).await?;
    Ok(CallToolResult::text(format!(
        "{} answers have come.",
        answers.len()
    )))
}

async fn need_model(cx: &CallContext) -> ToolOutcome {
    cx.require(&[Capability::Sampling])?;
    Ok(CallToolResult::text("The client has a model."))
}
