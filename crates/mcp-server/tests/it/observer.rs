//! What a program is told of each request, to measure them.

use std::{
    num::NonZeroU32,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use mcp_protocol::{CallToolResult, RequestId, Revision, ServerInfo};
use mcp_server::{
    Extensions, RequestContext, RequestEnd, RequestObserver, RequestOutcome, RequestStart, Server,
    ServerLimits, ToolRouter,
    transport::{ClientChannel, Session},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{ask, ask_over, request, tool};

#[tokio::test]
async fn each_request_is_told_with_its_outcome_and_no_name_is_invented() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let tools = ToolRouter::new()
        .raw_tool(tool("good"), |_| async { CallToolResult::text("yes") })
        .raw_tool(tool("bad"), |_| async { CallToolResult::error("no") })
        .raw_tool(tool("broken"), |_| async { panic!("as asked") });
    let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        .tools(tools)
        .legacy_method_names()
        .observer(move |it: &RequestEnd<'_>| {
            let method = it.method.map(str::to_owned);
            let name = it.name.map(str::to_owned);
            seen.lock()
                .unwrap()
                .push((it.revision, method, name, it.outcome));
        })
        .build()
        .unwrap();
    let (old, new) = (Revision::V2025_11_25, Revision::V2026_07_28);
    for (revision, method, params, named, outcome) in [
        (old, "ping", json!({}), None, RequestOutcome::Result),
        (new, "tools/list", json!({}), None, RequestOutcome::Result),
        (
            new,
            "tools/call",
            json!({"name": "good"}),
            Some("good"),
            RequestOutcome::Result,
        ),
        (
            old,
            "call_tool",
            json!({"tool": "bad"}),
            Some("bad"),
            RequestOutcome::ToolError,
        ),
        (
            new,
            "tools/call",
            json!({"name": "bad"}),
            Some("bad"),
            RequestOutcome::ToolError,
        ),
        (
            new,
            "tools/call",
            json!({"name": "broken"}),
            Some("broken"),
            RequestOutcome::Error(-32603),
        ),
        (
            new,
            "tools/call",
            json!({"name": "none"}),
            Some("none"),
            RequestOutcome::Error(-32602),
        ),
        (
            new,
            "tools/call",
            json!({"name": 1}),
            None,
            RequestOutcome::Error(-32602),
        ),
        (
            new,
            "invented",
            json!({"name": "x"}),
            None,
            RequestOutcome::Error(-32601),
        ),
    ] {
        ask(&server, revision, method, params).await;
        let known = (method != "invented").then(|| method.to_owned());
        let expected = (revision, known, named.map(str::to_owned), outcome);
        assert_eq!(told.lock().unwrap().pop(), Some(expected));
        assert!(told.lock().unwrap().is_empty(), "once");
    }
}

/// A limit that is met is not an error of the tool.
#[tokio::test]
async fn a_call_that_is_refused_is_told_as_such() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let once = ServerLimits::default().with_total_calls_per_second(NonZeroU32::new(1));
    let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        .tools(ToolRouter::new().raw_tool(tool("good"), |_| async { CallToolResult::text("yes") }))
        .limits(once)
        .observer(move |it: &RequestEnd<'_>| seen.lock().unwrap().push(it.outcome))
        .build()
        .unwrap();
    for _ in 0..2 {
        let params = json!({"name": "good"});
        ask(&server, Revision::V2025_11_25, "tools/call", params).await;
    }
    let told = told.lock().unwrap().clone();
    assert_eq!(told, [RequestOutcome::Result, RequestOutcome::Refused]);
}

struct Mark(u8);

/// The id, the client and the mark of a request.
type Told = (RequestId, Option<String>, Option<u8>);

/// Marks some requests, and notes what is known of those that were answered.
struct Marking {
    listens: Arc<AtomicBool>,
    told: Arc<Mutex<Vec<Told>>>,
}

impl RequestObserver for Marking {
    fn is_enabled(&self) -> bool {
        self.listens.load(Ordering::Relaxed)
    }

    fn on_request(&self, it: &RequestStart<'_>, extensions: &mut Extensions) {
        if it.name == Some("marked") && it.meta.is_some_and(|it| it.contains_key("marked")) {
            extensions.insert(Mark(7));
        }
    }

    fn on_response(&self, it: &RequestEnd<'_>) {
        let mark = it.extensions.get::<Mark>().map(|it| it.0);
        let client = it.client.map(str::to_owned);
        self.told
            .lock()
            .unwrap()
            .push((it.id.clone(), client, mark));
    }
}

#[tokio::test]
async fn what_is_added_when_a_request_begins_is_there_until_it_is_answered() {
    let told = Arc::default();
    let listens = Arc::new(AtomicBool::new(true));
    let tools = ToolRouter::new().raw_tool_with_context(tool("marked"), |_, cx| {
        Box::pin(async move {
            let mark = cx.extensions().get::<Mark>().map(|it| it.0);
            Ok(CallToolResult::text(format!("{mark:?}")))
        })
    });
    let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        .tools(tools)
        .observer(Marking {
            listens: Arc::clone(&listens),
            told: Arc::clone(&told),
        })
        .build()
        .unwrap();
    let info = json!({"name": "tester", "version": "1"});
    let meta = json!({"marked": true, "io.modelcontextprotocol/clientInfo": info});
    let params = json!({"name": "marked", "_meta": meta});
    let new = Revision::V2026_07_28;
    let answer = ask(&server, new, "tools/call", params.clone()).await;
    assert_eq!(answer["result"]["content"][0]["text"], "Some(7)");
    let (_, client, mark) = told.lock().unwrap().pop().unwrap();
    assert_eq!((client.as_deref(), mark), (Some("tester"), Some(7)));
    listens.store(false, Ordering::Relaxed);
    ask(&server, new, "tools/call", params).await;
    assert!(told.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_client_has_the_name_that_it_gave_when_its_session_began() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        .observer(move |it: &RequestEnd<'_>| {
            seen.lock().unwrap().push(it.client.map(str::to_owned));
        })
        .build()
        .unwrap();
    let old = Revision::V2025_11_25;
    for (info, expected) in [
        (json!({"name": "tester", "version": "1"}), Some("tester")),
        (json!({"version": "1"}), None),
    ] {
        let params = json!({"capabilities": {}, "clientInfo": info});
        let session = Session::open(old, &request(old, "initialize", params));
        let (channel, _outgoing) = ClientChannel::new(CancellationToken::new());
        let channel = channel.with_session(Arc::new(session));
        let cx = RequestContext::default().with_channel(Arc::new(channel));
        ask_over(&server, old, "ping", json!({}), &cx).await;
        assert_eq!(told.lock().unwrap().pop().unwrap().as_deref(), expected);
    }
}
