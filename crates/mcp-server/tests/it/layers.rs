//! Code around every call: of tools, resources and prompts.

use std::sync::Arc;

use mcp_protocol::{CallToolResult, Resource, Revision, ServerInfo, ToolAnnotations};
use mcp_server::{Call, Layer, LayerReply, Next, PromptRouter, ResourceRouter, Server, ToolRouter};
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::ask;

const REVISION: Revision = Revision::V2025_11_25;

/// Writes down what it runs around.
#[derive(Clone)]
struct Log(&'static str, Arc<Mutex<Vec<String>>>);

impl Layer for Log {
    async fn call(&self, call: Call<'_>, next: Next<'_>) -> LayerReply {
        let begun = format!(
            "{} {:?} {} {}",
            self.0,
            call.kind,
            call.name,
            call.arguments.len()
        );
        self.1.lock().push(begun);
        let reply = next.run().await;
        self.1
            .lock()
            .push(format!("{} failed: {}", self.0, reply.is_error()));
        reply
    }
}

async fn guard(call: Call<'_>, next: Next<'_>) -> LayerReply {
    match call.name {
        "refused" | "x://refused" => call.reject("Not now."),
        "cached" => LayerReply::Tool(CallToolResult::text("from the cache").into()),
        "confused" => LayerReply::Prompt(Err(mcp_server::PromptError::Failed("?".to_owned()))),
        _ => next.run().await,
    }
}

fn server(logs: &Arc<Mutex<Vec<String>>>) -> Server {
    let logs = |name| Log(name, Arc::clone(logs));
    let (mut tools, mut resources, mut prompts) = (
        ToolRouter::new(),
        ResourceRouter::new(),
        PromptRouter::new(),
    );
    for name in ["open", "refused", "cached", "confused"] {
        tools = tools.tool(name, "For tests.", ToolAnnotations::PURE, async || "text");
        let resource = Resource::new(format!("x://{name}"), name, "For tests.");
        resources = resources.resource(resource, async || "text");
        prompts = prompts.prompt(name, "For tests.", async || "text");
    }
    Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .resources(resources)
        .prompts(prompts)
        .layer(logs("outer"))
        .layer(guard)
        .layer(logs("inner"))
        .build()
        .unwrap()
}

async fn call(server: &Server, name: &str) -> String {
    let params = json!({"name": name});
    let called: Value = ask(server, REVISION, "tools/call", params).await;
    let text = &called["result"]["content"][0]["text"];
    text.as_str()
        .unwrap_or_else(|| panic!("{called}"))
        .to_owned()
}

#[tokio::test]
async fn layers_run_in_the_order_in_which_they_are_added() {
    let logs = Arc::default();
    let server = server(&logs);
    assert_eq!(call(&server, "open").await, "text");
    let uri = json!({"uri": "x://open"});
    let read = ask(&server, REVISION, "resources/read", uri).await;
    assert_eq!(read["result"]["contents"][0]["text"], "text");
    let rendered = ask(&server, REVISION, "prompts/get", json!({"name": "open"})).await;
    assert_eq!(rendered["result"]["messages"][0]["content"]["text"], "text");
    let expected = ["Tool open", "Resource x://open", "Prompt open"].map(|it| {
        [
            format!("outer {it} 0"),
            format!("inner {it} 0"),
            "inner failed: false".to_owned(),
            "outer failed: false".to_owned(),
        ]
    });
    assert_eq!(*logs.lock(), expected.concat());
}

#[tokio::test]
async fn a_layer_rejects_and_answers_calls_that_then_do_not_run() {
    let logs = Arc::default();
    let server = server(&logs);
    assert_eq!(call(&server, "refused").await, "Not now.");
    assert_eq!(call(&server, "cached").await, "from the cache");
    assert_eq!(call(&server, "confused").await, "Internal error.");
    let read = ask(
        &server,
        REVISION,
        "resources/read",
        json!({"uri": "x://refused"}),
    )
    .await;
    assert_eq!(read["error"]["message"], "Not now.");
    let rendered = ask(&server, REVISION, "prompts/get", json!({"name": "refused"})).await;
    assert_eq!(rendered["error"]["message"], "Not now.");
    assert!(!logs.lock().iter().any(|it| it.starts_with("inner")));
    let failed: Vec<_> = logs
        .lock()
        .iter()
        .filter(|it| it.contains("failed"))
        .cloned()
        .collect();
    assert_eq!(failed.len(), 5);
    assert_eq!(failed.iter().filter(|it| it.ends_with("true")).count(), 4);
}

#[tokio::test]
async fn an_unknown_tool_is_unknown_before_any_layer_runs() {
    let logs = Arc::default();
    let server = server(&logs);
    let called = ask(&server, REVISION, "tools/call", json!({"name": "none"})).await;
    assert_eq!(called["error"]["code"], -32602);
    assert!(logs.lock().is_empty());
}
