//! How a stream ends.

use std::{sync::Arc, time::Duration};

use mcp_protocol::ServerInfo;
use mcp_server::Server;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::{Talk, call, request, soon};

#[tokio::test]
async fn r081_requests_in_flight_at_the_end_of_input_are_answered() {
    let mut talk = Talk::opened("2025-06-18").await;
    talk.say(&call(1, "wait")).await;
    talk.release.notify_one();
    let said = talk.finish().await;
    assert_eq!(said.len(), 1);
    assert_eq!(said[0]["id"], 1);
}

/// The ids of these errors, each of which says that the server stopped.
fn stopped(said: &[Value]) -> Vec<Value> {
    let errors = said.iter().flat_map(|it| match it {
        Value::Array(batch) => batch.clone(),
        one => vec![one.clone()],
    });
    let ids = errors.map(|it| {
        let message = it["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("The server stopped"), "{message}");
        it["id"].clone()
    });
    ids.collect()
}

#[tokio::test]
async fn r081_requests_longer_than_the_grace_are_answered_with_an_error() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let limits = mcp_stdio::StdioLimits::default().with_grace_period(Duration::from_millis(20));
        let mut talk = Talk::start(limits);
        talk.ask(&crate::initialize(revision)).await;
        talk.say(&call("a", "wait")).await;
        let (said, ended) = talk.end().await;
        assert_eq!(stopped(&said), ["a"], "{revision}");
        assert_eq!(ended.unfinished, 1);
    }
}

#[tokio::test]
async fn every_request_of_an_unfinished_batch_is_answered_in_one_array() {
    let limits = mcp_stdio::StdioLimits::default().with_grace_period(Duration::from_millis(20));
    let mut talk = Talk::start(limits);
    talk.ask(&crate::initialize("2025-03-26")).await;
    let batch = json!([call(1, "wait"), call(2, "echo"), call("c", "wait")]);
    talk.say(&batch).await;
    let (said, ended) = talk.end().await;
    assert!(said[0].is_array(), "{said:?}");
    assert_eq!(stopped(&said), [json!(1), json!(2), json!("c")]);
    assert_eq!(ended.unfinished, 1);
}

#[tokio::test]
async fn a_last_line_without_a_line_feed_is_read() {
    let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
    let input = talk.input.as_mut().unwrap();
    let line = request(1, "ping", json!({})).to_string();
    soon(AsyncWriteExt::write_all(input, line.as_bytes()))
        .await
        .unwrap();
    assert_eq!(talk.finish().await.len(), 1);
}

#[tokio::test]
async fn a_stop_lets_requests_in_flight_finish() {
    let mut talk = Talk::opened("2025-06-18").await;
    talk.say(&call(1, "wait")).await;
    talk.ask(&request(2, "ping", json!({}))).await;
    talk.stop.escalate();
    talk.release.notify_one();
    assert_eq!(talk.hear().await.unwrap()["id"], 1);
    assert_eq!(talk.hear().await, None);
    assert_eq!(soon(talk.served).await.unwrap().unwrap().unfinished, 0);
}

#[tokio::test]
async fn two_of_stops_and_the_end_of_input_end_at_once_in_any_order() {
    for input_ends in [None, Some(0), Some(1)] {
        let mut talk = Talk::opened("2025-06-18").await;
        talk.say(&call(1, "wait")).await;
        talk.ask(&request(2, "ping", json!({}))).await;
        for time in 0..2 {
            if input_ends == Some(time) {
                drop(soon(talk.input.as_mut().unwrap().shutdown()).await);
            } else {
                talk.stop.escalate();
            }
            // What came first is noticed first.
            tokio::task::yield_now().await;
        }
        let said = talk.hear().await.unwrap();
        assert_eq!(stopped(&[said]), [1], "{input_ends:?}");
        assert_eq!(talk.hear().await, None);
        assert_eq!(soon(talk.served).await.unwrap().unwrap().unfinished, 1);
    }
}

#[tokio::test]
async fn closing_the_output_ends_the_stream_without_an_error() {
    let mut talk = Talk::opened("2025-06-18").await;
    talk.say(&call(1, "wait")).await;
    drop((talk.input, talk.output));
    talk.release.notify_one();
    soon(talk.served).await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_no_more_is_not_waited_for() {
    let server = Server::builder(ServerInfo::new("example", "1.0.0"));
    let server = Arc::new(server.build().unwrap());
    let ping = request(1, "ping", json!({})).to_string();
    let input = format!("{ping}\n").repeat(9);
    // Room for less than the answers; the other end is open, and not read.
    let (output, _other_end) = tokio::io::duplex(64);
    let begun = Instant::now();
    let limits = mcp_stdio::StdioLimits::default();
    let stop = CancellationToken::new();
    let ended = mcp_stdio::serve(server, input.as_bytes(), output, stop, limits).await;
    assert_eq!(ended.unwrap().unfinished, 1);
    let took = begun.elapsed();
    assert!(took <= Duration::from_secs(5), "{took:?}");
}
