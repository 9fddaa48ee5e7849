//! Scopes over HTTP: by path, by header and by token; and what tools learn of the request.

use std::sync::Arc;

use mcp_http::{AuthInfo, Parts};
use mcp_protocol::{CallToolResult, ErrorObject, Revision, ServerInfo, Tool, ToolAnnotations};
use mcp_server::{Extensions, ListVariant, Server, ToolRouter};
use serde_json::{Value, json};

use crate::{authorization::authorization, post::Post, site::Site};

fn tool(name: &str) -> Tool {
    let schema = json!({"type": "object"});
    Tool::new(name, "For tests.", schema, ToolAnnotations::PURE)
}

/// `X-View: private` is a scope of its own, `X-View: bad` is none, and the path is one otherwise.
fn scope(extensions: &Extensions) -> Result<ListVariant, ErrorObject> {
    let parts: &Parts = extensions.get().unwrap();
    match parts
        .headers
        .get("x-view")
        .map(hyper::header::HeaderValue::as_bytes)
    {
        Some(b"private") => Ok(ListVariant::private("chosen")),
        Some(_) => Err(ErrorObject::invalid_request("unknown view")),
        None => Ok(ListVariant::public(parts.uri.path())),
    }
}

async fn start() -> Site {
    Site::start_with(|config| {
        let done = |_| async { CallToolResult::text("done") };
        let whoami = ToolRouter::new().raw_tool_with_context(tool("whoami"), |_, cx| {
            let grant: Option<&AuthInfo> = cx.extensions().get();
            let scopes = grant.map_or(0, |it| it.scopes.len());
            let text = format!("{} with {scopes} scopes", cx.list_variant().key());
            Box::pin(async { Ok(CallToolResult::text(text)) })
        });
        let tools = whoami
            .merge_for_variants(
                |scope| scope.key() == "/mcp",
                ToolRouter::new().raw_tool(tool("main"), done),
            )
            .merge_for_variants(
                |scope| scope.key() == "chosen",
                ToolRouter::new().raw_tool(tool("chosen"), done),
            );
        let server = Server::builder(ServerInfo::new("scopes", "1.0.0"))
            .tools(tools)
            .list_variant(scope)
            .build()
            .unwrap();
        let server = Arc::new(server);
        let paths = ["/mcp", "/other"];
        config.endpoints = paths
            .map(|path| (path.to_owned(), Arc::clone(&server)))
            .into();
        config.authorization = Some(authorization());
    })
    .await
}

fn with_token(post: Post) -> Post {
    post.with("Authorization", "Bearer good")
}

#[tokio::test]
async fn a_request_is_answered_in_its_scope() {
    let site = start().await;
    let mut client = site.client().await;
    for &revision in Revision::ALL {
        for (view, names, cache_scope) in [
            (None, json!(["whoami", "main"]), "public"),
            (Some("private"), json!(["whoami", "chosen"]), "private"),
        ] {
            let mut list = with_token(Post::request(revision, json!(1), "tools/list", json!({})));
            if let Some(view) = view {
                list = list.with("X-View", view);
            }
            let answer = client.ask(list.to_bytes()).await.json();
            let listed = answer["result"]["tools"].as_array().unwrap();
            let listed: Vec<_> = listed.iter().map(|it| it["name"].clone()).collect();
            assert_eq!(Value::from(listed), names);
            if revision.features().cache_hints {
                assert_eq!(answer["result"]["cacheScope"], cache_scope);
            }
        }
        let call = with_token(Post::call(revision, "whoami", json!({})));
        let answer = client.ask(call.to_bytes()).await.json();
        let text = &answer["result"]["content"][0]["text"];
        assert_eq!(text, "/mcp with 2 scopes", "{answer}");
    }
    site.end().await;
}

#[tokio::test]
async fn a_request_without_a_scope_is_refused_with_400() {
    let site = start().await;
    let mut client = site.client().await;
    for &revision in Revision::ALL {
        let list = with_token(Post::request(revision, json!(1), "tools/list", json!({})));
        let answer = client.ask(list.with("X-View", "bad").to_bytes()).await;
        assert_eq!(answer.status, 400);
        let body = answer.json();
        assert_eq!(body["error"]["code"], -32600);
        let message = body["error"]["message"].as_str().unwrap();
        assert!(message.ends_with("unknown view"), "{message}");
        assert!(body["id"].is_number());
    }
    site.end().await;
}
