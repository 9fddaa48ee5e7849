//! How a stream ends.

use std::time::Duration;

use serde_json::json;

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

#[tokio::test]
async fn r081_requests_longer_than_the_grace_are_dropped() {
    let mut talk = Talk::start(mcp_stdio::Limits::default().with_grace(Duration::from_millis(20)));
    talk.ask(&crate::initialize("2025-06-18")).await;
    talk.say(&call(1, "wait")).await;
    assert!(talk.finish().await.is_empty());
}

#[tokio::test]
async fn a_last_line_without_a_line_feed_is_read() {
    let mut talk = Talk::start(mcp_stdio::Limits::default());
    let input = talk.input.as_mut().unwrap();
    let line = request(1, "ping", json!({})).to_string();
    soon(tokio::io::AsyncWriteExt::write_all(input, line.as_bytes()))
        .await
        .unwrap();
    assert_eq!(talk.finish().await.len(), 1);
}

#[tokio::test]
async fn a_stop_aborts_requests_in_flight() {
    let mut talk = Talk::opened("2025-06-18").await;
    talk.say(&call(1, "wait")).await;
    talk.ask(&request(2, "ping", json!({}))).await;
    talk.stop.cancel();
    assert_eq!(talk.hear().await, None);
    soon(talk.served).await.unwrap().unwrap();
}

#[tokio::test]
async fn closing_the_output_ends_the_stream_without_an_error() {
    let mut talk = Talk::opened("2025-06-18").await;
    talk.say(&call(1, "wait")).await;
    drop((talk.input, talk.output));
    talk.release.notify_one();
    soon(talk.served).await.unwrap().unwrap();
}
