//! What is proposed for the next revision: a client asks for the outputs it needs, and gets those alone.

use std::time::Duration;

use mcp_protocol::{
    CallToolResult, Object, Revision, ServerInfo, TaskSupport, Tool,
    lifecycle::CLIENT_CAPABILITIES, task::EXTENSION,
};
use mcp_server::{BoxFuture, CallContext, Limits, MemoryTasks, Scope, Server, ToolReply, ToolSet};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{ask, tool};

/// `typed` has an output schema and fails with the argument `fail`; `plain` has none; `long` is one, and may take long.
struct Both;

impl ToolSet for Both {
    fn tools(&self, _: &Scope) -> Vec<Tool> {
        let schema = json!({"type": "object", "required": ["height"]});
        let long = tool("long").with_output_schema(schema.clone());
        vec![
            tool("typed").with_output_schema(schema),
            tool("plain"),
            long.with_task_support(TaskSupport::Optional),
        ]
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        let result = match name {
            _ if arguments.contains_key("fail") => CallToolResult::error("No such block."),
            "typed" => CallToolResult::structured(json!({"height": 468})),
            "long" => {
                let long =
                    CallToolResult::structured(json!({"height": 468, "text": "a".repeat(9_000)}));
                return Some(Box::pin(async {
                    sleep(Duration::from_secs(20)).await;
                    long.into()
                }));
            }
            _ => CallToolResult::text("468"),
        };
        Some(Box::pin(async { result.into() }))
    }
}

async fn call(name: &str, arguments: Value, requested: Value) -> Value {
    let server = Server::builder(ServerInfo::new("test", "0")).tools(Both);
    let mut params = json!({"name": name, "arguments": arguments});
    if !requested.is_null() {
        params["requestedOutputs"] = requested;
    }
    ask(
        &server.build().unwrap(),
        Revision::Draft,
        "tools/call",
        params,
    )
    .await
}

#[tokio::test]
async fn a_client_gets_the_outputs_it_asks_for_and_no_others() {
    let content = json!({"audience": "assistant", "format": "content"});
    let value = json!({"audience": "programmatic", "format": "structured"});
    let text = json!({"audience": "assistant", "format": "content", "content": [{"type": "text", "text": "{\"height\":468}"}]});
    let structure = json!({"audience": "programmatic", "format": "structured", "structuredContent": {"height": 468}});
    for (requested, expected) in [
        (Value::Null, json!([text])),
        (json!([content]), json!([text])),
        (json!([value]), json!([structure])),
        (json!([value, content]), json!([structure, text])),
    ] {
        let result = &call("typed", json!({}), requested).await["result"];
        assert_eq!(result["outputs"], expected);
        assert_eq!(result["isError"], false);
        assert!(result.get("content").is_none() && result.get("structuredContent").is_none());
    }
    let failed = &call("typed", json!({"fail": 1}), json!([value])).await["result"];
    assert_eq!(failed["isError"], true);
    assert_eq!(
        failed["outputs"][0]["structuredContent"],
        json!({"error": "No such block."})
    );
}

/// Also of what is too long, and of what is fetched later.
#[tokio::test(start_paused = true)]
async fn every_answer_has_outputs() {
    let requested = json!([{"audience": "programmatic", "format": "structured"}]);
    let params = json!({"name": "long", "requestedOutputs": requested});
    for (limits, expected) in [
        (Limits::default().with_result_bytes(20_000), "/height"),
        (Limits::default().with_result_bytes(9_000), "/error"),
    ] {
        let server = Server::builder(ServerInfo::new("test", "0")).tools(Both);
        let server = server.limits(limits).tasks(MemoryTasks::default());
        let server = server.build().unwrap();
        let answered = ask(&server, Revision::Draft, "tools/call", params.clone()).await;
        let mut with_tasks = params.clone();
        with_tasks["_meta"][CLIENT_CAPABILITIES] = json!({"extensions": {EXTENSION: {}}});
        let meta = with_tasks["_meta"].clone();
        let created = ask(&server, Revision::Draft, "tools/call", with_tasks).await;
        let id = &created["result"]["taskId"];
        assert!(id.is_string(), "{created}");
        sleep(Duration::from_secs(21)).await;
        let asked = json!({"taskId": id, "_meta": meta});
        let kept = ask(&server, Revision::Draft, "tasks/get", asked).await;
        for result in [&answered["result"], &kept["result"]["result"]] {
            assert!(result.get("content").is_none());
            let value = &result["outputs"][0]["structuredContent"];
            assert!(value.pointer(expected).is_some(), "{result}");
        }
    }
}

#[tokio::test]
async fn outputs_that_a_tool_does_not_declare_are_refused() {
    let content = json!({"audience": "assistant", "format": "content"});
    for (name, requested) in [
        (
            "plain",
            json!([{"audience": "assistant", "format": "structured"}]),
        ),
        ("typed", json!([{"audience": "user", "format": "content"}])),
        ("typed", json!([content, content])),
        ("typed", json!([])),
        ("typed", json!("assistant")),
        ("typed", json!([7])),
    ] {
        let answer = call(name, json!({}), requested).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.contains("each once: assistant/content"), "{said}");
    }
}

#[tokio::test]
async fn tools_declare_variants_instead_of_an_output_schema() {
    let server = Server::builder(ServerInfo::new("test", "0")).tools(Both);
    let server = server.build().unwrap();
    for &revision in Revision::ALL {
        let listed = ask(&server, revision, "tools/list", json!({})).await;
        let tool = &listed["result"]["tools"][0];
        let is_draft = revision == Revision::Draft;
        assert_eq!(tool.get("outputVariants").is_some(), is_draft, "{revision}");
        if is_draft {
            assert!(tool.get("outputSchema").is_none());
            assert_eq!(tool["outputVariants"][2]["schema"]["required"][0], "height");
        }
    }
}
