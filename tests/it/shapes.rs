//! Every response shape in every revision, pinned: one folder a shape, one file a revision.

use insta::{Settings, assert_snapshot};
use mcp_protocol::Revision;
use qortal_testnode::Fault;
use qortal_tests::{Answer, Host, request};
use serde_json::{Value, json};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

/// Compares one answer with `snapshots/SHAPE/REVISION.snap`.
pub(crate) fn pin(shape: &str, happened: &str, revision: Revision, sent: &str, answer: &Answer) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(format!("../snapshots/{shape}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(happened);
    settings.set_info(&json!({"sent": sent}));
    let body = if answer.text.is_empty() {
        String::new()
    } else {
        format!("\n{:#}", answer.json())
    };
    settings.bind(|| {
        assert_snapshot!(revision.name(), format!("HTTP {}{body}", answer.status));
    });
}

pub(crate) async fn check(shape: &str, happened: &str, host: &Host, method: &str, params: Value) {
    for &revision in Revision::ALL {
        let answer = host.http(revision, method, params.clone()).await;
        let sent = request(revision, method, params.clone()).to_string();
        pin(shape, happened, revision, &sent, &answer);
    }
}

/// Sends the same bytes at every revision.
async fn check_bytes(shape: &str, happened: &str, host: &Host, body: &str) {
    for &revision in Revision::ALL {
        let answer = host.http_body(revision, body.as_bytes()).await;
        pin(shape, happened, revision, body, &answer);
    }
}

#[tokio::test]
async fn r004_initialize() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        for (shape, happened, asked) in [
            (
                "initialize/agreed",
                "The client asks for a revision that is served.",
                revision.name(),
            ),
            (
                "initialize/unknown_version",
                "The client asks for an unknown revision; it is not echoed.",
                "1999-01-01",
            ),
        ] {
            let client = json!({"name": "test", "version": "0"});
            let params =
                json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": client});
            let sent = request(revision, "initialize", params.clone()).to_string();
            let answer = host.http(revision, "initialize", params).await;
            pin(shape, happened, revision, &sent, &answer);
        }
    }
    host.stop().await;
}

#[tokio::test]
async fn r010_discover() {
    let host = Host::start().await;
    let happened = "The client asks what the server supports; only revisions without a handshake know the method.";
    check("discover", happened, &host, "server/discover", json!({})).await;
    host.stop().await;
}

#[tokio::test]
async fn r006_ping() {
    let host = Host::start().await;
    check(
        "ping",
        "The client asks whether the server is there.",
        &host,
        "ping",
        json!({}),
    )
    .await;
    host.stop().await;
}

/// The list has every tool; one is enough to show its shape, the others are pinned without a revision.
#[tokio::test]
async fn r030_tools_list() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        let mut answer = host.http(revision, "tools/list", json!({})).await;
        let mut body = answer.json();
        let tools = body["result"]["tools"].as_array_mut().unwrap();
        assert_eq!(tools.len(), host.tools);
        tools.retain(|it| it["name"] == "get_balance");
        answer.text = body.to_string();
        let sent = request(revision, "tools/list", json!({})).to_string();
        let happened = "The client asks for the tools; all but one are left out here.";
        pin("tools_list", happened, revision, &sent, &answer);
    }
    host.stop().await;
}

#[tokio::test]
async fn r047_r048_r049_tools_call() {
    let host = Host::start().await;
    let call = |tool: &str, arguments: Value| json!({"name": tool, "arguments": arguments});
    check(
        "tools_call/found",
        "A tool answers with an object.",
        &host,
        "tools/call",
        call("get_balance", json!({"address": ALICE})),
    )
    .await;
    check(
        "tools_call/bad_arguments",
        "The arguments do not fit: a tool failure, so that the model sees what to change.",
        &host,
        "tools/call",
        call(
            "get_balance",
            json!({"address": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e", "asset": 0}),
        ),
    )
    .await;
    check(
        "tools_call/link",
        "The same facts, as a file with its own address.",
        &host,
        "tools/call",
        call(
            "list_completed_trades",
            json!({"foreign_blockchain": "RAVENCOIN"}),
        ),
    )
    .await;
    check(
        "tools_call/not_found",
        "The chain has no such thing.",
        &host,
        "tools/call",
        call("get_block_by_height", json!({"height": 469})),
    )
    .await;
    check(
        "tools_call/unknown_tool",
        "The tool name is unknown.",
        &host,
        "tools/call",
        call("get_balanc", json!({})),
    )
    .await;
    check(
        "tools_call/without_name",
        "The params do not name a tool.",
        &host,
        "tools/call",
        json!({"arguments": {}}),
    )
    .await;
    check(
        "tools_call/arguments_not_an_object",
        "The arguments are a list.",
        &host,
        "tools/call",
        call("get_balance", json!([ALICE])),
    )
    .await;
    host.stop().await;
}

#[tokio::test]
async fn r050_tools_call_without_a_node() {
    let host = Host::start().await;
    host.node.fault("/addresses/*", Fault::ResetBeforeResponse);
    check(
        "tools_call/node_unreachable",
        "The node breaks the connection.",
        &host,
        "tools/call",
        json!({"name": "get_balance", "arguments": {"address": ALICE}}),
    )
    .await;
    host.stop().await;
}

#[tokio::test]
async fn r014_unknown_method() {
    let host = Host::start().await;
    let happened = "The method is not known.";
    check(
        "unknown_method",
        happened,
        &host,
        "tools/destroy",
        json!({}),
    )
    .await;
    host.stop().await;
}

#[tokio::test]
async fn r025_unreadable() {
    let host = Host::start().await;
    check_bytes(
        "parse_error",
        "The body is not JSON.",
        &host,
        "{\"jsonrpc\":",
    )
    .await;
    let no_message = r#"{"jsonrpc":"2.0","id":1}"#;
    check_bytes(
        "invalid_request",
        "The body is not a request.",
        &host,
        no_message,
    )
    .await;
    host.stop().await;
}

#[tokio::test]
async fn r023_r024_batch() {
    let host = Host::start().await;
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":"b","method":"nothing"}]"#;
    check_bytes(
        "batch",
        "Two requests and a notification in one array.",
        &host,
        batch,
    )
    .await;
    host.stop().await;
}

#[tokio::test]
async fn r022_notification() {
    let host = Host::start().await;
    let body = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    check_bytes(
        "notification",
        "A notification is accepted and never answered.",
        &host,
        body,
    )
    .await;
    host.stop().await;
}
