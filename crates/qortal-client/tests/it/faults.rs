//! Every way in which a node can fail, and what a caller is told.

use std::{
    error::Error,
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use qortal_client::{AnswerMemory, Node, NodeConfig, NodeError, Timeouts};
use qortal_testnode::{Fault, Scenario, TestNode};

use crate::harness::{IMPATIENCE, PATIENCE, config, targets};

/// The error and where it began, without what differs from one system to the next.
fn render(error: &NodeError) -> String {
    let mut root: &(dyn Error + 'static) = error;
    while let Some(source) = root.source() {
        root = source;
    }
    match root.downcast_ref::<io::Error>() {
        Some(cause) => format!("{error} <- {:?}", cause.kind()),
        None if error.source().is_some() => format!("{error} <- {root}"),
        None => error.to_string(),
    }
}

/// Asks a node with this fault for a name.
async fn check(fault: Fault, change: impl FnOnce(&mut NodeConfig)) -> String {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    test_node.fault("/names/*", fault);
    let mut config = config(&test_node);
    change(&mut config);
    let error = Node::new(config).unwrap().name("chloe").await.unwrap_err();
    let text = render(&error);
    assert!(!text.contains("127.0.0.1"), "{text}");
    text
}

fn patient(_: &mut NodeConfig) {}

fn impatient(config: &mut NodeConfig) {
    config.timeouts = Timeouts::default()
        .with_connect(PATIENCE)
        .with_quick(IMPATIENCE)
        .with_slow(IMPATIENCE);
}

#[tokio::test]
async fn a_closed_port_is_unreachable() {
    insta::assert_snapshot!(check(Fault::Refuse, patient).await, @"node unreachable for GET /names/{name}: the connection was refused <- ConnectionRefused");
}

#[tokio::test]
async fn a_reset_connection_is_unreachable() {
    insta::assert_snapshot!(
        check(Fault::ResetBeforeResponse, patient).await,
        @"node unreachable for GET /names/{name}: the connection was reset <- ConnectionReset"
    );
}

#[tokio::test]
async fn half_an_answer_is_unreachable() {
    insta::assert_snapshot!(
        check(Fault::TruncateBody, patient).await,
        @"node unreachable for GET /names/{name}: the connection closed too early <- UnexpectedEof"
    );
}

#[tokio::test]
async fn no_answer_times_out() {
    insta::assert_snapshot!(
        check(Fault::StallBeforeHeaders, impatient).await,
        @"no response to GET /names/{name} within 150ms"
    );
}

#[tokio::test]
async fn an_answer_that_stops_times_out() {
    insta::assert_snapshot!(
        check(Fault::StallAfterHeaders, impatient).await,
        @"no response to GET /names/{name} within 150ms"
    );
}

#[tokio::test]
async fn an_answer_that_drips_times_out_as_a_whole() {
    let fault = Fault::Slow {
        bytes_per_tick: 1,
        tick: Duration::from_millis(10),
    };
    insta::assert_snapshot!(check(fault, impatient).await, @"no response to GET /names/{name} within 150ms");
}

#[tokio::test]
async fn an_answer_with_a_length_over_the_limit_is_not_read() {
    insta::assert_snapshot!(
        check(Fault::HugeBody, patient).await,
        @"response to GET /names/{name} has more than 8388608 bytes"
    );
}

#[tokio::test]
async fn an_endless_answer_is_cut_off() {
    let small = |config: &mut NodeConfig| config.max_answer_bytes = 10_000;
    insta::assert_snapshot!(
        check(Fault::EndlessBody, small).await,
        @"response to GET /names/{name} has more than 10000 bytes"
    );
}

#[tokio::test]
async fn a_page_instead_of_json_is_unreadable() {
    insta::assert_snapshot!(check(Fault::NotJson, patient).await, @r#"response to GET /names/{name} is not the expected JSON: "<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body>Please log in.</body></html>\n" <- expected value at line 1 column 1"#);
}

#[tokio::test]
async fn json_of_another_shape_is_unreadable() {
    insta::assert_snapshot!(check(Fault::WrongShape, patient).await, @r#"response to GET /names/{name} is not the expected JSON: "["another","shape"]" <- invalid length 2, expected struct RegisteredName with 8 elements at line 1 column 19"#);
}

#[tokio::test]
async fn an_answer_shorter_than_it_was_is_unreadable() {
    let text = check(Fault::WrongLength, patient).await;
    assert!(
        text.starts_with("response to GET /names/{name} is not the expected JSON: "),
        "{text}"
    );
}

#[tokio::test]
async fn a_redirect_is_a_refusal_and_not_followed() {
    let elsewhere = TestNode::start(Scenario::recorded()).await.unwrap();
    let fault = Fault::Redirect(format!("{}/names/chloe", elsewhere.url()));
    insta::assert_snapshot!(check(fault, patient).await, @"node refused GET /names/{name} with HTTP 302");
    assert!(targets(&elsewhere).is_empty());
}

#[tokio::test]
async fn a_bare_failure_is_a_refusal_without_code() {
    let fault = Fault::Status(
        500,
        "<html><head><title>Error 500</title></head></html>".to_owned(),
    );
    insta::assert_snapshot!(check(fault, patient).await, @"node refused GET /names/{name} with HTTP 500");
}

#[tokio::test]
async fn a_busy_node_is_told_apart_by_its_code() {
    let body = r#"{"error":7,"message":"blockchain needs to synchronize first"}"#;
    insta::assert_snapshot!(
        check(Fault::Status(503, body.to_owned()), patient).await,
        @"node refused GET /names/{name} with HTTP 503, code 7 BLOCKCHAIN_NEEDS_SYNC: blockchain needs to synchronize first"
    );
}

#[tokio::test]
async fn a_caller_that_is_not_whitelisted_is_told_so() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    test_node.fault("/names/*", Fault::Status(403, "<html></html>".to_owned()));
    let error = Node::new(config(&test_node))
        .unwrap()
        .name("chloe")
        .await
        .unwrap_err();
    assert!(error.is_not_whitelisted());
}

#[tokio::test]
async fn an_answer_that_no_memory_is_left_for_is_cut_off_and_gives_it_back() {
    const ENOUGH: usize = 100_000;
    let held = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&held);
    let memory = AnswerMemory::new(move || {
        let granted = Granted(Arc::clone(&counted));
        granted.0.fetch_add(1, Ordering::Relaxed);
        Box::new(move |bytes| {
            let _granted = &granted;
            bytes <= ENOUGH
        })
    });
    let tight = |config: &mut NodeConfig| config.memory = Some(memory);
    insta::assert_snapshot!(
        check(Fault::EndlessBody, tight).await,
        @"no memory left for the response to GET /names/{name}"
    );
    assert_eq!(held.load(Ordering::Relaxed), 0);
}

/// Counts as long as it is there.
struct Granted(Arc<AtomicUsize>);

impl Drop for Granted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
