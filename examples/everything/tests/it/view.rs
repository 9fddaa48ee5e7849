//! The view of the example, on both transports: linked unless the client is known to show no views, and always readable.

use mcp_protocol::{Revision, lifecycle, ui};
use serde_json::{Value, json};

use crate::client::{Client, Transport};

/// The link of the tool, as a client that declares these extensions sees it.
async fn link(client: &mut Client, extensions: &Value) -> Option<Value> {
    let params = match client.revision.has_handshake() {
        true => json!({}),
        false => json!({"_meta": {lifecycle::CLIENT_CAPABILITIES: {"extensions": extensions}}}),
    };
    let listed = client.request("tools/list", params).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let tool = tools.iter().find(|it| it["name"] == "test_view").unwrap();
    tool.pointer("/_meta/ui/resourceUri").cloned()
}

#[tokio::test]
async fn a_tool_is_linked_to_a_page_that_can_be_read() {
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            for (types, is_linked) in [
                (json!([ui::MIME_TYPE]), true),
                (json!(["text/html"]), false),
            ] {
                let extensions = json!({ui::EXTENSION: {"mimeTypes": types}});
                let mut client = Client::open_with(transport, revision, extensions.clone()).await;
                let linked = link(&mut client, &extensions).await;
                assert_eq!(linked.is_some(), is_linked, "{transport:?} {types}");
                let uri = linked.unwrap_or_else(|| json!("ui://everything/squares.html"));
                let read = client.request("resources/read", json!({"uri": uri})).await;
                let page = &read["result"]["contents"][0];
                assert_eq!(page["mimeType"], ui::MIME_TYPE);
                assert!(
                    page["text"]
                        .as_str()
                        .unwrap()
                        .starts_with("<!DOCTYPE html>")
                );
                let answer = client
                    .request("tools/call", json!({"name": "test_view"}))
                    .await;
                let text = answer["result"]["content"][0]["text"].as_str().unwrap();
                assert_eq!(text, r#"{"squares":[1,4,9,16,25,36,49,64,81]}"#);
                client.finish().await;
            }
        }
    }
}
