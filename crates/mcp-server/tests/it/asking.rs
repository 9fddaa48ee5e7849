//! Questions to a client of the handshake lifecycle, and what becomes of them.

use std::time::Duration;

use mcp_protocol::{
    CallToolResult, Capability, ErrorObject, RequestId, Revision, ServerInfo, ServerRequest,
    jsonrpc,
};
use mcp_server::{Server, ServerLimits, ToolRouter};
use serde_json::{Value, json};

use crate::{ask, ask_over, handshake, said, session, tool};

fn server() -> Server {
    let tools = ToolRouter::new()
        .raw_tool_with_context(tool("ask"), |_, cx| {
            Box::pin(async move {
                let schema = json!({"type": "object", "properties": {}});
                let answer = cx.ask("q", ServerRequest::elicit("Well?", schema)).await?;
                Ok(CallToolResult::text(Value::from(answer).to_string()))
            })
        })
        .raw_tool_with_context(tool("sample"), |_, cx| {
            Box::pin(async move {
                cx.require_capabilities(&[Capability::Sampling])?;
                Ok(CallToolResult::text("never"))
            })
        });
    Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .limits(
            ServerLimits::default()
                .with_call_deadline(Duration::from_secs(1))
                .with_client_deadline(Duration::from_secs(60)),
        )
        .build()
        .unwrap()
}

/// The revisions in which a user can be asked.
fn asking() -> impl Iterator<Item = Revision> {
    handshake().filter(|it| it.features().elicitation)
}

#[tokio::test(start_paused = true)]
async fn r007_a_client_is_not_sent_requests_that_its_revision_lacks() {
    let server = server();
    for revision in handshake().filter(|it| !it.features().elicitation) {
        // It declares elicitation all the same.
        let (cx, mut outgoing, _) = session(revision);
        let called = ask_over(&server, revision, "tools/call", json!({"name": "ask"}), &cx).await;
        let text = called["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("does not support elicitation"), "{text}");
        assert!(outgoing.try_recv().is_err());
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_is_matched_by_its_id_and_others_are_ignored() {
    let server = server();
    for revision in asking() {
        let (cx, mut outgoing, session) = session(revision);
        let called = ask_over(&server, revision, "tools/call", json!({"name": "ask"}), &cx);
        let answered = async {
            let question = said(outgoing.recv().await.unwrap());
            assert_eq!(question["method"], "elicitation/create");
            assert_eq!(question["params"]["message"], "Well?");
            let id = question["id"].as_i64().unwrap();
            // Longer than a call may take, but not longer than a person may.
            tokio::time::sleep(Duration::from_secs(30)).await;
            for (id, action) in [
                (None, "cancel"),
                (Some(RequestId::Integer(999)), "cancel"),
                (Some(RequestId::String(id.to_string())), "cancel"),
                (Some(RequestId::Integer(id.into())), "accept"),
                (Some(RequestId::Integer(id.into())), "cancel"),
            ] {
                let outcome = Ok(json!({"action": action}));
                session.receive_response(jsonrpc::Response { id, outcome });
            }
        };
        let (called, ()) = tokio::join!(called, answered);
        let text = &called["result"]["content"][0]["text"];
        assert_eq!(text, r#"{"action":"accept"}"#, "{called}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_without_an_answer_is_a_failure_of_the_tool() {
    let server = server();
    for revision in asking() {
        for (outcome, why) in [
            (
                Some(Err(ErrorObject::new(-1, "no such user"))),
                "no such user",
            ),
            (
                Some(Ok(json!({"action": "shrug"}))),
                "does not match the request",
            ),
            (Some(Ok(json!([]))), "does not match the request"),
            (None, "did not respond in time"),
        ] {
            let (cx, mut outgoing, session) = session(revision);
            let called = ask_over(&server, revision, "tools/call", json!({"name": "ask"}), &cx);
            let answered = async {
                let question = said(outgoing.recv().await.unwrap());
                let id = RequestId::read(&question["id"]);
                if let Some(outcome) = outcome {
                    session.receive_response(jsonrpc::Response { id, outcome });
                }
            };
            let (called, ()) = tokio::join!(called, answered);
            assert_eq!(called["result"]["isError"], true);
            let text = called["result"]["content"][0]["text"].as_str().unwrap();
            assert!(text.contains(why), "{text}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_without_the_capability_is_not_asked() {
    let server = server();
    for revision in asking() {
        for (tool, why) in [
            ("ask", "does not support elicitation"),
            ("sample", "does not support sampling"),
        ] {
            let called = ask(&server, revision, "tools/call", json!({"name": tool})).await;
            assert_eq!(called["result"]["isError"], true);
            let text = called["result"]["content"][0]["text"].as_str().unwrap();
            assert!(text.contains(why), "{text}");
        }
        // One that has gone.
        let (cx, outgoing, _) = session(revision);
        drop(outgoing);
        let called = ask_over(&server, revision, "tools/call", json!({"name": "ask"}), &cx).await;
        let text = called["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("cannot receive requests"), "{text}");
    }
}
