//! Tests that a strict node fails a test with an unexpected request, and that the journal records requests.

use std::panic::{AssertUnwindSafe, catch_unwind};

use qortal_testnode::{API_KEY, Scenario, TestNode};

use crate::client::{ask, get};

async fn complaint(node: TestNode) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(|| drop(node))).err()?;
    payload.downcast_ref::<String>().cloned()
}

#[tokio::test]
async fn a_strict_node_complains_about_what_a_reader_must_not_ask() {
    let table = [
        ("GET", "/nosuch/path?x=1"),
        ("POST", "/blocks/height"),
        ("GET", "/admin/stop"),
        ("POST", "/transactions/process"),
        ("DELETE", "/lists/followedNames"),
        ("GET", "/render/WEBSITE/victor"),
        ("GET", "/names/%zz"),
    ];
    for (method, target) in table {
        let node = TestNode::start(Scenario::recorded()).await.unwrap();
        ask(node.url(), method, target, &[], "").await;
        let complaint = complaint(node)
            .await
            .unwrap_or_else(|| panic!("no complaint about {method} {target}"));
        assert_eq!(
            complaint,
            format!("unexpected requests to the simulated node:\n  {method} {target}")
        );
    }
}

#[tokio::test]
async fn known_paths_are_no_reason_to_complain() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    for target in [
        "/names/no-such-name",
        "/blocks/byheight/0",
        "/admin/summary/alltime",
        "/names/chloe/",
    ] {
        get(node.url(), target).await;
    }
    assert_eq!(complaint(node).await, None);
}

#[tokio::test]
async fn unknown_paths_can_be_expected() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.expect_unknown_paths();
    assert_eq!(get(node.url(), "/nosuch").await.status, 404);
    assert_eq!(complaint(node).await, None);
}

#[tokio::test]
async fn a_lenient_node_never_complains() {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    assert_eq!(get(node.url(), "/nosuch").await.status, 404);
    assert_eq!(complaint(node).await, None);
}

#[tokio::test]
async fn the_journal_lists_requests_in_order_without_secrets() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    ask(
        node.url(),
        "GET",
        "/admin/status?x=%20",
        &[("Accept", "*/*")],
        "",
    )
    .await;
    ask(
        node.url(),
        "GET",
        "/admin/apikey/test",
        &[("X-API-KEY", API_KEY)],
        "",
    )
    .await;
    let journal: Vec<String> = node
        .journal()
        .iter()
        .map(|exchange| {
            format!(
                "{} {} {:?} {}",
                exchange.method, exchange.target, exchange.accept, exchange.has_api_key
            )
        })
        .collect();
    assert_eq!(
        journal,
        [
            "GET /admin/status?x=%20 Some(\"*/*\") false",
            "GET /admin/apikey/test None true"
        ]
    );
    node.stop().await;
}

#[tokio::test]
async fn a_stopped_node_is_gone() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let host = node.url().strip_prefix("http://").unwrap().to_owned();
    assert_eq!(get(node.url(), "/blocks/height").await.text(), "468");
    node.stop().await;
    assert!(tokio::net::TcpStream::connect(host).await.is_err());
}
