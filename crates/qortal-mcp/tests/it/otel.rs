//! Traces: a collector on the loopback gets the span of a call, and the node is told of it.

use std::process::Stdio;

use qortal_testnode::{Scenario, TestNode};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::{access::send, program, soon, stdio::Talk, terminate};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// A collector that takes one message of spans.
async fn collect(listener: TcpListener) -> Value {
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut bytes = Vec::new();
    loop {
        let mut some = [0; 4096];
        let read = stream.read(&mut some).await.unwrap();
        assert_ne!(read, 0);
        bytes.extend_from_slice(&some[..read]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let head = head.to_ascii_lowercase();
        assert!(head.starts_with("post /v1/traces "), "{head}");
        let length = head
            .lines()
            .find_map(|it| it.strip_prefix("content-length: "));
        if body.len() == length.unwrap().parse::<usize>().unwrap() {
            let spans = serde_json::from_str(body).unwrap();
            let answer =
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
            stream.write_all(answer).await.unwrap();
            return spans;
        }
    }
}

/// The spans of a message, in the order in which they ended.
fn spans(message: &Value) -> Vec<Value> {
    let resource = &message["resourceSpans"][0];
    let service = resource["resource"]["attributes"].as_array().unwrap();
    let named = json!({"key": "service.name", "value": {"stringValue": "qortal-mcp"}});
    assert!(service.contains(&named), "{message}");
    let spans = resource["scopeSpans"][0]["spans"].as_array();
    spans.unwrap_or_else(|| panic!("{message}")).clone()
}

fn attribute<'a>(span: &'a Value, key: &str) -> Option<&'a str> {
    let attributes = span["attributes"].as_array().unwrap();
    let found = attributes.iter().find(|it| it["key"] == key)?;
    found["value"]["stringValue"].as_str()
}

fn call(id: i32, tool: &str, meta: Value) -> Value {
    let params = json!({"name": tool, "arguments": {}, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

#[tokio::test]
async fn a_call_is_a_span_below_that_of_its_caller_and_the_node_is_told() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let collected = tokio::spawn(collect(listener));
    let mut child = program(&format!("http --listen 127.0.0.1:0 --node {}", node.url()))
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let address = crate::service::address(&mut child).await;
    let traced = json!({"traceparent": format!("00-{TRACE}-{CALLER}-01")});
    send(&address, "/mcp", None, &call(1, "get_block_height", traced)).await;
    send(&address, "/mcp", None, &call(2, "invented", json!({}))).await;
    terminate(&child).await;
    assert_eq!(soon(child.wait()).await.unwrap().code(), Some(0));
    let message = soon(collected).await.unwrap();
    let [height, invented] = &spans(&message)[..] else {
        panic!("{message}");
    };
    assert_eq!(height["name"], "tools/call get_block_height");
    assert_eq!(height["traceId"], TRACE);
    assert_eq!(height["parentSpanId"], CALLER);
    // SPAN_KIND_SERVER
    assert_eq!(height["kind"], 2);
    for (key, expected) in [
        ("mcp.method.name", Some("tools/call")),
        ("gen_ai.tool.name", Some("get_block_height")),
        ("gen_ai.operation.name", Some("execute_tool")),
        ("jsonrpc.request.id", Some("1")),
        ("network.transport", Some("tcp")),
        ("client.address", Some("127.0.0.1")),
        ("error.type", None),
    ] {
        assert_eq!(attribute(height, key), expected, "{key}: {height}");
    }
    assert_eq!(invented["name"], "tools/call _OTHER");
    assert_ne!(invented["traceId"], TRACE);
    assert_eq!(attribute(invented, "error.type"), Some("-32602"));
    assert!(!message.to_string().contains("invented"), "{message}");

    let asked = node.journal();
    let asked = asked.iter().find(|it| it.target == "/blocks/height");
    let told = asked.unwrap().trace_parent.clone().unwrap();
    let span = height["spanId"].as_str().unwrap();
    assert_eq!(told, format!("00-{TRACE}-{span}-01"));
    node.stop().await;
}

#[tokio::test]
async fn without_a_collector_nothing_is_traced_and_one_that_has_gone_stops_nothing() {
    for endpoint in [None, Some("http://127.0.0.1:9")] {
        let mut command = program("--demo=recorded");
        if let Some(endpoint) = endpoint {
            command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
        }
        let mut talk = Talk::of(command.spawn().unwrap());
        talk.initialize().await;
        let answer = talk.request("tools/list", json!({})).await;
        assert!(answer["result"]["tools"].is_array(), "{answer}");
        drop(talk.input.take());
        assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
    }
}
