//! Traces and metrics: a collector on the loopback gets the span and the time of a call, and the node is told of the trace.

use std::process::Stdio;

use qortal_testnode::{Scenario, TestNode};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::{JoinHandle, JoinSet},
};

use crate::{access::send, program, soon, stdio::Talk, terminate};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// What a collector got, by path.
type Collected = Vec<(String, Value)>;

/// A collector on the loopback.
struct Collector {
    endpoint: String,
    end: oneshot::Sender<()>,
    collected: JoinHandle<Collected>,
}

impl Collector {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let (end, ended) = oneshot::channel();
        let collected = tokio::spawn(collect(listener, ended));
        Self {
            endpoint,
            end,
            collected,
        }
    }

    /// What was sent by a program that has ended.
    async fn end(self) -> Collected {
        self.end.send(()).unwrap();
        soon(self.collected).await.unwrap()
    }
}

/// Takes what is sent until the program has ended.
async fn collect(listener: TcpListener, mut ended: oneshot::Receiver<()>) -> Collected {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            accepted = listener.accept() => {
                connections.spawn(take(accepted.unwrap().0));
            }
            _ = &mut ended => return connections.join_all().await,
        }
    }
}

/// Takes the one message of a connection.
async fn take(mut stream: TcpStream) -> (String, Value) {
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
        let length = head
            .lines()
            .find_map(|it| it.strip_prefix("content-length: "));
        if body.len() == length.unwrap().parse::<usize>().unwrap() {
            let message = serde_json::from_str(body).unwrap();
            let path = head.split(' ').nth(1).unwrap().to_owned();
            assert!(head.starts_with("post "), "{head}");
            let answer =
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
            stream.write_all(answer).await.unwrap();
            return (path, message);
        }
    }
}

/// The message for this path, which is the only one.
fn only<'a>(collected: &'a Collected, path: &str) -> &'a Value {
    let messages: Vec<_> = collected.iter().filter(|(at, _)| at == path).collect();
    let [(_, message)] = &messages[..] else {
        panic!("{collected:?}");
    };
    message
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

/// The series of the durations in a message, those without an error first.
fn durations(message: &Value) -> Vec<Value> {
    let resource = &message["resourceMetrics"][0];
    let service = resource["resource"]["attributes"].as_array().unwrap();
    let named = json!({"key": "service.name", "value": {"stringValue": "qortal-mcp"}});
    assert!(service.contains(&named), "{message}");
    let metrics = resource["scopeMetrics"][0]["metrics"].as_array().unwrap();
    let [metric] = &metrics[..] else {
        panic!("{message}");
    };
    assert_eq!(metric["name"], "mcp.server.operation.duration");
    assert_eq!(metric["unit"], "s");
    let mut series = metric["histogram"]["dataPoints"]
        .as_array()
        .unwrap()
        .clone();
    for one in &series {
        assert_eq!(one["count"], "1", "{message}");
        let bounds = one["explicitBounds"].as_array().unwrap();
        let (first, last) = (&bounds[0], &bounds[bounds.len() - 1]);
        assert_eq!((first.as_f64(), last.as_f64()), (Some(0.01), Some(300.0)));
    }
    series.sort_by_key(|it| attribute(it, "error.type").map(str::to_owned));
    series
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
async fn a_call_is_a_span_below_that_of_its_caller_and_measured_and_the_node_is_told() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let collector = Collector::start().await;
    let mut child = program(&format!("http --listen 127.0.0.1:0 --node {}", node.url()))
        .env(ENDPOINT, &collector.endpoint)
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let address = crate::service::address(&mut child).await;
    let traced = json!({"traceparent": format!("00-{TRACE}-{CALLER}-01")});
    send(&address, "/mcp", None, &call(1, "get_block_height", traced)).await;
    send(&address, "/mcp", None, &call(2, "invented", json!({}))).await;
    terminate(&child).await;
    assert_eq!(soon(child.wait()).await.unwrap().code(), Some(0));
    let collected = collector.end().await;
    let message = only(&collected, "/v1/traces");
    let [height, invented] = &spans(message)[..] else {
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

    let message = only(&collected, "/v1/metrics");
    assert!(!message.to_string().contains("invented"), "{message}");
    let [answered, refused] = &durations(message)[..] else {
        panic!("{message}");
    };
    for (key, when_answered, when_refused) in [
        ("mcp.method.name", Some("tools/call"), Some("tools/call")),
        ("gen_ai.tool.name", Some("get_block_height"), Some("_OTHER")),
        (
            "gen_ai.operation.name",
            Some("execute_tool"),
            Some("execute_tool"),
        ),
        (
            "mcp.protocol.version",
            Some("2025-03-26"),
            Some("2025-03-26"),
        ),
        ("network.transport", Some("tcp"), Some("tcp")),
        ("network.protocol.name", Some("http"), Some("http")),
        ("error.type", None, Some("-32602")),
        ("rpc.response.status_code", None, Some("-32602")),
        ("client.address", None, None),
        ("jsonrpc.request.id", None, None),
    ] {
        assert_eq!(attribute(answered, key), when_answered, "{key}: {answered}");
        assert_eq!(attribute(refused, key), when_refused, "{key}: {refused}");
    }

    let asked = node.journal();
    let asked = asked.iter().find(|it| it.target == "/blocks/height");
    let told = asked.unwrap().trace_parent.clone().unwrap();
    let span = height["spanId"].as_str().unwrap();
    assert_eq!(told, format!("00-{TRACE}-{span}-01"));
    node.stop().await;
}

#[tokio::test]
async fn a_call_that_becomes_a_task_is_one_span_and_measured_once_as_the_task_ended() {
    let collector = Collector::start().await;
    let mut command = program("--demo=recorded");
    let command = command.env(ENDPOINT, &collector.endpoint);
    let mut talk = Talk::of(command.spawn().unwrap());
    talk.initialize().await;
    let call = json!({"name": "get_balance", "arguments": {}, "task": {}});
    let created = talk.request("tools/call", call).await;
    let asked = json!({"taskId": created["result"]["task"]["taskId"]});
    let mut failed = talk.request("tasks/result", asked).await;
    // Before it may be the notification that the task has ended.
    while failed.get("result").is_none() {
        failed = talk.receive().await.unwrap();
    }
    assert_eq!(failed["result"]["isError"], true, "{failed}");
    drop(talk.input.take());
    assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
    let collected = collector.end().await;
    let spans = spans(only(&collected, "/v1/traces"));
    let durations = durations(only(&collected, "/v1/metrics"));
    for told in [spans, durations] {
        let is_call = |it: &&Value| attribute(it, "gen_ai.tool.name").is_some();
        let calls: Vec<_> = told.iter().filter(is_call).collect();
        let [call] = calls[..] else {
            panic!("{told:?}");
        };
        assert_eq!(attribute(call, "gen_ai.tool.name"), Some("get_balance"));
        assert_eq!(attribute(call, "error.type"), Some("tool_error"), "{call}");
    }
}

#[tokio::test]
async fn what_is_switched_off_is_not_sent() {
    for (off, path) in [
        ("OTEL_TRACES_EXPORTER", "/v1/metrics"),
        ("OTEL_METRICS_EXPORTER", "/v1/traces"),
    ] {
        let collector = Collector::start().await;
        let mut command = program("--demo=recorded");
        command.env(ENDPOINT, &collector.endpoint).env(off, "none");
        let mut talk = Talk::of(command.spawn().unwrap());
        talk.initialize().await;
        drop(talk.input.take());
        assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
        let collected = collector.end().await;
        let paths: Vec<_> = collected.iter().map(|(path, _)| &**path).collect();
        assert_eq!(paths, [path], "{off}");
    }
}

#[tokio::test]
async fn without_a_collector_nothing_is_traced_and_one_that_has_gone_stops_nothing() {
    for endpoint in [None, Some("http://127.0.0.1:9")] {
        let mut command = program("--demo=recorded");
        if let Some(endpoint) = endpoint {
            command.env(ENDPOINT, endpoint);
        }
        let mut talk = Talk::of(command.spawn().unwrap());
        talk.initialize().await;
        let answer = talk.request("tools/list", json!({})).await;
        assert!(answer["result"]["tools"].is_array(), "{answer}");
        drop(talk.input.take());
        assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
    }
}
