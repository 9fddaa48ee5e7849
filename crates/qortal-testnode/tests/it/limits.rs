//! Tests of oversized requests and of kept-alive connections.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use qortal_testnode::{Fault, Scenario, TestNode};

use crate::client::{ask, get};

#[tokio::test]
async fn a_body_of_more_than_a_mebibyte_is_refused() {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    let body = format!("[\"{}\"]", "x".repeat(1024 * 1024));
    let received = ask(
        node.url(),
        "POST",
        "/names/list",
        &[("Content-Type", "application/json")],
        &body,
    )
    .await;
    assert_eq!(received.status, 413);
    node.stop().await;
}

#[tokio::test]
async fn a_head_of_more_than_eight_kibibytes_is_refused() {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    let long = "x".repeat(8 * 1024);
    assert_eq!(
        ask(node.url(), "GET", "/names", &[("X-Long", &long)], "")
            .await
            .status,
        431
    );
    assert_eq!(get(node.url(), &format!("/names/{long}")).await.status, 414);
    node.stop().await;
}

/// Sends one request on a connection that stays open. The length of the entire response is known.
async fn height(stream: &mut TcpStream) -> std::io::Result<String> {
    stream
        .write_all(b"GET /blocks/height HTTP/1.1\r\nHost: node\r\n\r\n")
        .await?;
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n468") {
        let mut buffer = [0; 512];
        match stream.read(&mut buffer).await? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            length => bytes.extend(buffer.iter().take(length)),
        }
    }
    Ok(String::from_utf8(bytes).unwrap())
}

#[tokio::test]
async fn connections_are_kept_until_the_node_refuses() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut stream = TcpStream::connect(node.url().strip_prefix("http://").unwrap())
        .await
        .unwrap();
    for _ in 0..3 {
        assert!(
            height(&mut stream)
                .await
                .unwrap()
                .starts_with("HTTP/1.1 200 OK\r\n")
        );
    }
    node.fault("*", Fault::Refuse);
    height(&mut stream).await.unwrap_err();
    node.clear_faults();
    assert_eq!(get(node.url(), "/blocks/height").await.text(), "468");
    assert_eq!(
        node.journal()
            .iter()
            .filter(|exchange| exchange.target == "/blocks/height")
            .count(),
        4
    );
    node.stop().await;
}
