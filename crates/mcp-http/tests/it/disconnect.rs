//! What a disconnect does to a request.
//!
//! The server is given room for one connection: a second one is served once the first is gone for
//! good, which is how a test knows that the disconnect has been noticed.

use mcp_protocol::Revision;
use serde_json::json;

use crate::{
    post::Post,
    site::{Event, Site},
};

async fn site() -> Site {
    Site::start_with(|config| config.limits.connections = 1).await
}

/// Sends the request, leaves once the tool has started, and waits until the server has noticed.
async fn ask_and_leave(site: &Site, post: &Post, half: bool) {
    let mut client = site.client().await;
    client.send(post.to_bytes()).await;
    site.waits.expect(Event::Started).await;
    if half {
        client.finish().await;
        assert_eq!(client.rest().await, b"");
    }
    drop(client);
    let mut next = site.client().await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let post = Post::body(ping.to_string());
    assert_eq!(next.ask(post.to_bytes()).await.status, 200);
}

#[tokio::test]
async fn r071_without_a_session_a_disconnect_cancels() {
    let site = site().await;
    for &revision in Revision::ALL {
        for half in [false, true] {
            let post = Post::call(revision, "wait", json!({}));
            ask_and_leave(&site, &post, half).await;
            site.waits.expect(Event::Dropped).await;
        }
    }
    site.end().await;
}

#[tokio::test]
async fn without_a_session_a_disconnect_cancels_a_batch() {
    let site = site().await;
    let call =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "wait"}});
    let post = Post::message(Revision::WITHOUT_HEADER, &json!([call]));
    ask_and_leave(&site, &post, false).await;
    site.waits.expect(Event::Dropped).await;
    site.end().await;
}
