//! What calls cost in allocations: each kind has a budget a little above what it needs, so that a call which begins to cost
//! more is noticed with the change that makes it so.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

mod host;

use allocation_counter::measure;
use mcp_protocol::{
    CallToolResult, Revision, ServerInfo, Tool, ToolAnnotations,
    jsonrpc::{Request, RequestId},
};
use mcp_server::{RequestContext, Server, ToolRouter};
use serde_json::{Value, json};
use tokio::runtime::Builder;

use crate::host::{Client, Host};

/// Calls before the measured ones: lists are made, connections opened and buffers grown by then.
const WARM: u64 = 20;
/// Calls that are measured together, so that what happens once in a while has its share.
const CALLS: u64 = 100;

const LEGACY: Revision = Revision::V2025_11_25;
const MODERN: Revision = Revision::V2026_07_28;

enum Transport {
    Http,
    Stdio,
}

/// One kind of call, and the most that it may cost.
struct Kind {
    transport: Transport,
    revision: Revision,
    method: &'static str,
    params: Value,
    /// What every right answer contains, at least so many times.
    needle: (&'static str, usize),
    allocations: u64,
    bytes: u64,
}

/// A call that is answered without the node.
fn offline() -> Value {
    let address = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
    json!({"name": "validate_address", "arguments": {"address": address}})
}

fn check(kind: Kind) {
    let host = Host::start();
    let mut client = match kind.transport {
        Transport::Http => Client::http(&host, kind.revision, kind.method, kind.params),
        Transport::Stdio => Client::stdio(&host, kind.revision, kind.method, kind.params),
    };
    let answer = client.ask(&host);
    let (needle, count) = kind.needle;
    let text = String::from_utf8_lossy(answer);
    assert!(text.matches(needle).count() >= count, "{text}");
    for _ in 0..WARM {
        client.ask(&host);
    }
    let cost = measure(|| {
        for _ in 0..CALLS {
            client.ask(&host);
        }
    });
    drop(client);
    host.stop();
    let per_call = [cost.count_total, cost.bytes_total].map(|it| it.div_ceil(CALLS));
    let [allocations, bytes] = per_call;
    assert!(
        allocations <= kind.allocations && bytes <= kind.bytes,
        "a call costs {allocations} allocations and {bytes} bytes, more than {} and {}",
        kind.allocations,
        kind.bytes
    );
}

#[test]
fn a_call_over_http_after_a_handshake() {
    check(Kind {
        transport: Transport::Http,
        revision: LEGACY,
        method: "tools/call",
        params: offline(),
        needle: ("\"structuredContent\"", 1),
        allocations: 44,
        bytes: 15_600,
    });
}

#[test]
fn a_call_over_http_without_a_handshake() {
    check(Kind {
        transport: Transport::Http,
        revision: MODERN,
        method: "tools/call",
        params: offline(),
        needle: ("\"structuredContent\"", 1),
        allocations: 62,
        bytes: 18_500,
    });
}

#[test]
fn a_refused_call_over_http() {
    check(Kind {
        transport: Transport::Http,
        revision: LEGACY,
        method: "tools/call",
        params: json!({"name": "validate_address", "arguments": {}}),
        needle: ("\"isError\":true", 1),
        allocations: 43,
        bytes: 14_800,
    });
}

#[test]
fn a_ping_over_http() {
    check(Kind {
        transport: Transport::Http,
        revision: LEGACY,
        method: "ping",
        params: json!({}),
        needle: ("\"result\":{}", 1),
        allocations: 17,
        bytes: 10_500,
    });
}

#[test]
fn a_list_of_tools_over_http() {
    check(Kind {
        transport: Transport::Http,
        revision: LEGACY,
        method: "tools/list",
        params: json!({}),
        needle: ("\"inputSchema\"", 20),
        allocations: 17,
        bytes: 10_000,
    });
}

#[test]
fn a_call_on_stdio() {
    check(Kind {
        transport: Transport::Stdio,
        revision: LEGACY,
        method: "tools/call",
        params: offline(),
        needle: ("\"structuredContent\"", 1),
        allocations: 32,
        bytes: 8_000,
    });
}

/// With what it costs to ask the node and to read its answer.
#[test]
fn a_hundred_rows_of_the_node_over_http() {
    check(Kind {
        transport: Transport::Http,
        revision: LEGACY,
        method: "tools/call",
        params: json!({"name": "list_names", "arguments": {"limit": 100}}),
        needle: ("\\\"owner\\\":", 100),
        allocations: 720,
        bytes: 256_000,
    });
}

/// The allocations of some calls of one tool of a server that has so many.
fn cost_with(tools: usize) -> u64 {
    let name = |n: usize| format!("tool_{n:04}");
    let router = (0..tools).fold(ToolRouter::new(), |router, n| {
        let input = json!({"type": "object"});
        let tool = Tool::new(name(n), "For tests.", input, ToolAnnotations::PURE);
        router.raw_tool(tool, |_| async { CallToolResult::text("done") })
    });
    let server = Server::builder(ServerInfo::new("test", "0")).tools(router);
    let server = server.build().unwrap();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let context = RequestContext::default();
    let call = || {
        let params = json!({"name": name(tools / 2), "arguments": {}});
        let request = Request {
            id: RequestId::Integer(1),
            method: "tools/call".to_owned(),
            params: params.as_object().cloned(),
        };
        let answer = runtime.block_on(server.handle(LEGACY, request, &context));
        assert!(answer.to_vec().windows(4).any(|it| it == b"done"));
    };
    (0..WARM).for_each(|_| call());
    measure(|| (0..CALLS).for_each(|_| call())).count_total
}

#[test]
fn a_call_costs_as_much_with_a_thousand_tools_as_with_ten() {
    assert_eq!(cost_with(10), cost_with(1_000));
}
