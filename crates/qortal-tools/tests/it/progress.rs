//! How far a call is, for callers who want to know.

use std::{sync::Mutex, time::Duration};

use qortal_client::{Node, NodeConfig};
use qortal_testnode::{Scenario, TestNode};
use qortal_tools::{CallOptions, Catalog, Object, Progress, Selection};
use serde_json::json;
use tokio::{task::yield_now, time::advance};

use crate::Chain;

/// What is reported of a call to a node that takes this long for each answer.
async fn reports(tool: &str, arguments: Object, millis: u64) -> Vec<Progress> {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.latency(Duration::from_millis(millis));
    let mut config = NodeConfig::new(node.url());
    config.timeouts.quick = Duration::from_secs(600);
    config.timeouts.slow = config.timeouts.quick;
    let client = Node::new(config).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    let entry = catalog.entry(tool).unwrap();
    let reported = Mutex::new(Vec::new());
    let report = |it| reported.lock().unwrap().push(it);
    let mut options = CallOptions::default();
    options.report = Some(&report);
    let called = catalog.call_with(entry, arguments, options).await;
    called.unwrap();
    node.stop().await;
    reported.into_inner().unwrap()
}

#[tokio::test(start_paused = true)]
async fn r115_progress_is_reported_once_a_second() {
    let said = reports("get_block_height", Object::new(), 3_500).await;
    let told: Vec<_> = said
        .iter()
        .map(|it| (it.done, it.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (0.01, "Waiting for the node for 1 s."),
            (0.03, "Waiting for the node for 2 s."),
            (0.05, "Waiting for the node for 3 s."),
        ]
    );
    assert!(said.iter().all(|it| it.total == 1.0));
}

#[tokio::test(start_paused = true)]
async fn a_wait_never_counts_as_an_answer() {
    let said = reports("get_block_height", Object::new(), 90_500).await;
    assert_eq!(said.len(), 90);
    let last = said.last().unwrap();
    assert_eq!(last.done, 0.99);
    assert_eq!(last.message, "Waiting for the node for 90 s.");
    assert!(said.is_sorted_by(|a, b| a.done <= b.done));
}

/// A picture is drawn when all that is in it is there.
#[tokio::test(start_paused = true)]
async fn the_time_after_the_last_answer_counts_as_nothing() {
    let chain = Chain::recorded().await;
    let price = json!({"blockchain": "LITECOIN"});
    chain.call("get_price_chart", price.clone()).await.unwrap();
    let requests = chain.node.journal().len();
    chain.stop().await;
    let chain = Chain::recorded().await;
    let entry = chain.catalog.entry("get_price_chart").unwrap();
    let reported = Mutex::new(Vec::new());
    let report = |it: Progress| reported.lock().unwrap().push(it);
    let arguments = price.as_object().unwrap().clone();
    let mut options = CallOptions::default();
    options.report = Some(&report);
    let call = chain.catalog.call_with(entry, arguments, options);
    let passing = async {
        while chain.node.journal().len() < requests {
            yield_now().await;
        }
        loop {
            advance(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        called = call => drop(called.unwrap()),
        () = passing => (),
    }
    let said = reported.into_inner().unwrap();
    assert!(said.is_sorted_by(|a, b| a.done <= b.done), "{said:?}");
    let last = said.last().unwrap();
    assert_eq!((last.done, last.total), (requests as f64, requests as f64));
    let message = format!("The node has answered {requests} of {requests} requests.");
    assert_eq!(last.message, message);
    chain.stop().await;
}

/// Its name is looked up first.
#[tokio::test(start_paused = true)]
async fn progress_counts_requests_and_what_was_waited_for_the_next() {
    let arguments = json!({"address": "Alice Test"});
    let arguments = arguments.as_object().unwrap().clone();
    let said = reports("get_balance", arguments, 2_600).await;
    let told: Vec<_> = said
        .iter()
        .map(|it| (it.done, it.total, it.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (0.01, 1.0, "Waiting for the node for 1 s."),
            (0.03, 1.0, "Waiting for the node for 2 s."),
            (1.0, 2.0, "The node has answered 1 of 2 requests."),
            (1.01, 2.0, "The node has answered 1 of 2 requests."),
            (1.03, 2.0, "The node has answered 1 of 2 requests."),
        ]
    );
}
