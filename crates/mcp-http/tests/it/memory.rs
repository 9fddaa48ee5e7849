//! One budget for what messages take: large ones are refused when it is spent, ordinary ones are not.

use std::sync::Arc;

use mcp_protocol::{CallToolResult, Revision, ServerInfo};
use mcp_server::{MemoryBudget, Server, ToolRouter};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{
    post::{PER_REQUEST, Post},
    site::{Site, tool},
};

const BUDGET: usize = 1 << 20;

/// A site with a budget, whose tool `wait` waits for a permit, and `fill` answers with so many bytes.
async fn site() -> (Site, MemoryBudget, Arc<Semaphore>) {
    let budget = MemoryBudget::new(BUDGET);
    let releases = Arc::new(Semaphore::new(0));
    let waits = Arc::clone(&releases);
    let tools = ToolRouter::new()
        .raw_tool(tool("wait"), move |_| {
            let waits = Arc::clone(&waits);
            async move {
                waits.acquire().await.unwrap().forget();
                CallToolResult::text("waited")
            }
        })
        .raw_tool(tool("fill"), |arguments| async move {
            let bytes = arguments.get("bytes").and_then(Value::as_u64).unwrap();
            CallToolResult::text("x".repeat(usize::try_from(bytes).unwrap()))
        });
    let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        .tools(tools)
        .memory_budget(budget.clone());
    let server = Arc::new(server.build().unwrap());
    let site =
        Site::start_with(|config| config.endpoints = vec![("/mcp".to_owned(), server)]).await;
    (site, budget, releases)
}

fn ping() -> Post {
    Post::body(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string())
}

/// Waits until this much is used.
async fn used(budget: &MemoryBudget, is_enough: impl Fn(usize) -> bool) {
    crate::client::soon(async {
        while !is_enough(budget.used()) {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn bodies_that_are_withheld_hold_no_more_than_the_budget_and_ordinary_requests_pass() {
    let (site, budget, _) = site().await;
    let body = Post::body(" ".repeat(400_000)).to_bytes();
    let (part, _) = body.split_at(body.len() - 1);
    let mut withheld = Vec::new();
    for _ in 0..2 {
        let mut client = site.client().await;
        client.send(part).await;
        withheld.push(client);
    }
    // The first fits, the second does not.
    used(&budget, |used| used > BUDGET / 2).await;
    let mut refused = site.client().await;
    let answer = refused.ask(&body).await;
    assert_eq!(answer.outcome(), (503, Some(-32603)));
    assert!(budget.used() <= BUDGET);
    let mut client = site.client().await;
    assert_eq!(client.ask(ping().to_bytes()).await.status, 200);
    drop((withheld, refused));
    used(&budget, |used| used == 0).await;
    site.end().await;
}

#[tokio::test]
async fn arguments_count_as_long_as_their_call_takes() {
    for &revision in Revision::ALL {
        let (site, budget, releases) = site().await;
        let many: Vec<u8> = vec![7; 9_000];
        let call = Post::call(revision, "wait", json!({"many": many})).to_bytes();
        let mut first = site.client().await;
        first.send(&call).await;
        used(&budget, |used| used > BUDGET / 2).await;
        // Its client must not hang, or take the server for gone.
        let answer = site.client().await.ask(&call).await;
        assert_eq!(answer.outcome(), (200, Some(-32603)), "{}", revision.name());
        assert_eq!(answer.json()["id"], 1);
        releases.add_permits(1);
        assert_eq!(first.answer().await.outcome(), (200, None));
        used(&budget, |used| used == 0).await;
        site.end().await;
    }
}

#[tokio::test]
async fn a_large_result_counts_until_it_has_been_written() {
    for &revision in Revision::ALL {
        let (site, budget, _) = site().await;
        let mut client = site.client().await;
        for (bytes, expect) in [(500_000, None), (BUDGET + 100_000, Some(-32603))] {
            let fill = Post::call(revision, "fill", json!({"bytes": bytes}));
            let answer = client.ask(fill.to_bytes()).await;
            assert_eq!(answer.outcome(), (200, expect), "{}", revision.name());
            used(&budget, |used| used == 0).await;
        }
        site.end().await;
    }
}

#[tokio::test]
async fn a_batch_counts_as_a_whole() {
    let (site, budget, _) = site().await;
    let mut client = site.client().await;
    // Each result alone fits.
    for (results, expect) in [(2, Value::Null), (3, json!(-32603))] {
        let calls = (0..results).map(|id| {
            let params = json!({"name": "fill", "arguments": {"bytes": 400_000}});
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
        });
        let batch = Value::Array(calls.collect());
        let post = Post::message(Revision::V2025_03_26, &batch);
        let answer = client.ask(post.to_bytes()).await;
        let answers = answer.json();
        for id in 0..results {
            assert_eq!(answers[id]["id"], id);
            assert_eq!(answers[id]["error"]["code"], expect, "{results} results");
        }
        used(&budget, |used| used == 0).await;
    }
    site.end().await;
}

#[tokio::test]
async fn a_large_meta_is_refused_instead_of_kept() {
    let (site, _, _) = site().await;
    let mut client = site.client().await;
    let mut post = Post::call(PER_REQUEST, "fill", json!({"bytes": 1}));
    let mut body: Value = serde_json::from_slice(&post.body).unwrap();
    body["params"]["_meta"]["junk"] = json!(vec![0; 1_000]);
    post.body = body.to_string().into_bytes();
    let answer = client.ask(post.to_bytes()).await;
    assert_eq!(answer.outcome(), (200, Some(-32602)));
    let message = answer.json()["error"]["message"].clone();
    assert_eq!(
        message,
        "Invalid params: _meta may have at most 1000 values"
    );
    site.end().await;
}
