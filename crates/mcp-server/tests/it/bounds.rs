//! The bounds on what clients get, and on how often.

use std::{num::NonZeroU32, time::Duration};

use mcp_protocol::{
    CallToolResult, CompleteRequest, Completion, ContentBlock, GetPromptResult, Object, Prompt,
    ReadResourceResult, Resource, ResourceTemplate, Revision, ServerInfo,
    content::ResourceContents,
};
use mcp_server::{
    AuthInfo, BoxFuture, CallContext, Completer, Extensions, ListVariant, MemoryBudget,
    PromptError, PromptSet, ReadResourceError, RequestContext, ResourceSet, Server, ServerLimits,
    ToolRouter,
};
use serde_json::json;

use crate::{ask, ask_over, request, tool};

const MOST: usize = 2_000;

/// Whatever is asked of it is large.
struct Large;

fn large() -> String {
    "x".repeat(MOST)
}

impl ResourceSet for Large {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        vec![Resource::new("large", "large", large())]
    }

    fn templates(&self, _: &ListVariant) -> Vec<ResourceTemplate> {
        vec![ResourceTemplate::new("large/{x}", "large", large())]
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        let read = ReadResourceResult::new(vec![ResourceContents::text(uri, large())]);
        Box::pin(async { Ok(read) })
    }
}

impl PromptSet for Large {
    fn prompts(&self, _: &ListVariant) -> Vec<Prompt> {
        vec![Prompt::new("large", large())]
    }

    fn get<'a>(
        &'a self,
        _: &'a str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        let got = GetPromptResult::user_messages([ContentBlock::text(large())]);
        Some(Box::pin(async { Ok(got) }))
    }
}

impl Completer for Large {
    fn complete<'a>(
        &'a self,
        _: &'a CompleteRequest,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        Box::pin(async { Completion::new(vec![large()]) })
    }
}

fn server(limits: ServerLimits, tools: ToolRouter) -> Server {
    Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .resources(Large)
        .prompts(Large)
        .completer(Large)
        .custom_method("x/large", |_, _| {
            let large = ("x".to_owned(), large().into());
            Box::pin(async { Ok(Object::from_iter([large])) })
        })
        .instructions(large())
        .limits(limits)
        .build()
        .unwrap()
}

/// Whatever sends a result: none is larger than the limit.
#[tokio::test]
async fn no_method_answers_with_more_than_the_limit() {
    let large = |_| async { CallToolResult::text(large()) };
    let tools = ToolRouter::new().raw_tool(tool("large"), large);
    let server = server(ServerLimits::default().with_result_bytes(MOST), tools);
    for &revision in Revision::ALL {
        let open = match revision.has_handshake() {
            true => "initialize",
            false => "server/discover",
        };
        let prompt = json!({"type": "ref/prompt", "name": "large"});
        let completion = json!({"ref": prompt, "argument": {"name": "a", "value": ""}});
        for (method, params) in [
            (open, json!({})),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("resources/read", json!({"uri": "large"})),
            ("prompts/list", json!({})),
            ("prompts/get", json!({"name": "large"})),
            ("completion/complete", completion),
            ("x/large", json!({})),
        ] {
            let answer = ask(&server, revision, method, params).await;
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains("at most 2000"), "{method}: {answer}");
            assert_eq!(answer["error"]["code"], -32603, "{method}");
        }
        let called = json!({"name": "large"});
        let called = ask(&server, revision, "tools/call", called).await;
        assert_eq!(called["result"]["isError"], true);
        let text = called["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("at most 2000"), "{text}");
        let listed = ask(&server, revision, "tools/list", json!({})).await;
        assert!(listed["result"]["tools"].is_array(), "{listed}");
    }
}

#[tokio::test]
async fn a_large_result_is_counted_until_it_has_been_written() {
    let budget = MemoryBudget::new(1 << 20);
    let fill = |_| async { CallToolResult::text("x".repeat(200_000)) };
    let server = Server::builder(ServerInfo::new("test", "0"))
        .tools(ToolRouter::new().raw_tool(tool("fill"), fill))
        .memory_budget(budget.clone());
    let server = server.build().unwrap();
    for &revision in Revision::ALL {
        let call = request(revision, "tools/call", json!({"name": "fill"}));
        let response = server
            .handle(revision, call, &RequestContext::default())
            .await;
        assert!(budget.used() > 100_000, "{}", budget.used());
        drop(response);
        assert_eq!(budget.used(), 0);
    }
}

/// Refusals are results or errors of the call, so that no client hangs on them.
#[tokio::test(start_paused = true)]
async fn r111_r112_each_client_has_a_rate_of_its_own() {
    let rate = NonZeroU32::new(2);
    let limits = ServerLimits::default()
        .with_calls_per_client(rate)
        .with_completions_per_second_per_client(rate);
    let server = server(
        limits,
        ToolRouter::new().raw_tool(tool("quick"), |_| async { CallToolResult::text("done") }),
    );
    let of = |user: &str| {
        let mut extensions = Extensions::new();
        extensions.insert(AuthInfo::default().with_subject(user));
        RequestContext::from_extensions(extensions)
    };
    for &revision in Revision::ALL {
        let call = async |cx: &RequestContext| {
            let called = ask_over(
                &server,
                revision,
                "tools/call",
                json!({"name": "quick"}),
                cx,
            );
            called.await["result"]["content"][0]["text"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let complete = async |cx: &RequestContext| {
            let params = json!({
                "ref": {"type": "ref/resource", "uri": "a/{b}"},
                "argument": {"name": "b", "value": ""},
            });
            let completed = ask_over(&server, revision, "completion/complete", params, cx).await;
            let error = &completed["error"];
            assert!(error.is_null() || error["code"] == -32600, "{error}");
            error["message"].as_str().unwrap_or("done").to_owned()
        };
        tokio::time::advance(Duration::from_secs(1)).await;
        let alice = of("alice");
        assert_eq!(call(&alice).await, "done");
        assert_eq!(call(&alice).await, "done");
        let refused = call(&alice).await;
        assert!(refused.contains("2 a second from one client"), "{refused}");
        assert_eq!(call(&of("bob")).await, "done");
        // Completions are counted apart.
        assert_eq!(complete(&alice).await, "done");
        assert_eq!(complete(&alice).await, "done");
        let refused = complete(&alice).await;
        assert!(refused.contains("2 a second from one client"), "{refused}");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(call(&alice).await, "done");
    }
}

#[test]
fn r053_r111_r112_rates_are_limited_by_default() {
    let limits = ServerLimits::default();
    assert!(limits.calls_per_client.is_some());
    assert!(limits.completions_per_second_per_client < limits.calls_per_client);
}
