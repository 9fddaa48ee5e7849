//! Notifications of changes: on the stream of a session, or of `subscriptions/listen`.

use mcp_protocol::{Revision, lifecycle::SUBSCRIPTION_ID};
use serde_json::json;

use crate::client::{Client, Transport};

const TRIGGERS: [(&str, &str); 3] = [
    (
        "test_trigger_tool_change",
        "notifications/tools/list_changed",
    ),
    (
        "test_trigger_prompt_change",
        "notifications/prompts/list_changed",
    ),
    (
        "test_trigger_resource_update",
        "notifications/resources/updated",
    ),
];

#[tokio::test]
async fn r089_clients_that_listen_are_notified_of_changes() {
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            let mut client = Client::open(transport, revision).await;
            let uri = "test://watched-resource";
            if revision.has_handshake() {
                client
                    .request("resources/subscribe", json!({"uri": uri}))
                    .await;
            }
            let wanted = json!({
                "toolsListChanged": true,
                "promptsListChanged": true,
                "resourceSubscriptions": [uri],
            });
            let first = client.listen(wanted.clone()).await;
            let mut id = None;
            if !revision.has_handshake() {
                assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
                assert_eq!(first["params"]["notifications"], wanted);
                id = Some(first["params"]["_meta"][SUBSCRIPTION_ID].clone());
            }
            for (tool, method) in TRIGGERS {
                let heard = client.converse("tools/call", json!({"name": tool})).await;
                // On stdio it may come before the response to the call that caused it.
                let notification = match heard.before.first() {
                    Some(notification) => notification.clone(),
                    None => client.next_notification().await,
                };
                let shown = format!("{tool} at {} on {transport:?}", revision.name());
                assert_eq!(notification["method"], method, "{shown}");
                assert_eq!(
                    notification["params"]["_meta"].get(SUBSCRIPTION_ID),
                    id.as_ref(),
                    "{shown}"
                );
            }
            client.finish().await;
        }
    }
}

#[tokio::test]
async fn r089_only_requested_notifications_are_sent() {
    for transport in Transport::BOTH {
        let mut client = Client::open(transport, Revision::V2026_07_28).await;
        client.listen(json!({"promptsListChanged": true})).await;
        for (tool, _) in TRIGGERS {
            let heard = client.converse("tools/call", json!({"name": tool})).await;
            for notification in heard.before {
                assert_eq!(notification["method"], "notifications/prompts/list_changed");
            }
        }
        client.finish().await;
    }
}

#[tokio::test]
async fn a_list_is_read_again_after_a_change() {
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            let mut client = Client::open(transport, revision).await;
            for (list, member, trigger) in [
                ("tools/list", "tools", "test_trigger_tool_change"),
                ("prompts/list", "prompts", "test_trigger_prompt_change"),
            ] {
                let mut counts = Vec::new();
                for _ in 0..3 {
                    let listed = client.request(list, json!({})).await;
                    counts.push(listed["result"][member].as_array().unwrap().len());
                    client.request("tools/call", json!({"name": trigger})).await;
                }
                assert_eq!(counts[1], counts[0] + 1, "{list}");
                assert_eq!(counts[2], counts[0], "{list}");
            }
            client.finish().await;
        }
    }
}
