//! Long calls report their progress to clients that asked for it: in every revision, on both transports.

use std::{sync::Arc, time::Duration};

use mcp_protocol::Revision;
use qortal_tests::{Host, request};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Longer than two reports take.
const SLOW: Duration = Duration::from_millis(2_500);
const TOKEN: &str = "how far";

/// The call of a tool that asks the node once.
fn call(revision: Revision, token: Option<&str>) -> Value {
    let mut call = request(revision, "tools/call", json!({"name": "get_block_height"}));
    if let Some(token) = token {
        call["params"]["_meta"]["progressToken"] = token.into();
    }
    call
}

/// What a client heard until its call was answered.
fn check(revision: Revision, heard: &[Value]) {
    let shown = revision.name();
    let (answer, reports) = heard.split_last().unwrap();
    let text = &answer["result"]["content"][0]["text"];
    assert!(text.as_str().unwrap().contains("height"), "{answer}");
    assert!(reports.len() >= 2, "{shown}: {reports:?}");
    let mut last = 0.0;
    for report in reports {
        assert_eq!(report["method"], "notifications/progress", "{shown}");
        let params = &report["params"];
        assert_eq!(params["progressToken"], TOKEN, "{shown}");
        let progress = params["progress"].as_f64().unwrap();
        assert!(last < progress && progress < 1.0, "{shown}: {params}");
        last = progress;
        assert_eq!(params["total"], 1, "{shown}");
        let message = revision.features().progress_message;
        let said = params["message"].as_str();
        assert_eq!(said.is_some(), message, "{shown}: {params}");
        assert!(said.is_none_or(|it| it.starts_with("Waiting for the node for ")));
    }
}

async fn over_stdio(host: &Host, revision: Revision) -> Vec<Value> {
    let mut stream = host.stdio(revision).await;
    stream.say(&call(revision, Some(TOKEN)).to_string()).await;
    let mut heard = Vec::new();
    while heard.last().is_none_or(|it: &Value| it.get("id").is_none()) {
        heard.push(stream.hear().await.unwrap());
    }
    assert!(stream.finish().await.is_empty());
    heard
}

async fn over_http(host: &Host, revision: Revision) -> Vec<Value> {
    let mut headers = format!("MCP-Protocol-Version: {}\r\n", revision.name());
    if !revision.has_handshake() {
        headers.push_str("Mcp-Method: tools/call\r\nMcp-Name: get_block_height\r\n");
    }
    let body = call(revision, Some(TOKEN)).to_string();
    let mut events = host.events(revision, "POST", &headers, &body).await;
    let mut heard = Vec::new();
    while let Some(message) = events.next().await {
        heard.push(message);
    }
    heard
}

#[tokio::test(start_paused = true)]
async fn r085_r115_a_long_call_reports_its_progress_on_both_transports() {
    let host = Arc::new(Host::start().await);
    host.node.latency(SLOW);
    let mut clients = JoinSet::new();
    for &revision in Revision::ALL {
        let ours = Arc::clone(&host);
        clients.spawn(async move { check(revision, &over_stdio(&ours, revision).await) });
        let ours = Arc::clone(&host);
        clients.spawn(async move { check(revision, &over_http(&ours, revision).await) });
    }
    while let Some(client) = clients.join_next().await {
        client.unwrap();
    }
    Arc::into_inner(host).unwrap().stop().await;
}

#[tokio::test(start_paused = true)]
async fn r085_a_client_that_did_not_ask_is_told_nothing_of_progress() {
    let host = Host::start().await;
    host.node.latency(SLOW);
    let revision = Revision::LATEST_HANDSHAKE;
    let mut stream = host.stdio(revision).await;
    stream.say(&call(revision, None).to_string()).await;
    let answer = stream.hear().await.unwrap();
    assert_eq!(answer["id"], 1, "{answer}");
    assert!(stream.finish().await.is_empty());
    host.stop().await;
}
