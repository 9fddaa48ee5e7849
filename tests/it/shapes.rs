//! Every response shape in every revision, pinned: one file a shape.

use insta::{Settings, assert_snapshot};
use mcp_protocol::Revision;
use qortal_testnode::Fault;
use qortal_tests::{Answer, Host, request};
use serde_json::{Value, json};

/// What was sent in a revision, and what came back.
pub(crate) type Exchange = (Revision, String, Answer);

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

/// Compares what was said in each revision with `snapshots/SHAPE.snap`, where revisions that say the same stand together.
pub(crate) fn pin(shape: &str, happened: &str, exchanges: &[Exchange]) {
    let mut sections: Vec<(String, String)> = Vec::new();
    for (revision, sent, answer) in exchanges {
        let body = match answer.text.is_empty() {
            true => String::new(),
            false => format!("\n{:#}", answer.json()),
        };
        let said = format!("{sent}\n---\nHTTP {}{body}", answer.status);
        match sections.last_mut() {
            Some((revisions, before)) if *before == said => {
                revisions.push(' ');
                revisions.push_str(revision.name());
            }
            _ => sections.push((revision.name().to_owned(), said)),
        }
    }
    let sections = sections.iter();
    let sections: Vec<_> = sections
        .map(|(revisions, said)| format!("=== {revisions}\n{said}"))
        .collect();
    let (folder, file) = shape.rsplit_once('/').unwrap_or(("", shape));
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(format!("../snapshots/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(happened);
    settings.bind(|| assert_snapshot!(file, sections.join("\n\n")));
}

pub(crate) async fn check(shape: &str, happened: &str, host: &Host, method: &str, params: Value) {
    let mut exchanges = Vec::new();
    for &revision in Revision::ALL {
        let answer = host.http(revision, method, params.clone()).await;
        let sent = request(revision, method, params.clone()).to_string();
        exchanges.push((revision, sent, answer));
    }
    pin(shape, happened, &exchanges);
}

/// Sends the same bytes at every revision.
async fn check_bytes(shape: &str, happened: &str, host: &Host, body: &str) {
    let mut exchanges = Vec::new();
    for &revision in Revision::ALL {
        let answer = host.http_body(revision, body.as_bytes()).await;
        exchanges.push((revision, body.to_owned(), answer));
    }
    pin(shape, happened, &exchanges);
}

#[tokio::test]
async fn r004_initialize() {
    let host = Host::start().await;
    for (shape, happened, unknown) in [
        (
            "initialize/agreed",
            "The client asks for a revision that is served.",
            None,
        ),
        (
            "initialize/unknown_version",
            "The client asks for an unknown revision; it is not echoed.",
            Some("1999-01-01"),
        ),
    ] {
        let mut exchanges = Vec::new();
        for &revision in Revision::ALL {
            let asked = unknown.unwrap_or(revision.name());
            let client = json!({"name": "test", "version": "0"});
            let params =
                json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": client});
            let sent = request(revision, "initialize", params.clone()).to_string();
            let answer = host.http(revision, "initialize", params).await;
            exchanges.push((revision, sent, answer));
        }
        pin(shape, happened, &exchanges);
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
    let mut exchanges = Vec::new();
    for &revision in Revision::ALL {
        let mut answer = host.http(revision, "tools/list", json!({})).await;
        let mut body = answer.json();
        let tools = body["result"]["tools"].as_array_mut().unwrap();
        assert_eq!(tools.len(), host.tools);
        tools.retain(|it| it["name"] == "get_balance");
        answer.text = body.to_string();
        let sent = request(revision, "tools/list", json!({})).to_string();
        exchanges.push((revision, sent, answer));
    }
    let happened = "The client asks for the tools; all but one are left out here.";
    pin("tools_list", happened, &exchanges);
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
            json!({"address": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e", "asset": 7}),
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
