//! Stopping: what is in flight finishes or is ended, and nothing is left.

use std::time::Duration;

use mcp_protocol::Revision;
use serde_json::json;
use tokio::net::TcpStream;

use crate::{
    client::soon,
    post::{PER_REQUEST, Post},
    site::{Event, Site},
};

async fn site(drain: Duration) -> Site {
    Site::start_with(|config| config.limits.drain = drain).await
}

const LONG: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_millis(50);

#[tokio::test]
async fn what_is_in_flight_finishes() {
    for &revision in Revision::ALL {
        let site = site(LONG).await;
        let mut client = site.client().await;
        client
            .send(Post::call(revision, "wait", json!({})).to_bytes())
            .await;
        site.waits.expect(Event::Started).await;
        site.stop.cancel();
        site.waits.release();
        assert_eq!(client.answer().await.status, 200, "{}", revision.name());
        assert_eq!(client.rest().await, b"");
        site.waits.expect(Event::Finished).await;
        soon(site.task).await.unwrap().unwrap();
        assert!(soon(TcpStream::connect(site.addr)).await.is_err());
    }
}

#[tokio::test]
async fn what_does_not_finish_in_time_is_ended() {
    for &revision in Revision::ALL {
        let site = site(SHORT).await;
        let mut client = site.client().await;
        client
            .send(Post::call(revision, "wait", json!({})).to_bytes())
            .await;
        site.waits.expect(Event::Started).await;
        site.stop.cancel();
        soon(site.task).await.unwrap().unwrap();
        // It has ended by now, not just soon.
        site.waits.expect(Event::Dropped).await;
        let rest = String::from_utf8(client.rest().await).unwrap();
        assert!(!rest.contains("200 OK"), "{rest}");
    }
}

#[tokio::test]
async fn work_without_a_client_is_waited_for_as_well() {
    for drain in [LONG, SHORT] {
        let site = site(drain).await;
        let mut client = site.client().await;
        client
            .send(Post::call(Revision::V2025_11_25, "wait", json!({})).to_bytes())
            .await;
        site.waits.expect(Event::Started).await;
        drop(client);
        site.stop.cancel();
        if drain == LONG {
            site.waits.release();
            site.waits.expect(Event::Finished).await;
        }
        soon(site.task).await.unwrap().unwrap();
        if drain == SHORT {
            site.waits.expect(Event::Dropped).await;
        }
    }
}

#[tokio::test]
async fn idle_connections_hold_nobody_up() {
    let site = site(LONG).await;
    let mut fresh = site.client().await;
    let mut used = site.client().await;
    assert_eq!(
        used.ask(Post::call(PER_REQUEST, "echo", json!({})).to_bytes())
            .await
            .status,
        200
    );
    let mut refused = site.client().await;
    assert_eq!(
        refused
            .ask("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .await
            .status,
        404
    );
    site.stop.cancel();
    soon(site.task).await.unwrap().unwrap();
    for client in [&mut fresh, &mut used, &mut refused] {
        assert_eq!(client.rest().await, b"");
    }
}

#[tokio::test]
async fn dropping_the_server_ends_everything() {
    for &revision in Revision::ALL {
        let site = site(LONG).await;
        let mut client = site.client().await;
        client
            .send(Post::call(revision, "wait", json!({})).to_bytes())
            .await;
        site.waits.expect(Event::Started).await;
        site.task.abort();
        site.waits.expect(Event::Dropped).await;
        assert_eq!(client.rest().await, b"");
    }
}
