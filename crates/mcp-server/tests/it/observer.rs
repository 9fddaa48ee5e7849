//! What a program is told of each request, to measure them.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use mcp_protocol::{CallToolResult, Revision, ServerInfo};
use mcp_server::{Extensions, RequestOutcome, Server, ToolRouter};
use serde_json::json;

use crate::{ask, tool};

#[tokio::test]
async fn each_request_is_told_with_its_outcome_and_no_name_is_invented() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let tools = ToolRouter::new()
        .with(tool("good"), |_| async { CallToolResult::text("yes") })
        .with(tool("bad"), |_| async { CallToolResult::error("no") })
        .with(tool("broken"), |_| async { panic!("as asked") });
    let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        .tools(tools)
        .legacy_method_names()
        .observer(move |it| {
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

#[tokio::test]
async fn what_is_added_when_a_request_begins_is_there_until_it_is_answered() {
    struct Mark(u8);
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let listens = Arc::new(AtomicBool::new(true));
    let is_on = Arc::clone(&listens);
    let tools = ToolRouter::new().with_context(tool("marked"), |_, cx| {
        Box::pin(async move {
            let mark = cx.extensions().get::<Mark>().map(|it| it.0);
            Ok(CallToolResult::text(format!("{mark:?}")))
        })
    });
    let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        .tools(tools)
        .on_request(|it| {
            let mut added = Extensions::new();
            if it.name == Some("marked") && it.meta.is_some_and(|it| it.contains_key("marked")) {
                added.insert(Mark(7));
            }
            added
        })
        .observer_while(
            move || is_on.load(Ordering::Relaxed),
            move |it| {
                let mark = it.extensions.get::<Mark>().map(|it| it.0);
                let client = it.client.map(str::to_owned);
                seen.lock().unwrap().push((it.id.clone(), client, mark));
            },
        )
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
