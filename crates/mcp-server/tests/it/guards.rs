//! What keeps one request from harming others: deadlines, limits, and panics that stay where they are.

use std::{future::pending, time::Duration};

use mcp_protocol::{
    CallToolResult, GetPromptResult, Object, Prompt, ReadResourceResult, Resource, Revision,
    ServerInfo,
};
use mcp_server::{
    BoxFuture, BuildError, CallContext, ListVariant, PromptError, PromptSet, ReadResourceError,
    ResourceSet, Server, ServerLimits, ToolRouter,
};
use serde_json::json;

use crate::{ask, tool};

/// Does what its name says.
struct Bad;

async fn act<T>(what: &str, done: T) -> T {
    match what {
        "panic" => panic!("as asked"),
        "hang" => pending().await,
        _ => done,
    }
}

impl ResourceSet for Bad {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        panic!("as asked")
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        assert_ne!(uri, "early", "as asked");
        let failed = Err(ReadResourceError::Failed("The disk is on fire.".to_owned()));
        Box::pin(act(uri, failed))
    }

    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

impl PromptSet for Bad {
    fn prompts(&self, _: &ListVariant) -> Vec<Prompt> {
        Vec::new()
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        assert_ne!(name, "early", "as asked");
        let failed = Err(PromptError::Failed("The disk is on fire.".to_owned()));
        Some(Box::pin(act(name, failed)))
    }
}

fn server(limits: ServerLimits) -> Server {
    let tools = ToolRouter::new()
        .raw_tool(tool("hang"), |_| async {
            act("hang", CallToolResult::text("")).await
        })
        .raw_tool_with_context(tool("panic"), |_, _| panic!("as asked"));
    Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .resources(Bad)
        .prompts(Bad)
        .limits(limits)
        .build()
        .unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_panic_or_a_failure_is_an_error_of_that_request_alone() {
    let server = server(ServerLimits::default());
    for &revision in Revision::ALL {
        for (method, params, message) in [
            ("tools/call", json!({"name": "panic"}), "Internal error"),
            ("resources/list", json!({}), "Internal error"),
            ("resources/list", json!({}), "Internal error"),
            ("resources/read", json!({"uri": "panic"}), "Internal error"),
            ("resources/read", json!({"uri": "early"}), "Internal error"),
            (
                "resources/read",
                json!({"uri": "fail"}),
                "The disk is on fire.",
            ),
            ("prompts/get", json!({"name": "panic"}), "Internal error"),
            ("prompts/get", json!({"name": "early"}), "Internal error"),
            (
                "prompts/get",
                json!({"name": "fail"}),
                "The disk is on fire.",
            ),
        ] {
            let answer = ask(&server, revision, method, params.clone()).await;
            let shown = format!("{method} {params} at {}", revision.name());
            assert_eq!(answer["error"]["code"], -32603, "{shown}");
            assert_eq!(answer["error"]["message"], message, "{shown}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn r053_slow_calls_are_cancelled_and_large_results_refused() {
    let late = server(ServerLimits::default().with_call_deadline(Duration::from_secs(3)));
    let busy = server(ServerLimits::default().with_calls_in_flight(0));
    for &revision in Revision::ALL {
        for (server, why) in [(&late, "longer than 3 seconds"), (&busy, "busy")] {
            let called = ask(server, revision, "tools/call", json!({"name": "hang"})).await;
            assert_eq!(called["result"]["isError"], true);
            let text = called["result"]["content"][0]["text"].as_str().unwrap();
            assert!(text.contains(why), "{text}");
            for (method, params) in [
                ("resources/read", json!({"uri": "hang"})),
                ("prompts/get", json!({"name": "hang"})),
            ] {
                let answer = ask(server, revision, method, params).await;
                assert_eq!(answer["error"]["code"], -32603);
                let message = answer["error"]["message"].as_str().unwrap();
                assert!(message.contains(why), "{message}");
            }
        }
        // What waits for nothing needs no room.
        let answer = ask(&busy, revision, "resources/read", json!({"uri": "fail"})).await;
        assert_eq!(answer["error"]["message"], "The disk is on fire.");
    }
}
