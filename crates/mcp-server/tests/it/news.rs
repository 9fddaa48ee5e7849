//! News of changes, for those who fall behind and those who are too many.

use std::sync::Arc;

use mcp_protocol::{Revision, ServerInfo};
use mcp_server::{CallContext, Changes, Limits, Link, OUTGOING, Server, Toolbox};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{ask_over, request, said, session};

fn server(changes: &Changes, limits: Limits) -> Server {
    Server::builder(ServerInfo::new("test", "0"))
        .tools(Toolbox::new())
        .changes(changes)
        .limits(limits)
        .build()
}

#[tokio::test]
async fn whoever_falls_behind_is_told_that_everything_has_changed() {
    let changes = Changes::new();
    let server = server(&changes, Limits::default());
    let (_, _, session) = session(Revision::V2025_11_25);
    let mut feed = server.feed(&session).unwrap();
    for _ in 0..1_000 {
        changes.resource_updated("test://x");
    }
    let news: Value = serde_json::from_slice(&feed.next().await.unwrap()).unwrap();
    assert_eq!(news["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn r089_a_subscription_is_acknowledged_with_what_is_offered_and_ends_when_told_to() {
    let changes = Changes::new();
    let server = server(&changes, Limits::default());
    let revision = Revision::V2026_07_28;
    let (sender, mut outgoing) = mpsc::channel(OUTGOING);
    let stopping = CancellationToken::new();
    let cx = CallContext::over(Arc::new(Link::new(sender, stopping.clone())));
    let wanted = json!({
        "toolsListChanged": true,
        "promptsListChanged": true,
        "resourcesListChanged": false,
        "resourceSubscriptions": ["test://x"],
        "unknown": true,
    });
    let params = json!({"notifications": wanted});
    let listening = ask_over(&server, revision, "subscriptions/listen", params, &cx);
    let heard = async {
        let first = said(outgoing.recv().await.unwrap());
        assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
        assert_eq!(
            first["params"]["notifications"],
            json!({"toolsListChanged": true})
        );
        changes.prompts_changed();
        changes.resource_updated("test://x");
        changes.tools_changed();
        let news = said(outgoing.recv().await.unwrap());
        assert_eq!(news["method"], "notifications/tools/list_changed");
        stopping.cancel();
    };
    let (ended, ()) = tokio::join!(listening, heard);
    assert_eq!(ended["result"]["resultType"], "complete");
    assert_eq!(
        ended["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        1
    );
}

#[tokio::test]
async fn one_subscription_too_many_is_refused_until_another_ends() {
    let changes = Changes::new();
    let server = server(
        &changes,
        Limits {
            subscriptions: 1,
            ..Limits::default()
        },
    );
    let revision = Revision::V2026_07_28;
    let params = json!({"notifications": {}});
    let (sender, mut outgoing) = mpsc::channel(OUTGOING);
    let link = Arc::new(Link::new(sender, CancellationToken::new()));
    for _ in 0..2 {
        let cx = CallContext::over(Arc::clone(&link));
        let listen = request(revision, "subscriptions/listen", params.clone());
        let mut first = Box::pin(server.handle(revision, listen, &cx));
        tokio::select! {
            _ = &mut first => panic!("it listens"),
            said = outgoing.recv() => assert!(said.is_some()),
        }
        let second = ask_over(
            &server,
            revision,
            "subscriptions/listen",
            params.clone(),
            &cx,
        )
        .await;
        assert_eq!(second["error"]["code"], -32600);
        drop(first);
    }
}
