//! Request state: whose it is, what it is for, and how long it is valid.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, UNIX_EPOCH},
};

use mcp_protocol::{
    CallToolResult, CompleteRequest, Completion, GetPromptResult, Object, Prompt,
    ReadResourceResult, Resource, Revision, ServerInfo, ServerRequest,
};
use mcp_server::{
    AuthInfo, BoxFuture, CallContext, Completer, Extensions, ListVariant, PromptError, PromptSet,
    ReadResourceError, RequestContext, ResourceSet, Server, ToolRouter,
};
use serde_json::{Value, json};

use crate::{ask_over, tool};

/// Its tools, prompts and resources all ask before they answer.
struct Asking;

async fn asked(cx: &CallContext) -> Result<(), mcp_server::AskError> {
    cx.set_request_state(json!("kept"));
    let schema = json!({"type": "object", "properties": {}});
    cx.ask("q", ServerRequest::elicit("Well?", schema)).await?;
    Ok(())
}

impl ResourceSet for Asking {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        Vec::new()
    }

    fn read<'a>(
        &'a self,
        _: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(async move {
            asked(cx).await?;
            Err(ReadResourceError::Failed("answered".to_owned()))
        })
    }
}

impl PromptSet for Asking {
    fn prompts(&self, _: &ListVariant) -> Vec<Prompt> {
        Vec::new()
    }

    fn get<'a>(
        &'a self,
        _: &'a str,
        _: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        Some(Box::pin(async move {
            asked(cx).await?;
            Err(PromptError::Failed("answered".to_owned()))
        }))
    }
}

/// A server, and the seconds on its clock.
fn server() -> (Server, Arc<AtomicU64>) {
    let seconds = Arc::new(AtomicU64::new(1_000_000));
    let asking = |tools: ToolRouter, name: &str| {
        tools.raw_tool_with_context(tool(name), |_, cx| {
            Box::pin(async move {
                asked(cx).await?;
                Ok(CallToolResult::text("answered"))
            })
        })
    };
    let clock = Arc::clone(&seconds);
    let server = Server::builder(ServerInfo::new("test", "0"))
        .tools(asking(asking(ToolRouter::new(), "a"), "b"))
        .resources(Asking)
        .prompts(Asking)
        .completer(Asking)
        .custom_method("x/ask", |_, cx| {
            Box::pin(async move {
                asked(cx)
                    .await
                    .map_err(|_| mcp_protocol::ErrorObject::opaque_internal())?;
                Ok(Object::new())
            })
        })
        .clock(move || UNIX_EPOCH + Duration::from_secs(clock.load(Ordering::Relaxed)))
        .build()
        .unwrap();
    (server, seconds)
}

impl Completer for Asking {
    fn complete<'a>(
        &'a self,
        _: &'a CompleteRequest,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        Box::pin(async move {
            asked(cx).await.unwrap_err();
            Completion::new(Vec::new())
        })
    }
}

async fn call(server: &Server, method: &str, params: Value, caller: Option<&str>) -> Value {
    let mut extensions = Extensions::new();
    if let Some(caller) = caller {
        extensions.insert(AuthInfo::default().with_subject(caller));
    }
    let cx = RequestContext::from_extensions(extensions);
    ask_over(server, Revision::V2026_07_28, method, params, &cx).await
}

fn answering(params: &Value, state: &Value) -> Value {
    let mut params = params.clone();
    params["requestState"] = state.clone();
    params["inputResponses"] = json!({"q": {"action": "accept", "content": {}}});
    params
}

fn is_refused(answer: &Value) -> bool {
    let message = answer["error"]["message"].as_str();
    message.is_some_and(|it| it.contains("requestState"))
}

#[tokio::test]
async fn r098_r099_r104_state_is_valid_for_one_request_of_one_caller() {
    let (server, _) = server();
    let requests = [
        (
            "tools/call",
            json!({"name": "a", "arguments": {"x": 1, "y": [true]}}),
        ),
        (
            "tools/call",
            json!({"name": "a", "arguments": {"x": 2, "y": [true]}}),
        ),
        ("tools/call", json!({"name": "a"})),
        ("tools/call", json!({"name": "b"})),
        ("prompts/get", json!({"name": "a", "arguments": {"x": "1"}})),
        ("prompts/get", json!({"name": "a", "arguments": {"x": "2"}})),
        ("prompts/get", json!({"name": "a"})),
        ("resources/read", json!({"uri": "a"})),
        ("resources/read", json!({"uri": "b"})),
        ("x/ask", json!({"a": 1})),
        ("x/ask", json!({"a": 2})),
    ];
    let callers = [None, Some("alice"), Some("bob"), Some("")];
    let mut issued = Vec::new();
    for (method, params) in &requests {
        for caller in callers {
            let asked = call(&server, method, params.clone(), caller).await;
            let state = asked["result"]["requestState"].clone();
            assert!(state.is_string(), "{asked}");
            assert_eq!(asked["result"]["resultType"], "input_required");
            assert!(asked["result"]["inputRequests"]["q"].is_object(), "{asked}");
            issued.push(((method, params, caller), state));
        }
    }
    for ((method, params, caller), _) in &issued {
        for (of, state) in &issued {
            let retried = call(&server, method, answering(params, state), *caller).await;
            let expect = (method, params, caller) != (&of.0, &of.1, &of.2);
            assert_eq!(
                is_refused(&retried),
                expect,
                "{of:?} for {method} {params} of {caller:?}"
            );
        }
    }
}

#[tokio::test]
async fn r103_a_completion_cannot_ask() {
    let (server, _) = server();
    let params = json!({
        "ref": {"type": "ref/resource", "uri": "a/{b}"},
        "argument": {"name": "b", "value": ""},
    });
    let completed = call(&server, "completion/complete", params, None).await;
    assert_eq!(completed["result"]["resultType"], "complete", "{completed}");
}

#[tokio::test]
async fn r099_the_order_of_arguments_does_not_matter() {
    let (server, _) = server();
    let params = json!({"name": "a", "arguments": {"x": 1, "y": {"c": 1, "d": 2}}});
    let asked = call(&server, "tools/call", params, None).await;
    let reordered = json!({"arguments": {"y": {"d": 2, "c": 1}, "x": 1}, "name": "a"});
    let retry = answering(&reordered, &asked["result"]["requestState"]);
    let answered = call(&server, "tools/call", retry, None).await;
    assert_eq!(answered["result"]["content"][0]["text"], "answered");
}

#[tokio::test]
async fn r100_state_expires_after_an_hour() {
    let (server, seconds) = server();
    let params = json!({"name": "a"});
    let asked = call(&server, "tools/call", params.clone(), None).await;
    let retry = answering(&params, &asked["result"]["requestState"]);
    for (later, expect) in [
        (0, false),
        (3_599, false),
        (1, false),
        (1, true),
        (1_000_000, true),
    ] {
        let now = seconds.fetch_add(later, Ordering::Relaxed) + later;
        let retried = call(&server, "tools/call", retry.clone(), None).await;
        assert_eq!(is_refused(&retried), expect, "at {now}");
    }
}
