//! Tests of each fault from the client's side of the wire.

use std::{io::ErrorKind, time::Duration};

use tokio::{
    io::AsyncReadExt,
    net::TcpStream,
    time::{Instant, timeout},
};

use qortal_testnode::{Fault, Scenario, TestNode};

use crate::client::{get, send};

const TARGET: &str = "/names/chloe";
/// Timeout for data that is expected.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time for which silence is verified.
const SILENCE: Duration = Duration::from_millis(150);

async fn node_with(fault: Fault) -> TestNode {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.fault("/names/*", fault);
    node
}

/// Returns all bytes until the connection ends, and the way it ended.
async fn wire(node: &TestNode) -> (Vec<u8>, std::io::Result<()>) {
    let mut stream = send(node.url(), "GET", TARGET, &[], "").await;
    let mut bytes = Vec::new();
    let ended = timeout(PATIENCE, stream.read_to_end(&mut bytes))
        .await
        .unwrap();
    (bytes, ended.map(drop))
}

/// Waits for the expected bytes, then verifies the silence after them.
async fn expect_then_silence(node: &TestNode, expected: &str) {
    let mut stream = send(node.url(), "GET", TARGET, &[], "").await;
    let mut bytes = vec![0; expected.len()];
    timeout(PATIENCE, stream.read_exact(&mut bytes))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    let more = timeout(SILENCE, stream.read(&mut [0; 1])).await;
    assert!(more.is_err(), "silence was broken: {more:?}");
}

fn body_of(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).into_owned();
    text.split_once("\r\n\r\n").unwrap().1.to_owned()
}

#[tokio::test]
async fn a_refusing_node_has_a_closed_port_until_the_faults_are_cleared() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let host = node.url().strip_prefix("http://").unwrap().to_owned();
    node.fault("*", Fault::Refuse);
    assert_eq!(
        TcpStream::connect(&host).await.unwrap_err().kind(),
        ErrorKind::ConnectionRefused
    );
    node.clear_faults();
    assert_eq!(get(node.url(), TARGET).await.status, 200);
    node.stop().await;
}

#[tokio::test]
async fn a_reset_comes_before_any_byte() {
    let node = node_with(Fault::ResetBeforeResponse).await;
    let (bytes, ended) = wire(&node).await;
    assert!(bytes.is_empty());
    assert_eq!(ended.unwrap_err().kind(), ErrorKind::ConnectionReset);
    node.stop().await;
}

#[tokio::test]
async fn a_stall_before_headers_is_silence() {
    let node = node_with(Fault::StallBeforeHeaders).await;
    expect_then_silence(&node, "").await;
    node.stop().await;
}

#[tokio::test]
async fn a_stall_after_headers_announces_the_body() {
    let node = node_with(Fault::StallAfterHeaders).await;
    let head =
        "HTTP/1.1 200 Simulated\r\ncontent-length: 164\r\ncontent-type: application/json\r\n\r\n";
    expect_then_silence(&node, head).await;
    node.stop().await;
}

#[tokio::test]
async fn a_truncated_body_ends_in_the_middle() {
    let node = node_with(Fault::TruncateBody).await;
    let (bytes, ended) = wire(&node).await;
    ended.unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("content-length: 164\r\n"));
    assert_eq!(body_of(&bytes).len(), 82);
    node.stop().await;
}

#[tokio::test]
async fn a_wrong_length_is_half_of_what_is_sent() {
    let node = node_with(Fault::WrongLength).await;
    let (bytes, ended) = wire(&node).await;
    ended.unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("content-length: 82\r\n"));
    assert_eq!(body_of(&bytes).len(), 164);
    node.stop().await;
}

#[tokio::test]
async fn a_slow_answer_is_whole_in_the_end() {
    let node = node_with(Fault::Slow {
        bytes_per_tick: 40,
        tick: Duration::from_millis(5),
    })
    .await;
    let started = Instant::now();
    let (bytes, ended) = wire(&node).await;
    ended.unwrap();
    assert_eq!(body_of(&bytes).len(), 164);
    assert!(started.elapsed() >= Duration::from_millis(25));
    node.stop().await;
}

#[tokio::test]
async fn another_status_has_its_own_body() {
    for (status, body, content_type) in [
        (503, "busy", "text/plain"),
        (403, r#"{"error":6,"message":"no"}"#, "application/json"),
    ] {
        let node = node_with(Fault::Status(status, body.to_owned())).await;
        let received = get(node.url(), TARGET).await;
        assert_eq!(
            (received.status, received.text()),
            (status, body.to_owned())
        );
        assert_eq!(received.header("content-type"), Some(content_type));
        node.stop().await;
    }
}

#[tokio::test]
async fn a_page_is_no_json() {
    let node = node_with(Fault::NotJson).await;
    let received = get(node.url(), TARGET).await;
    assert_eq!(
        (received.status, received.header("content-type")),
        (200, Some("text/html"))
    );
    assert!(serde_json::from_slice::<serde_json::Value>(&received.body).is_err());
    node.stop().await;
}

#[tokio::test]
async fn a_wrong_shape_is_a_list_for_an_object_and_an_object_for_a_list() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.fault("*", Fault::WrongShape);
    assert!(get(node.url(), "/names/chloe").await.json().is_array());
    assert!(get(node.url(), "/names").await.json().is_object());
    node.stop().await;
}

#[tokio::test]
async fn a_huge_body_is_well_formed_and_has_the_announced_length() {
    let node = node_with(Fault::HugeBody).await;
    let (bytes, ended) = wire(&node).await;
    ended.unwrap();
    let head_length = bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .unwrap()
        + 4;
    let (head, body) = bytes.split_at(head_length);
    assert!(String::from_utf8_lossy(head).contains("content-length: 67108864\r\n"));
    assert_eq!(body.len(), 64 * 1024 * 1024);
    assert!(body.starts_with(b"[0,0,0") && body.ends_with(b"0,0 ]"));
    node.stop().await;
}

#[tokio::test]
async fn an_endless_body_does_not_end() {
    let node = node_with(Fault::EndlessBody).await;
    let mut stream = send(node.url(), "GET", TARGET, &[], "").await;
    let mut read = 0;
    let mut buffer = vec![0; 64 * 1024];
    while read < 8 * 1024 * 1024 {
        let length = timeout(PATIENCE, stream.read(&mut buffer))
            .await
            .unwrap()
            .unwrap();
        assert!(length > 0, "the body ended after {read} bytes");
        read += length;
    }
    drop(stream);
    node.stop().await;
}

#[tokio::test]
async fn a_redirect_names_its_location() {
    let node = node_with(Fault::Redirect("http://192.0.2.1/names".to_owned())).await;
    let received = get(node.url(), TARGET).await;
    assert_eq!(
        (received.status, received.header("location")),
        (302, Some("http://192.0.2.1/names"))
    );
    node.stop().await;
}

#[tokio::test]
async fn a_fault_can_be_limited_to_some_requests() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.fault_times("/names/*", Fault::Status(500, String::new()), 2);
    let mut statuses = Vec::new();
    for target in [TARGET, "/blocks/height", TARGET, TARGET] {
        statuses.push(get(node.url(), target).await.status);
    }
    assert_eq!(statuses, [500, 200, 500, 200]);
    node.stop().await;
}

#[tokio::test]
async fn latency_delays_every_answer() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let latency = Duration::from_millis(40);
    node.latency(latency);
    let started = Instant::now();
    assert_eq!(get(node.url(), TARGET).await.status, 200);
    assert!(started.elapsed() >= latency);
    node.stop().await;
}
