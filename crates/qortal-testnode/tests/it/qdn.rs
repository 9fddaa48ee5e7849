//! A QDN behavior that recordings cannot show: a request without a response.

use std::time::Duration;

use tokio::{io::AsyncReadExt, time::timeout};

use qortal_testnode::{Scenario, TestNode};

use crate::client::{get, send};

/// A resource that is queued at the start and never built.
const QUEUED: &str = "/arbitrary/DOCUMENT/trent/rules";
/// Time for which silence is verified.
const SILENCE: Duration = Duration::from_millis(150);

#[tokio::test]
async fn a_request_for_a_queued_resource_waits_without_bound() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut stream = send(node.url(), "GET", QUEUED, &[("Accept", "*/*")], "").await;
    let answer = timeout(SILENCE, stream.read(&mut [0; 1])).await;
    assert!(answer.is_err(), "silence was broken: {answer:?}");
    let refused = get(node.url(), &format!("{QUEUED}?async=true")).await;
    let expected = r#"{"error":1401,"message":"File not found"}"#;
    assert_eq!((refused.status, refused.text().as_str()), (404, expected));
    node.stop().await;
}

#[tokio::test]
async fn whatever_is_here_is_served_and_nothing_else() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    for (resource, status) in [
        ("DOCUMENT/victor/report-2026", 200),
        ("IMAGE/Alice%20Test/photo-1", 200),
        ("FILE/victor/broken", 200),
        ("FILE/spam-name/ad", 200),
        ("VIDEO/rita-trades/clip", 404),
        ("VIDEO/rita-trades/clip2", 404),
        ("VIDEO/rita-trades/clip3", 404),
        ("DOCUMENT/victor/no-such", 404),
    ] {
        let target = format!("/arbitrary/{resource}?attempts=1");
        assert_eq!(get(node.url(), &target).await.status, status, "{resource}");
    }
    node.stop().await;
}
