//! Tools that ask their client, as a straight line of code: the same tool serves clients that are asked
//! while it waits, and clients that bring their answers with the next request.

use mcp_protocol::{Capability, Object, ServerRequest};
use mcp_server::{AskError, CallContext, ToolRouter, tool_schema::NoParams};
use serde_json::{Value, json};

use crate::tool::Pure;

/// Adds them.
pub(crate) fn add_to(tools: ToolRouter) -> ToolRouter {
    tools
        .pure(
            "test_input_required_result_elicitation",
            "Greets by name.",
            greet,
        )
        .pure(
            "test_input_required_result_sampling",
            "Asks the model.",
            ask_model,
        )
        .pure(
            "test_input_required_result_list_roots",
            "Lists folders.",
            list_roots,
        )
        .pure(
            "test_input_required_result_request_state",
            "Keeps a state.",
            with_state,
        )
        .pure(
            "test_input_required_result_tampered_state",
            "Keeps a state.",
            with_state,
        )
        .pure(
            "test_input_required_result_multiple_inputs",
            "Asks a lot.",
            ask_all,
        )
        .pure(
            "test_input_required_result_multi_round",
            "Asks twice.",
            ask_twice,
        )
        .pure(
            "test_input_required_result_capabilities",
            "Asks what can be answered.",
            ask_what_can_be_answered,
        )
        .pure(
            "test_missing_capability",
            "Needs a client with a model.",
            need_model,
        )
        .pure(
            "test_streaming_elicitation",
            "Asks in the middle of its work.",
            greet,
        )
}

/// What a tool says once it has been answered.
pub(crate) type Asked = Result<String, AskError>;

/// A form with one field.
pub(crate) fn form(message: &str, field: &str, kind: &str) -> ServerRequest {
    let schema = json!({
        "type": "object",
        "properties": {field: {"type": kind}},
        "required": [field],
    });
    ServerRequest::elicit(message, schema)
}

/// The user's input in a field; empty if there is none.
pub(crate) fn field<'a>(answer: &'a Object, name: &str) -> &'a str {
    let content = answer.get("content").and_then(|it| it.get(name));
    content.and_then(Value::as_str).unwrap_or_default()
}

async fn greet(_: NoParams, cx: &CallContext) -> Asked {
    let question = form("What is your name?", "name", "string");
    let answer = cx.ask("user_name", question).await?;
    Ok(format!("Hello, {}!", field(&answer, "name")))
}

async fn ask_model(_: NoParams, cx: &CallContext) -> Asked {
    let question = ServerRequest::sample("What is the capital of France?", 100);
    let answer = cx.ask("capital_question", question).await?;
    let said = answer.get("content").and_then(|it| it.get("text"));
    Ok(said.and_then(Value::as_str).unwrap_or("nothing").to_owned())
}

async fn list_roots(_: NoParams, cx: &CallContext) -> Asked {
    let answer = cx.ask("client_roots", ServerRequest::ListRoots).await?;
    let roots = answer.get("roots").and_then(Value::as_array);
    let uris = roots
        .into_iter()
        .flatten()
        .filter_map(|it| it.get("uri")?.as_str());
    let uris: Vec<_> = uris.collect();
    Ok(format!("The client works in {}.", uris.join(", ")))
}

async fn with_state(_: NoParams, cx: &CallContext) -> Asked {
    let count = cx.request_state().and_then(|it| it.as_u64()).unwrap_or(0);
    cx.set_request_state(json!(count + 1));
    cx.ask("confirm", form("Please confirm", "ok", "boolean"))
        .await?;
    Ok("state-ok".to_owned())
}

async fn ask_all(_: NoParams, cx: &CallContext) -> Asked {
    cx.set_request_state(json!("asked all"));
    let questions = vec![
        (
            "user_name".to_owned(),
            form("What is your name?", "name", "string"),
        ),
        (
            "greeting".to_owned(),
            ServerRequest::sample("Generate a greeting", 50),
        ),
        ("client_roots".to_owned(), ServerRequest::ListRoots),
    ];
    let answers = cx.ask_all(questions).await?;
    Ok(format!("{} answers have come.", answers.len()))
}

async fn ask_twice(_: NoParams, cx: &CallContext) -> Asked {
    cx.set_request_state(json!("asked"));
    let name = cx
        .ask(
            "step1",
            form("Step 1: What is your name?", "name", "string"),
        )
        .await?;
    let question = form("Step 2: What is your favorite color?", "color", "string");
    let color = cx.ask("step2", question).await?;
    let (name, color) = (field(&name, "name"), field(&color, "color"));
    Ok(format!("{name} likes {color}."))
}

async fn ask_what_can_be_answered(_: NoParams, cx: &CallContext) -> Asked {
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
            ServerRequest::sample("Who are you?", 50),
        ));
    }
    let answers = cx.ask_all(questions).await?;
    Ok(format!("{} answers have come.", answers.len()))
}

async fn need_model(_: NoParams, cx: &CallContext) -> Asked {
    cx.require_capabilities(&[Capability::Sampling])?;
    Ok("The client has a model.".to_owned())
}
