//! The findings of `doctor` about nodes in every condition.

use insta::assert_snapshot;
use qortal_testnode::{Fault, Scenario, TestNode};
use serde_json::Value;
use tokio::net::TcpListener;

use crate::run;

/// The exit code and the output of `doctor`, over a node with these faults by path.
async fn check(faults: &[(&str, Fault)]) -> (Option<i32>, String) {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    for (pattern, fault) in faults {
        node.fault(pattern, fault.clone());
    }
    let ended = run(&format!("doctor --node {}", node.url())).await;
    assert_eq!(ended.errors, "");
    let output = shortened(&ended.output).replace(node.url(), "NODE");
    node.stop().await;
    (ended.code, output)
}

/// The findings without the names of the tools that work without a node, and without the age of the last block.
fn shortened(output: &str) -> String {
    let lines = output.lines().filter(|it| {
        !it.starts_with("ok         last block") && !it.starts_with("attention  last block")
    });
    let lines: Vec<_> = lines
        .map(|line| {
            line.split_once("would work: ")
                .map_or(line, |(start, _)| start)
        })
        .collect();
    lines.join("\n")
}

#[tokio::test]
async fn a_healthy_node_passes_every_check() {
    let ended = run("doctor --json --demo").await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    let findings: Value = serde_json::from_str(&ended.output).unwrap();
    for (name, finding) in findings.as_object().unwrap() {
        assert_eq!(finding["state"], "ok", "{name}: {finding}");
    }
}

#[tokio::test]
async fn nothing_listens_at_the_address() {
    // A port that was free a moment ago, on loopback: nothing answers there.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let ended = run(&format!("doctor --node http://{address}")).await;
    assert_eq!(ended.code, Some(3), "{}", ended.output);
    let output = shortened(&ended.output).replace(&address.to_string(), "ADDRESS");
    assert_snapshot!(output, @r#"
    failed     node          http://ADDRESS: node unreachable for GET /admin/status; is Qortal Core running at this address?
    unknown    version       see node
    unknown    synchronized  see node
    unknown    last block    see node
    unknown    peers         see node
    unknown    clock         see node
    ok         API key       not configured; no tool requires one
    failed     tools         only those that do not query the node
    "#);
}

#[tokio::test]
async fn a_node_refuses_everything() {
    let unauthorized = r#"{"error":4,"message":"API key not generated"}"#;
    let (code, output) = check(&[("*", Fault::Status(403, unauthorized.to_owned()))]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @r#"
    failed     node          NODE: node refused GET /admin/status with HTTP 403, code 4 UNAUTHORIZED: API key not generated; a Qortal Core answers every whitelisted client; is there a proxy in front of it?
    unknown    version       see node
    unknown    synchronized  see node
    unknown    last block    see node
    unknown    peers         see node
    unknown    clock         see node
    ok         API key       not configured; no tool requires one
    failed     tools         only those that do not query the node
    "#);
}

#[tokio::test]
async fn the_client_is_not_whitelisted() {
    let page = "<html><body>Forbidden</body></html>";
    let (code, output) = check(&[("*", Fault::Status(403, page.to_owned()))]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @r#"
    failed     node          NODE refuses this machine; add its address to apiWhitelist in the node's settings.json
    unknown    version       see node
    unknown    synchronized  see node
    unknown    last block    see node
    unknown    peers         see node
    unknown    clock         see node
    ok         API key       not configured; no tool requires one
    failed     tools         only those that do not query the node
    "#);
}

#[tokio::test]
async fn a_web_server_is_not_a_node() {
    let (code, output) = check(&[("*", Fault::NotJson)]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @r#"
    failed     node          NODE is not the API of a Qortal node: answer to GET /admin/status is not the expected JSON: "<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body>Please log in.</body></html>\n"
    unknown    version       see node
    unknown    synchronized  see node
    unknown    last block    see node
    unknown    peers         see node
    unknown    clock         see node
    ok         API key       not configured; no tool requires one
    failed     tools         only those that do not query the node
    "#);
    let missing = "<html><body>Not found</body></html>";
    let (code, output) = check(&[("*", Fault::Status(404, missing.to_owned()))]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @r#"
    failed     node          NODE is not the API of a Qortal node: node refused GET /admin/status with HTTP 404
    unknown    version       see node
    unknown    synchronized  see node
    unknown    last block    see node
    unknown    peers         see node
    unknown    clock         see node
    ok         API key       not configured; no tool requires one
    failed     tools         only those that do not query the node
    "#);
}

#[tokio::test]
async fn some_answers_fail() {
    let (code, output) = check(&[("/admin/info", Fault::Status(500, String::new()))]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @"
    ok         node          NODE answers
    failed     version       unknown: node refused GET /admin/info with HTTP 500
    ok         synchronized  at height 468
    attention  peers         0 connected
    unknown    clock         see version
    ok         API key       not configured; no tool requires one
    attention  tools         some of the 97 would fail, see version
    ");
}
