//! The messages on a stream besides responses: progress, requests to the client, notifications.

use std::sync::Arc;

use mcp_protocol::{CallToolResult, ErrorObject, ServerInfo, ServerRequest, Tool, ToolAnnotations};
use mcp_server::{ChangeNotifier, Extensions, ListKinds, ListVariant, Server, ToolRouter};
use mcp_stdio::{StdioLimits, serve_with_extensions};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{Talk, call, initialize, modern, request, tool};

const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

fn server(changes: &ChangeNotifier) -> Server {
    let on_change = changes.clone();
    let tools = ToolRouter::new()
        .raw_tool_with_context(tool("count"), |_, cx| {
            Box::pin(async move {
                for n in [1.0, 2.0, 2.0, 1.5, f64::NAN, 3.5] {
                    cx.progress(n, None, None);
                }
                Ok(CallToolResult::text("counted"))
            })
        })
        .raw_tool_with_context(tool("ask"), |_, cx| {
            Box::pin(async move {
                let answer = cx.ask("roots", ServerRequest::ListRoots).await?;
                Ok(CallToolResult::text(Value::from(answer).to_string()))
            })
        })
        .raw_tool(tool("change"), move |_| {
            on_change.tools_changed();
            async { CallToolResult::text("changed") }
        });
    Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .list_changed(changes, ListKinds::ALL)
        .logging()
        .sends_requests()
        .build()
        .unwrap()
}

async fn opened(revision: &str) -> Talk {
    let mut talk = Talk::with(server(&ChangeNotifier::new()));
    let mut request = initialize(revision);
    request["params"]["capabilities"] = json!({"roots": {}});
    talk.ask(&request).await;
    talk
}

#[tokio::test]
async fn r085_progress_comes_before_the_response_and_only_increases() {
    for revision in HANDSHAKE {
        let mut talk = opened(revision).await;
        let mut message = call(1, "count");
        message["params"]["_meta"] = json!({"progressToken": 0});
        talk.say(&message).await;
        let mut told = Vec::new();
        loop {
            let heard = talk.hear().await.unwrap();
            if heard.get("id").is_some() {
                break;
            }
            told.push(heard["params"]["progress"].clone());
        }
        assert_eq!(told, [json!(1), json!(2), json!(3.5)]);
        talk.finish().await;
    }
}

#[tokio::test]
async fn a_client_can_answer_a_request_during_a_call() {
    for revision in HANDSHAKE {
        let mut talk = opened(revision).await;
        let question = talk.ask(&call(1, "ask")).await;
        assert_eq!(question["method"], "roots/list");
        // The stream goes on meanwhile.
        let pong = talk.ask(&request(2, "ping", json!({}))).await;
        assert_eq!(pong["id"], 2);
        let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}});
        // 2025-03-26 alone has batches, in which an answer may come too.
        let answer = if revision == "2025-03-26" {
            json!([answer])
        } else {
            answer
        };
        let called = talk.ask(&answer).await;
        assert_eq!(called["result"]["content"][0]["text"], r#"{"roots":[]}"#);
        talk.finish().await;
    }
}

#[tokio::test]
async fn r084_a_request_that_waits_for_its_client_can_be_cancelled() {
    for revision in HANDSHAKE {
        let mut talk = opened(revision).await;
        let question = talk.ask(&call(1, "ask")).await;
        assert_eq!(question["method"], "roots/list");
        talk.say(&json!({
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": 1},
        }))
        .await;
        let late = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}});
        talk.say(&late).await;
        let pong = talk.ask(&request(2, "ping", json!({}))).await;
        assert_eq!(pong["id"], 2);
        assert_eq!(talk.finish().await, Vec::<Value>::new());
    }
}

#[tokio::test]
async fn r016_a_client_without_a_handshake_gets_no_requests() {
    let mut talk = opened("2025-11-25").await;
    let mut message = modern(1, "tools/call", json!({"name": "ask"}));
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    message["params"]["_meta"][capabilities] = json!({"roots": {}});
    let asked = talk.ask(&message).await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    assert_eq!(
        asked["result"]["inputRequests"]["roots"]["method"],
        "roots/list"
    );
    talk.finish().await;
}

#[tokio::test]
async fn r089_subscriptions_share_a_stream_and_end_with_it() {
    let mut talk = Talk::with(server(&ChangeNotifier::new()));
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    for id in ["a", "b"] {
        let first = talk
            .ask(&modern(id, "subscriptions/listen", wanted.clone()))
            .await;
        let tag = &first["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        assert_eq!(tag, id);
    }
    talk.say(&modern(1, "tools/call", json!({"name": "change"})))
        .await;
    let mut tags = Vec::new();
    for _ in 0..3 {
        let heard = talk.hear().await.unwrap();
        if heard["method"] == "notifications/tools/list_changed" {
            let tag = &heard["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
            tags.push(tag.as_str().unwrap().to_owned());
        }
    }
    tags.sort();
    assert_eq!(tags, ["a", "b"]);
    // One is cancelled, and is not answered; the other ends with the input.
    talk.say(&json!({
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": "a"},
    }))
    .await;
    let said = talk.finish().await;
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0]["id"], "b");
    assert_eq!(said[0]["result"]["resultType"], "complete");
}

#[tokio::test]
async fn notifications_are_sent_only_after_a_handshake() {
    let changes = ChangeNotifier::new();
    let mut talk = Talk::with(server(&changes));
    changes.tools_changed();
    talk.ask(&modern(1, "server/discover", json!({}))).await;
    changes.tools_changed();
    assert_eq!(talk.finish().await, Vec::<Value>::new());
    for revision in HANDSHAKE {
        let mut talk = Talk::with(server(&changes));
        talk.ask(&initialize(revision)).await;
        changes.tools_changed();
        let notification = talk.hear().await.unwrap();
        let method = &notification["method"];
        assert_eq!(method, "notifications/tools/list_changed");
        talk.finish().await;
    }
}

#[tokio::test]
async fn every_request_has_the_extensions_of_the_host() {
    let schema = json!({"type": "object"});
    let tool = Tool::new("whoami", "For tests.", schema, ToolAnnotations::PURE);
    let tools = ToolRouter::new().raw_tool_with_context(tool, |_, cx| {
        let text = cx.list_variant().key().to_owned();
        Box::pin(async { Ok(CallToolResult::text(text)) })
    });
    let server = Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .list_variant(|extensions| match extensions.get::<&str>() {
            Some(user) => Ok(ListVariant::private(*user)),
            None => Err(ErrorObject::invalid_request("unknown user")),
        })
        .build()
        .unwrap();
    let server = Arc::new(server);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "whoami",
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }});
    for (user, expect) in [(Some("alice"), "alice"), (None, "unknown user")] {
        let mut extensions = Extensions::new();
        if let Some(user) = user {
            extensions.insert(user);
        }
        let input = format!("{call}\n");
        let mut output = Vec::new();
        serve_with_extensions(
            Arc::clone(&server),
            extensions,
            input.as_bytes(),
            &mut output,
            CancellationToken::new(),
            StdioLimits::default(),
        )
        .await
        .unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(output.contains(expect), "{output}");
    }
}
