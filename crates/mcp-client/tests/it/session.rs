//! Sessions over HTTP: named until they end, and replaced where the server has lost them.

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_client::{
    Client, ClientError, Endpoint,
    mcp_protocol::{Object, Revision},
};
use serde_json::{Value, json};

use crate::http_faults::{Server, config, opening, response, result, serve};

/// A server whose first `lost` sessions are unknown once they are open.
async fn forgetful(lost: usize) -> Server {
    let opened = AtomicUsize::new(0);
    serve(move |head, request| {
        if head.starts_with("get ") {
            return response("405 Method Not Allowed", "text/plain", "");
        }
        if head.starts_with("delete ") {
            return response("204 No Content", "text/plain", "");
        }
        let is_initialize = request["method"] == "initialize";
        if let Some(answer) = opening(request) {
            if !is_initialize {
                return answer;
            }
            let number = opened.fetch_add(1, Ordering::SeqCst) + 1;
            let header = format!("\r\nMcp-Session-Id: s{number}\r\n");
            let answer = String::from_utf8(answer).unwrap();
            return answer.replacen("\r\n", &header, 1).into_bytes();
        }
        let known = format!("mcp-session-id: s{}", lost + 1);
        match head.contains(&known) {
            true => result(
                request,
                json!({"content": [{"type": "text", "text": "ok"}]}),
            ),
            false => response("404 Not Found", "text/plain", ""),
        }
    })
    .await
}

/// The requests with this method, or of this HTTP method without a body, and the sessions that they name.
fn heard(server: &Server, method: &str) -> Vec<String> {
    let heard = server.heard.lock().unwrap();
    let of_method = heard.iter().filter(|(head, body)| match body {
        Value::Null => head.starts_with(method),
        body => body["method"] == method,
    });
    let session = |head: &str| {
        let named = head.split("mcp-session-id: ").nth(1);
        named.map_or("", |it| it.lines().next().unwrap()).to_owned()
    };
    of_method.map(|(head, _)| session(head)).collect()
}

async fn connect(server: &Server) -> Client {
    let endpoint = Endpoint::new(&server.url).unwrap();
    let config = config(Revision::V2025_11_25);
    Client::connect(endpoint, config).await.unwrap()
}

#[tokio::test]
async fn a_session_is_named_until_it_is_ended() {
    let server = forgetful(0).await;
    let client = connect(&server).await;
    client.call_tool("any", Object::new()).await.unwrap();
    client.close().await;
    assert_eq!(heard(&server, "initialize"), [""]);
    assert_eq!(heard(&server, "tools/call"), ["s1"]);
    assert_eq!(heard(&server, "delete"), ["s1"]);
}

#[tokio::test]
async fn requests_of_a_lost_session_are_sent_again_in_one_new_session() {
    let server = forgetful(1).await;
    let client = connect(&server).await;
    let call = || client.call_tool("any", Object::new());
    let (first, second) = tokio::join!(call(), call());
    assert!(first.is_ok() && second.is_ok(), "{first:?} {second:?}");
    assert_eq!(heard(&server, "initialize"), ["", ""]);
    assert_eq!(heard(&server, "notifications/initialized"), ["s1", "s2"]);
    let mut calls = heard(&server, "tools/call");
    calls.sort();
    assert_eq!(calls, ["s1", "s1", "s2", "s2"]);
    client.close().await;
    assert_eq!(heard(&server, "delete"), ["s2"]);
}

#[tokio::test]
async fn a_session_that_is_lost_again_ends_the_request() {
    let server = forgetful(usize::MAX - 1).await;
    let client = connect(&server).await;
    let outcome = client.call_tool("any", Object::new()).await;
    assert!(
        matches!(outcome, Err(ClientError::SessionEnded)),
        "{outcome:?}"
    );
    assert_eq!(heard(&server, "tools/call"), ["s1", "s2"]);
    client.close().await;
}
