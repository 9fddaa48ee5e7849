//! Stopping: requests in flight finish or are aborted, and nothing is left.

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
    Site::start_with(|config| config.limits.drain_timeout = drain).await
}

const LONG: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_millis(50);

#[tokio::test]
async fn requests_in_flight_finish() {
    for &revision in Revision::ALL {
        let site = site(LONG).await;
        let mut client = site.client().await;
        client
            .send(Post::call(revision, "wait", json!({})).to_bytes())
            .await;
        site.waits.expect(Event::Started).await;
        site.stop.start_draining();
        site.waits.release();
        assert_eq!(client.answer().await.status, 200, "{}", revision.name());
        assert_eq!(client.rest().await, b"");
        site.waits.expect(Event::Finished).await;
        soon(site.task).await.unwrap().unwrap();
        assert!(soon(TcpStream::connect(site.addr)).await.is_err());
    }
}

/// What makes the server end requests in flight.
#[derive(Debug, Clone, Copy)]
enum Impatience {
    Drain,
    SecondStop,
}

#[tokio::test]
async fn requests_that_do_not_finish_in_time_are_answered_with_an_error() {
    for &revision in Revision::ALL {
        for why in [Impatience::Drain, Impatience::SecondStop] {
            let site = site(match why {
                Impatience::Drain => SHORT,
                Impatience::SecondStop => LONG,
            })
            .await;
            let mut client = site.client().await;
            client
                .send(Post::call(revision, "wait", json!({})).to_bytes())
                .await;
            site.waits.expect(Event::Started).await;
            site.stop.escalate();
            if let Impatience::SecondStop = why {
                site.stop.escalate();
            }
            let ended = soon(site.task).await.unwrap().unwrap();
            assert_eq!(ended.unfinished, 1, "{} {why:?}", revision.name());
            // It has ended by now, not just soon.
            site.waits.expect(Event::Dropped).await;
            let answer = client.answer().await;
            assert_eq!(answer.outcome(), (503, Some(-32603)));
            let answer = answer.json();
            assert_eq!(answer["id"], 1);
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.starts_with("The server stopped"), "{message}");
            assert_eq!(client.rest().await, b"");
        }
    }
}

#[tokio::test]
async fn every_request_of_an_unfinished_batch_is_answered() {
    let site = site(SHORT).await;
    let mut client = site.client().await;
    let call = |id: u8| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "wait"}});
    let post = Post::message(Revision::WITHOUT_HEADER, &json!([call(1), call(2)]));
    client.send(post.to_bytes()).await;
    for _ in 0..2 {
        site.waits.expect(Event::Started).await;
    }
    site.stop.start_draining();
    let answer = client.answer().await;
    assert_eq!(answer.status, 503);
    let answers = answer.json();
    for (n, id) in [1, 2].into_iter().enumerate() {
        assert_eq!(
            (&answers[n]["id"], &answers[n]["error"]["code"]),
            (&json!(id), &json!(-32603))
        );
    }
    assert_eq!(soon(site.task).await.unwrap().unwrap().unfinished, 1);
}

#[tokio::test]
async fn a_request_still_being_sent_is_refused() {
    let site = site(SHORT).await;
    let mut client = site.client().await;
    let post = Post::call(Revision::V2025_11_25, "wait", json!({}));
    client.send(post.head("Content-Length: 100")).await;
    client.send("{").await;
    // The server has read the head once it answers on another connection.
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let ping = Post::message(Revision::V2025_11_25, &ping);
    assert_eq!(site.client().await.ask(ping.to_bytes()).await.status, 200);
    site.stop.start_draining();
    assert_eq!(client.answer().await.outcome(), (503, Some(-32603)));
    soon(site.task).await.unwrap().unwrap();
}

#[tokio::test]
async fn idle_connections_do_not_delay_the_stop() {
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
    site.stop.start_draining();
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
