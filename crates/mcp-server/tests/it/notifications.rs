//! NotificationStream of changes, for clients that fall behind and clients that are too many.

use std::sync::Arc;

use mcp_protocol::{Revision, ServerInfo, ToolAnnotations};
use mcp_server::{
    CallContext, ChangeNotifier, ListKinds, RequestContext, Server, ServerLimits, ToolRouter,
    tool_schema::NoParams, transport::ClientChannel,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{ask_over, request, said, session};

fn server(changes: &ChangeNotifier, limits: ServerLimits) -> Server {
    Server::builder(ServerInfo::new("test", "0"))
        .tools(ToolRouter::new())
        .list_changed(changes, ListKinds::ALL)
        .limits(limits)
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_client_that_falls_behind_is_notified_that_everything_has_changed() {
    let changes = ChangeNotifier::new();
    let server = server(&changes, ServerLimits::default());
    let (_, _, session) = session(Revision::V2025_11_25);
    let mut notifications = server.notification_stream(&session).unwrap();
    for _ in 0..1_000 {
        changes.resource_updated("test://x");
    }
    let notification: Value = serde_json::from_slice(&notifications.next().await.unwrap()).unwrap();
    assert_eq!(notification["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn r089_a_subscription_is_acknowledged_with_the_supported_kinds_and_can_be_cancelled() {
    let changes = ChangeNotifier::new();
    let server = server(&changes, ServerLimits::default());
    let revision = Revision::V2026_07_28;
    let stopping = CancellationToken::new();
    let (channel, mut outgoing) = ClientChannel::new(stopping.clone());
    let cx = RequestContext::default().with_channel(Arc::new(channel));
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
        let notification = said(outgoing.recv().await.unwrap());
        assert_eq!(notification["method"], "notifications/tools/list_changed");
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
async fn a_listen_request_over_the_limit_is_refused() {
    let changes = ChangeNotifier::new();
    let server = server(&changes, ServerLimits::default().with_listen_requests(1));
    let revision = Revision::V2026_07_28;
    let params = json!({"notifications": {}});
    let (channel, mut outgoing) = ClientChannel::new(CancellationToken::new());
    let channel = Arc::new(channel);
    for _ in 0..2 {
        let cx = RequestContext::default().with_channel(Arc::clone(&channel));
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

#[tokio::test]
async fn progress_is_wanted_by_a_client_with_a_channel_and_a_token() {
    async fn report(_: NoParams, cx: &CallContext) -> String {
        cx.wants_progress().to_string()
    }
    let tools = ToolRouter::new().tool("report", "For tests.", ToolAnnotations::PURE, report);
    let server = Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .build()
        .unwrap();
    let (channel, _outgoing) = ClientChannel::new(CancellationToken::new());
    let channel = Arc::new(channel);
    let revision = Revision::V2026_07_28;
    for (has_channel, has_token) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut cx = RequestContext::default();
        if has_channel {
            cx = cx.with_channel(Arc::clone(&channel));
        }
        let mut params = json!({"name": "report", "arguments": {}});
        if has_token {
            params["_meta"] = json!({"progressToken": "p"});
        }
        let answer = ask_over(&server, revision, "tools/call", params, &cx).await;
        let text = &answer["result"]["content"][0]["text"];
        let expected = (has_channel && has_token).to_string();
        assert_eq!(*text, expected, "{has_channel} {has_token}");
    }
}
