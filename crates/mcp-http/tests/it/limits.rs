//! Limits: a peer cannot send too much, take too long, or occupy every connection.

use std::time::Duration;

use mcp_http::HttpLimits;
use serde_json::json;

use crate::{
    client::soon,
    post::{PER_REQUEST, Post},
    site::{Event, Site},
};

/// The limit under test, short enough to wait for.
const SHORT: Duration = Duration::from_millis(50);
const NEVER: Duration = Duration::from_secs(3600);

async fn site(limits: HttpLimits) -> Site {
    Site::start_with(|config| config.limits = limits).await
}

fn patient() -> HttpLimits {
    HttpLimits::default()
        .with_header_timeout(NEVER)
        .with_body_timeout(NEVER)
        .with_idle_timeout(NEVER)
        .with_first_request_timeout(NEVER)
        .with_write_timeout(NEVER)
}

fn call() -> Post {
    Post::call(PER_REQUEST, "echo", json!({}))
}

#[tokio::test]
async fn r073_a_huge_body_is_refused_and_the_connection_closed() {
    let limits = patient().with_body_bytes(1000);
    let site = site(limits).await;
    let mut client = site.client().await;
    let fitting = Post::body(" ".repeat(1000));
    assert_eq!(
        client.ask(fitting.to_bytes()).await.outcome(),
        (400, Some(-32700))
    );

    let chunk = |len: usize| format!("{len:x}\r\n{}\r\n", "x".repeat(len)).into_bytes();
    let too_large = Post::body(" ".repeat(1001));
    let announced = too_large.head("Content-Length: 99999999999999");
    let chunked = |chunks: Vec<Vec<u8>>| {
        [
            too_large.head("Transfer-Encoding: chunked"),
            chunks.concat(),
        ]
        .concat()
    };
    for request in [
        too_large.to_bytes(),
        announced,
        too_large.head("Content-Length: 1001\r\nExpect: 100-continue"),
        chunked(vec![chunk(1001)]),
        chunked(vec![chunk(600), chunk(600)]),
        // Refused long before it ends.
        Post::body(" ".repeat(6_000_000)).to_bytes(),
        chunked(vec![chunk(600); 5000]),
    ] {
        let mut client = site.client().await;
        let answer = client.ask(request).await;
        assert_eq!(answer.outcome(), (413, Some(-32600)));
        assert_eq!(answer.header("connection"), Some("close"));
        assert_eq!(client.rest().await, b"");
    }
    site.end().await;
}

#[tokio::test]
async fn a_body_that_never_arrives_times_out() {
    let site = site(patient().with_body_timeout(SHORT)).await;
    for framing in ["Content-Length: 10", "Transfer-Encoding: chunked"] {
        let mut client = site.client().await;
        let answer = client
            .ask([call().head(framing), b"5\r\n".to_vec()].concat())
            .await;
        assert_eq!(answer.outcome(), (408, Some(-32600)));
        assert_eq!(answer.header("connection"), Some("close"));
        client.finish().await;
        assert_eq!(client.rest().await, b"");
    }
    site.end().await;
}

#[tokio::test]
async fn a_head_that_never_ends_times_out_while_idle_connections_stay() {
    let site = site(patient().with_header_timeout(SHORT)).await;
    let mut idle = site.client().await;
    assert_eq!(idle.ask(call().to_bytes()).await.status, 200);
    let mut fresh = site.client().await;
    for part in ["P", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"] {
        let mut client = site.client().await;
        client.send(part).await;
        assert_eq!(client.rest().await, b"", "{part}");
    }
    // The timeout that closed the others has passed for these too.
    assert_eq!(idle.ask(call().to_bytes()).await.status, 200);
    assert_eq!(fresh.ask(call().to_bytes()).await.status, 200);
    idle.send("POST /mcp").await;
    assert_eq!(idle.rest().await, b"");
    site.end().await;
}

#[tokio::test]
async fn a_connection_whose_first_request_does_not_come_ends_before_an_idle_one() {
    let site = site(patient().with_first_request_timeout(SHORT)).await;
    let mut idle = site.client().await;
    assert_eq!(idle.ask(call().to_bytes()).await.status, 200);
    let mut silent = site.client().await;
    assert_eq!(silent.rest().await, b"");
    assert_eq!(idle.ask(call().to_bytes()).await.status, 200);
    site.end().await;
}

#[tokio::test]
async fn a_connection_without_requests_ends_while_a_busy_one_stays() {
    let site = site(patient().with_idle_timeout(SHORT)).await;
    let mut busy = site.client().await;
    busy.send(Post::call(PER_REQUEST, "wait", json!({})).to_bytes())
        .await;
    site.waits.expect(Event::Started).await;

    let mut silent = site.client().await;
    assert_eq!(silent.rest().await, b"");
    let mut once = site.client().await;
    assert_eq!(once.ask(call().to_bytes()).await.status, 200);
    assert_eq!(once.rest().await, b"");

    site.waits.release();
    assert_eq!(busy.answer().await.status, 200);
    assert_eq!(busy.rest().await, b"");
    site.end().await;
}

#[tokio::test]
async fn a_peer_that_does_not_read_its_responses_loses_its_connection() {
    let limits = patient().with_write_timeout(SHORT).with_connections(1);
    let site = site(limits).await;
    let mut deaf = site.client().await;
    let fill = Post::call(PER_REQUEST, "fill", json!({"bytes": 4_000_000})).to_bytes();
    // More than the buffers of both sides can hold.
    let took_all = deaf.try_send(&fill.repeat(20)).await;

    let mut next = site.client().await;
    assert_eq!(next.ask(call().to_bytes()).await.status, 200);
    let rest = deaf.rest().await;
    assert!(rest.len() < 80_000_000, "{took_all}, {}", rest.len());
    site.end().await;
}

/// The buffer of the system for a client is in no budget.
#[tokio::test]
async fn a_peer_that_does_not_read_has_little_held_for_it_and_nothing_once_its_connection_is_lost()
{
    let limits = patient().with_write_timeout(SHORT).with_connections(1);
    let site = site(limits).await;
    let mut deaf = site.client().await;
    let fill = Post::call(PER_REQUEST, "fill", json!({"bytes": 4_000_000}));
    deaf.send(fill.to_bytes()).await;
    let mut next = site.client().await;
    assert_eq!(next.ask(call().to_bytes()).await.status, 200);
    let rest = deaf.rest().await;
    assert!(rest.len() < 500_000, "{}", rest.len());
    site.end().await;
}

#[tokio::test]
async fn a_connection_over_the_limit_replaces_the_one_idle_for_longest() {
    let site = site(patient().with_connections(3)).await;
    let body = call().to_bytes();
    let (part, _) = body.split_at(body.len() - 1);
    let mut silent = site.client().await;
    assert_eq!(silent.ask(call().to_bytes()).await.status, 200);
    let mut in_body = site.client().await;
    in_body.send(part).await;
    let mut busy = site.client().await;
    busy.send(Post::call(PER_REQUEST, "wait", json!({})).to_bytes())
        .await;
    site.waits.expect(Event::Started).await;

    let mut next = site.client().await;
    assert_eq!(next.ask(call().to_bytes()).await.status, 200);
    assert_eq!(silent.rest().await, b"");
    let mut after = site.client().await;
    assert_eq!(after.ask(call().to_bytes()).await.status, 200);
    assert_eq!(in_body.rest().await, b"");
    site.waits.release();
    assert_eq!(busy.answer().await.status, 200);
    site.end().await;
}

/// A client that is never idle for long: only its share of the connections tells it from others.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_address_with_most_connections_makes_room_for_others() {
    let site = site(patient().with_connections(4)).await;
    let ping = Post::body(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string());
    let mut good = site.client().await;
    assert_eq!(good.ask(ping.to_bytes()).await.status, 200);
    let mut greedy = Vec::new();
    for _ in 0..20 {
        let mut client = crate::client::Client::connect_from("127.0.0.2", site.addr).await;
        client.send(ping.to_bytes()).await;
        greedy.push(client);
    }
    // The newest has been accepted, however busy the others are.
    assert_eq!(greedy[19].answer().await.status, 200);
    assert_eq!(good.ask(ping.to_bytes()).await.status, 200);
    let mut other = site.client().await;
    assert_eq!(other.ask(ping.to_bytes()).await.status, 200);
    site.end().await;
}

#[tokio::test]
async fn a_connection_over_the_limit_waits_while_all_others_are_busy() {
    let site = site(patient().with_connections(2)).await;
    let wait = Post::call(PER_REQUEST, "wait", json!({})).to_bytes();
    let (mut first, mut second) = (site.client().await, site.client().await);
    for client in [&mut first, &mut second] {
        client.send(&wait).await;
        site.waits.expect(Event::Started).await;
    }
    let mut third = site.client().await;
    third.send(&wait).await;
    site.waits.expect_no_more().await;
    drop(second);
    site.waits.expect(Event::Dropped).await;
    site.waits.expect(Event::Started).await;
    site.waits.release();
    site.waits.release();
    assert_eq!(first.answer().await.status, 200);
    assert_eq!(third.answer().await.status, 200);
    site.end().await;
}

#[tokio::test]
async fn long_heads_and_targets_are_refused() {
    let limits = patient().with_header_bytes(2000).with_target_bytes(100);
    let site = site(limits).await;
    let mut client = site.client().await;
    let just_fits = call().with("X-Fill", &"x".repeat(1500));
    assert_eq!(client.ask(just_fits.to_bytes()).await.status, 200);
    let mut post = call();
    post.target = format!("/mcp?{}", "x".repeat(95));
    assert_eq!(client.ask(post.to_bytes()).await.status, 200);

    post.target.push('x');
    assert_eq!(
        client.ask(post.to_bytes()).await.outcome(),
        (414, Some(-32600))
    );
    assert_eq!(client.rest().await, b"");
    let mut client = site.client().await;
    let too_long = call().with("X-Fill", &"x".repeat(2000));
    assert_eq!(
        client.ask(too_long.to_bytes()).await.outcome(),
        (431, Some(-32600))
    );
    assert_eq!(client.rest().await, b"");

    // hyper refuses a head far beyond the limit.
    for request in [
        call().with("X-Fill", &"x".repeat(1_000_000)).to_bytes(),
        (0..200)
            .fold(call(), |post, n| post.with(&format!("X-{n}"), "y"))
            .to_bytes(),
    ] {
        let mut client = site.client().await;
        client.try_send(&request).await;
        let rest = String::from_utf8(client.rest().await).unwrap();
        assert!(rest.starts_with("HTTP/1.1 431 "), "{rest}");
    }
    site.end().await;
}

#[tokio::test]
async fn bytes_other_than_http_are_refused() {
    let site = site(patient()).await;
    for request in [
        "hello\r\n\r\n",
        "{\"jsonrpc\":\"2.0\"}\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nHost localhost\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\x7c\x03\x03\r\n\r\n",
    ] {
        let mut client = site.client().await;
        client.send(request).await;
        let rest = String::from_utf8(client.rest().await).unwrap();
        assert!(rest.starts_with("HTTP/1.1 400 "), "{request:?}: {rest:?}");
    }
    let mut left = site.client().await;
    left.send([call().head("Content-Length: 10"), b"{".to_vec()].concat())
        .await;
    left.finish().await;
    let answer = String::from_utf8(left.rest().await).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    soon(site.end()).await;
}
