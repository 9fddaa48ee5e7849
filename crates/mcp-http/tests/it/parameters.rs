//! Parameters of tools that are repeated in headers (2026-07-28 `server/tools`, "x-mcp-header").

use std::sync::Arc;

use mcp_protocol::{CallToolResult, ServerInfo, Tool, ToolAnnotations};
use mcp_server::{Server, ToolRouter};
use serde_json::{Value, json};

use crate::{
    post::{PER_REQUEST, Post, handshake},
    site::Site,
};

async fn site() -> Site {
    let tool = Tool::new(
        "route",
        "For tests.",
        json!({"type": "object", "properties": {
            "text": {"type": "string", "x-mcp-header": "Text"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "flag": {"type": "boolean", "x-mcp-header": "Flag"},
            "inner": {"type": "object", "properties": {
                "deep": {"type": "string", "x-mcp-header": "Deep"},
            }},
            // None of these can be a header, and clients would refuse the tool for them.
            "list": {"type": "array", "x-mcp-header": "List"},
            "odd": {"type": "string", "x-mcp-header": "not a token"},
            "again": {"type": "string", "x-mcp-header": "TEXT"},
            "plain": {"type": "string"},
        }}),
        ToolAnnotations::PURE,
    );
    let tools = ToolRouter::new().raw_tool(tool, |_| async { CallToolResult::text("routed") });
    let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        .tools(tools)
        .build()
        .unwrap();
    Site::start_with(|config| config.endpoints = vec![("/mcp".to_owned(), Arc::new(server))]).await
}

#[tokio::test]
async fn r066_r113_a_header_parameter_is_repeated_in_its_header() {
    let site = site().await;
    let mut client = site.client().await;
    let big = i64::MAX;
    for (arguments, headers, accepted) in [
        (json!({}), &[] as &[(&str, String)], true),
        (json!({"plain": "x"}), &[], true),
        (json!({"text": null}), &[], true),
        (
            json!({"text": "Hello"}),
            &[("Mcp-Param-Text", "Hello".into())],
            true,
        ),
        (
            json!({"text": "Hello"}),
            &[("mcp-param-TEXT", "  Hello ".into())],
            true,
        ),
        (
            json!({"text": "Hello"}),
            &[("Mcp-Param-Text", "=?base64?SGVsbG8=?=".into())],
            true,
        ),
        (
            json!({"text": "ä"}),
            &[("Mcp-Param-Text", "=?base64?w6Q=?=".into())],
            true,
        ),
        (
            json!({"text": "=?base64?x"}),
            &[("Mcp-Param-Text", "=?base64?x".into())],
            true,
        ),
        (
            json!({"text": ""}),
            &[("Mcp-Param-Text", String::new())],
            true,
        ),
        (
            json!({"count": 42}),
            &[("Mcp-Param-Count", "42".into())],
            true,
        ),
        (
            json!({"count": 42.0}),
            &[("Mcp-Param-Count", "42".into())],
            true,
        ),
        (
            json!({"count": big}),
            &[("Mcp-Param-Count", big.to_string())],
            true,
        ),
        (
            json!({"flag": true}),
            &[("Mcp-Param-Flag", "true".into())],
            true,
        ),
        (
            json!({"inner": {"deep": "x"}}),
            &[("Mcp-Param-Deep", "x".into())],
            true,
        ),
        (json!({"list": [1], "odd": "x", "again": "y"}), &[], true),
        (json!({"text": "Hello"}), &[], false),
        (
            json!({"text": "Hello"}),
            &[("Mcp-Param-Text", "hello".into())],
            false,
        ),
        (
            json!({"text": "Hello"}),
            &[("Mcp-Param-Text", "=?base64?SGVsbG8?=".into())],
            false,
        ),
        (
            json!({"text": "Hello"}),
            &[("Mcp-Param-Text", "=?base64?SGV!bG8=?=".into())],
            false,
        ),
        (
            json!({"text": "SGVsbG8="}),
            &[("Mcp-Param-Text", "=?base64?SGVsbG8=?=".into())],
            false,
        ),
        (json!({}), &[("Mcp-Param-Text", "Hello".into())], false),
        (
            json!({"text": null}),
            &[("Mcp-Param-Text", "null".into())],
            false,
        ),
        (
            json!({"count": 42}),
            &[("Mcp-Param-Count", "43".into())],
            false,
        ),
        (
            json!({"count": 42}),
            &[("Mcp-Param-Count", "x".into())],
            false,
        ),
        (
            json!({"flag": true}),
            &[("Mcp-Param-Flag", "1".into())],
            false,
        ),
        (json!({"inner": {"deep": "x"}}), &[], false),
        (
            json!({"text": [1]}),
            &[("Mcp-Param-Text", "[1]".into())],
            false,
        ),
        (
            json!({"text": "a"}),
            &[
                ("Mcp-Param-Text", "a".into()),
                ("Mcp-Param-Text", "a".into()),
            ],
            false,
        ),
    ] {
        let mut post = Post::call(PER_REQUEST, "route", arguments.clone());
        for (name, value) in headers {
            post = post.with(name, value);
        }
        let answer = client.ask(post.to_bytes()).await;
        let expect = if accepted {
            (200, None)
        } else {
            (400, Some(-32020))
        };
        assert_eq!(answer.outcome(), expect, "{arguments} {headers:?}");
        assert_eq!(answer.json()["id"], 1);
    }
    site.end().await;
}

#[tokio::test]
async fn r113_header_parameters_are_ignored_after_a_handshake() {
    let site = site().await;
    let mut client = site.client().await;
    for revision in handshake() {
        let post = Post::call(revision, "route", json!({"text": "Hello"}));
        let answer: Value = client.ask(post.to_bytes()).await.json();
        assert_eq!(answer["result"]["isError"], false, "{}", revision.name());
    }
    site.end().await;
}
