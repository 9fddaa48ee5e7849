//! Two users with valid tokens: what belongs to one does not exist for the other.

use std::{sync::Arc, time::Duration};

use mcp_http::{AuthInfo, Authorization, TokenVerifier, VerifyError};
use mcp_protocol::{CallToolResult, Revision, ServerInfo, ServerRequest, Tool, ToolAnnotations};
use mcp_server::{BoxFuture, ChangeNotifier, ListKinds, Server, ToolRouter};
use serde_json::{Value, json};

use crate::{
    client::Client,
    post::{PER_REQUEST, Post, handshake},
    site::Site,
};

const URL: &str = "https://mcp.example.org";

/// A token is the name of its user, then the scopes it has.
#[derive(Debug)]
struct Issuer;

impl TokenVerifier for Issuer {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>> {
        let mut words = token.split('+');
        let subject = words.next().unwrap_or_default();
        let grant = AuthInfo::for_audience(format!("{URL}/mcp")).with_subject(subject);
        let grant = words.fold(grant, AuthInfo::with_scope);
        Box::pin(async move { Ok(grant) })
    }
}

async fn start() -> Site {
    let tool = |name: &str| {
        let schema = json!({"type": "object"});
        Tool::new(name, "For tests.", schema, ToolAnnotations::PURE)
    };
    let ask = ToolRouter::new()
        .raw_tool_with_context(tool("ask"), |_, cx| {
            Box::pin(async move {
                let schema = json!({
                    "type": "object",
                    "properties": {"pin": {"type": "string"}},
                    "required": ["pin"],
                });
                let answer = cx.ask("pin", ServerRequest::elicit("PIN?", schema)).await?;
                Ok(CallToolResult::text(answer["content"]["pin"].to_string()))
            })
        })
        .raw_tool_with_context(tool("release"), |_, cx| {
            Box::pin(async move {
                cx.release_stream(Duration::from_millis(10)).await;
                Ok(CallToolResult::text("resumed"))
            })
        });
    let write =
        ToolRouter::new().raw_tool(tool("write"), |_| async { CallToolResult::text("done") });
    let server = Server::builder(ServerInfo::new("users", "1.0.0"))
        .tools(ask.merge_requiring_scope(
            "write",
            ToolRouter::new().merge_requiring_scope("more", write),
        ))
        .list_changed(&ChangeNotifier::new(), ListKinds::ALL)
        .sends_requests()
        .build()
        .unwrap();
    Site::start_with(|config| {
        let issuer = "https://auth.example.org";
        config.endpoints = vec![("/mcp".to_owned(), Arc::new(server))];
        config.authorization =
            Some(Authorization::new(URL, issuer, Arc::new(Issuer)).with_scope("mcp"));
    })
    .await
}

fn of(post: Post, user: &str) -> Post {
    post.with("Authorization", &format!("Bearer {user}"))
}

async fn open(client: &mut Client, revision: Revision, user: &str) -> String {
    let params = json!({
        "protocolVersion": revision.name(),
        "capabilities": {"elicitation": {}},
    });
    let post = Post::request(revision, json!(0), "initialize", params);
    let answer = client.ask(of(post, user).to_bytes()).await;
    answer.header("mcp-session-id").unwrap().to_owned()
}

/// Whatever can be done to a session, as a request of its own.
fn verbs(revision: Revision, session: &str, question: &Value) -> Vec<(&'static str, Post)> {
    let message = |message: Value| Post::message(revision, &message);
    let get = || Post::body("").method("GET").without("Content-Type");
    let answer = json!({
        "jsonrpc": "2.0",
        "id": question,
        "result": {"action": "accept", "content": {"pin": "stolen"}},
    });
    let cancel = json!({
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1},
    });
    let mut verbs = vec![
        (
            "ping",
            message(json!({"jsonrpc": "2.0", "id": 2, "method": "ping"})),
        ),
        ("call", Post::call(revision, "ask", json!({}))),
        ("cancel", message(cancel)),
        ("answer", message(answer.clone())),
        ("get", get()),
        ("resume", get().with("Last-Event-ID", "1")),
        ("delete", get().method("DELETE")),
    ];
    if revision.features().batches {
        verbs.push(("batch", message(json!([answer]))));
    }
    let with_session = |(name, post): (_, Post)| (name, post.with("Mcp-Session-Id", session));
    verbs.into_iter().map(with_session).collect()
}

#[tokio::test]
async fn r093_a_session_does_not_exist_for_another_user() {
    let site = start().await;
    for revision in handshake().filter(|it| it.features().elicitation) {
        let mut alice = site.client().await;
        let session = open(&mut alice, revision, "alice+mcp").await;
        let call = Post::call(revision, "ask", json!({})).with("Mcp-Session-Id", &session);
        alice.send(of(call, "alice+mcp").to_bytes()).await;
        let event = alice.until("\n\n").await;
        let (_, data) = event.split_once("data: ").unwrap();
        let question: Value = serde_json::from_str(data.trim()).unwrap();
        let id = &question["id"];

        let mut bob = site.client().await;
        for (verb, post) in verbs(revision, &session, id) {
            let answer = bob.ask(of(post, "bob+mcp").to_bytes()).await;
            assert_eq!(answer.outcome(), (404, Some(-32600)), "{verb}");
            // As if the session did not exist.
            let (_, unknown) = verbs(revision, "none", id)
                .into_iter()
                .find(|(name, _)| *name == verb)
                .unwrap();
            let unknown = bob.ask(of(unknown, "bob+mcp").to_bytes()).await;
            assert_eq!(answer.body, unknown.body, "{verb}");
        }

        // All of it is still hers, with another token too.
        let answer = json!({
            "jsonrpc": "2.0",
            "id": id,
            "result": {"action": "accept", "content": {"pin": "1234"}},
        });
        let answer = Post::message(revision, &answer).with("Mcp-Session-Id", &session);
        let mut other = site.client().await;
        let accepted = other.ask(of(answer, "alice+mcp+new").to_bytes()).await;
        assert_eq!(accepted.status, 202);
        let rest = alice.until("0\r\n\r\n").await;
        assert!(rest.contains("1234") && !rest.contains("stolen"), "{rest}");
        let delete = Post::body("").method("DELETE").without("Content-Type");
        let delete = delete.with("Mcp-Session-Id", &session);
        let ended = other.ask(of(delete, "alice+mcp").to_bytes()).await;
        assert_eq!(ended.status, 204);
    }
    site.end().await;
}

#[tokio::test]
async fn r093_a_released_stream_is_resumed_by_its_user_alone() {
    let site = start().await;
    let revision = Revision::V2025_11_25;
    let mut alice = site.client().await;
    let session = open(&mut alice, revision, "alice+mcp").await;
    let call = Post::call(revision, "release", json!({})).with("Mcp-Session-Id", &session);
    alice.send(of(call, "alice+mcp").to_bytes()).await;
    let head = alice.until("0\r\n\r\n").await;
    let (_, id) = head.rsplit_once("id: ").unwrap();
    let (id, _) = id.split_once('\n').unwrap();
    let resume = Post::body("").method("GET").without("Content-Type");
    let resume = resume
        .with("Mcp-Session-Id", &session)
        .with("Last-Event-ID", id);
    let mut bob = site.client().await;
    let refused = bob.ask(of(resume.clone(), "bob+mcp").to_bytes()).await;
    assert_eq!(refused.status, 404);
    alice.send(of(resume, "alice+mcp").to_bytes()).await;
    let rest = alice.until("0\r\n\r\n").await;
    assert!(rest.contains("resumed"), "{rest}");
    site.end().await;
}

#[tokio::test]
async fn r094_a_call_that_needs_more_scopes_is_403_with_all_of_them() {
    let site = start().await;
    let mut client = site.client().await;
    let metadata = format!("resource_metadata=\"{URL}/.well-known/oauth-protected-resource/mcp\"");
    for &revision in Revision::ALL {
        for (token, status) in [
            ("alice+mcp", 403),
            ("alice+mcp+write", 403),
            ("alice+mcp+more", 403),
            ("alice+mcp+more+write", 200),
        ] {
            let call = Post::call(revision, "write", json!({}));
            let answer = client.ask(of(call, token).to_bytes()).await;
            assert_eq!(answer.status, status, "{token}");
            let challenge = answer.header("www-authenticate");
            if status == 200 {
                assert_eq!(challenge, None);
                continue;
            }
            let expected = format!(
                "Bearer error=\"insufficient_scope\", {metadata}, scope=\"mcp more write\""
            );
            assert_eq!(challenge, Some(expected.as_str()), "{token}");
            let body = answer.json();
            assert_eq!(body["id"], 1);
            assert_eq!(body["error"]["code"], 403);
            assert_eq!(
                body["error"]["data"],
                json!({"requiredScopes": ["more", "write"]})
            );
        }
        // It is listed for everyone, so that a client knows what to ask access for.
        let list = Post::request(revision, json!(1), "tools/list", json!({}));
        let list = client.ask(of(list, "alice+mcp").to_bytes()).await.json();
        let tools = list["result"]["tools"].as_array().unwrap();
        assert!(tools.iter().any(|it| it["name"] == "write"));
    }
    site.end().await;
}

/// Its responses have one status, and errors of JSON-RPC alone.
#[tokio::test]
async fn a_call_in_a_batch_that_needs_more_scopes_has_a_code_of_json_rpc() {
    let site = start().await;
    let mut client = site.client().await;
    let call = |id: u8| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "write", "arguments": {}}});
    let batch = json!([call(1), call(2)]);
    let post = Post::message(Revision::V2025_03_26, &batch);
    let answer = client.ask(of(post, "alice+mcp").to_bytes()).await;
    assert_eq!(answer.status, 200);
    for refused in answer.json().as_array().unwrap() {
        assert_eq!(refused["error"]["code"], -32600, "{refused}");
        let required = json!({"requiredScopes": ["more", "write"]});
        assert_eq!(refused["error"]["data"], required);
    }
    site.end().await;
}

/// The question is part of a result, and its answer comes with another request.
#[tokio::test]
async fn r099_request_state_is_refused_from_another_user() {
    let site = start().await;
    let mut client = site.client().await;
    let call = |responses: Value, state: &Value| {
        let mut post = Post::call(PER_REQUEST, "keep", json!({}));
        let mut body: Value = serde_json::from_slice(&post.body).unwrap();
        body["params"]["name"] = "ask".into();
        body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({"elicitation": {}});
        body["params"]["inputResponses"] = responses;
        if !state.is_null() {
            body["params"]["requestState"] = state.clone();
        }
        post.body = body.to_string().into_bytes();
        post.set("Mcp-Name", "ask")
    };
    // An answer to something else is state that the next request brings back.
    let other = json!({"other": {"action": "cancel"}});
    let first = call(other, &Value::Null);
    let asked = client.ask(of(first, "alice+mcp").to_bytes()).await.json();
    let state = &asked["result"]["requestState"];
    assert!(state.is_string(), "{asked}");
    let answer = json!({"pin": {"action": "accept", "content": {"pin": "1234"}}});
    for (user, code) in [("bob+mcp", Some(-32602)), ("alice+mcp+new", None)] {
        let post = of(call(answer.clone(), state), user);
        let answered = client.ask(post.to_bytes()).await;
        assert_eq!(answered.outcome(), (200, code), "{user}");
    }
    site.end().await;
}
