//! Requests under way, limits and the cache.

use std::time::Duration;

use qortal_client::{Node, NodeConfig, NodeErrorKind, PageRequest, Timeouts};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_types::Height;
use tokio::{task::JoinSet, time::sleep};

use crate::harness::{config, recorded, targets};

#[tokio::test]
async fn identical_questions_at_the_same_time_are_one_request() {
    let (test_node, node) = recorded().await;
    test_node.latency(Duration::from_millis(50));
    let mut askers = JoinSet::new();
    for _ in 0..20 {
        let node = node.clone();
        askers.spawn(async move { node.name("chloe").await.unwrap().owner });
    }
    let owners = askers.join_all().await;
    assert_eq!(owners.len(), 20);
    assert!(owners.iter().all(|owner| *owner == owners[0]));
    assert_eq!(targets(&test_node), ["/names/chloe"]);
    node.name("chloe").await.unwrap();
    assert_eq!(
        targets(&test_node).len(),
        2,
        "later questions are asked anew"
    );
}

#[tokio::test]
async fn a_failure_is_shared_too() {
    let (test_node, node) = recorded().await;
    test_node.latency(Duration::from_millis(50));
    let (one, other) = tokio::join!(node.name("no-such-name"), node.name("no-such-name"));
    assert_eq!(one.unwrap_err().to_string(), other.unwrap_err().to_string());
    assert_eq!(targets(&test_node).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_asks_later_does_not_share_a_failure_from_before() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let timeouts = Timeouts::default().with_slow(Duration::from_secs(10));
    let node = Node::new(NodeConfig::new(test_node.url()).with_timeouts(timeouts)).unwrap();
    // One request is lost by a node that answers all others.
    test_node.fault_times("/names", Fault::StallBeforeHeaders, 1);
    let ask = async |after: u64| {
        sleep(Duration::from_secs(after)).await;
        node.names(None, PageRequest::first(1)).await
    };
    let (first, later) = tokio::join!(ask(0), ask(5));
    first.unwrap_err();
    assert_eq!(later.unwrap().len(), 1);
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn later_caller_does_not_share_that_the_node_was_not_ready() {
    let (test_node, node) = recorded().await;
    test_node.latency(Duration::from_secs(1));
    let body = r#"{"error":7,"message":"blockchain needs to synchronize first"}"#;
    test_node.fault_times("/names", Fault::Status(503, body.to_owned()), 1);
    let ask = async |after: u64| {
        sleep(Duration::from_millis(after)).await;
        node.names(None, PageRequest::first(1)).await
    };
    let (first, joined, later) = tokio::join!(ask(0), ask(50), ask(500));
    for early in [first, joined] {
        early.unwrap_err();
    }
    assert_eq!(later.unwrap().len(), 1);
    let targets = targets(&test_node).into_iter();
    assert_eq!(targets.filter(|it| it.starts_with("/names")).count(), 2);
}

#[tokio::test(start_paused = true)]
async fn nor_that_there_was_no_place() {
    let (test_node, _) = recorded().await;
    let timeouts = Timeouts::default().with_slow(Duration::from_secs(7));
    let config = NodeConfig::new(test_node.url()).with_timeouts(timeouts);
    let node = Node::new(config.with_concurrency(1)).unwrap();
    // The only place is taken for seven seconds; five are waited for it.
    test_node.fault_times("/names", Fault::StallBeforeHeaders, 1);
    let ask = async |after: u64| {
        sleep(Duration::from_secs(after)).await;
        node.block_at(Height::new(7)).await
    };
    let (_, first, later) = tokio::join!(node.names(None, PageRequest::first(1)), ask(1), ask(4));
    let waited = Duration::from_secs(5);
    let expected = NodeErrorKind::Overloaded { limit: 1, waited };
    assert_eq!(*first.unwrap_err().kind(), expected);
    assert_eq!(later.unwrap().height, Height::new(7));
}

#[tokio::test(start_paused = true)]
async fn no_more_requests_run_at_once_than_allowed() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    test_node.fault("/names/*", Fault::StallBeforeHeaders);
    let config = NodeConfig::new(test_node.url()).with_concurrency(2);
    let node = Node::new(config).unwrap();
    let stalled = async { tokio::join!(node.name("one"), node.name("two")) };
    let waiting = async {
        tokio::join!(
            node.first_block(),
            node.last_block(),
            node.block_at(Height::new(7))
        )
    };
    let (first, last, fee) = tokio::select! {
        biased;
        _ = stalled => panic!("a stalled request ended"),
        results = waiting => results,
    };
    let expected = NodeErrorKind::Overloaded {
        limit: 2,
        waited: Duration::from_secs(5),
    };
    assert_eq!(*first.unwrap_err().kind(), expected);
    assert_eq!(*last.unwrap_err().kind(), expected);
    assert_eq!(*fee.unwrap_err().kind(), expected);
    // What shows that the node is alive is not counted.
    assert!(
        targets(&test_node)
            .iter()
            .all(|target| target.starts_with("/names/") || target == "/blocks/height"),
        "others were sent"
    );
    // The stalled requests were dropped with the select, and their permits with them.
    assert_eq!(node.online_levels().await.unwrap().len(), 11);
}

#[tokio::test]
async fn requests_that_wait_are_sent_in_the_order_of_their_callers() {
    let (test_node, _) = recorded().await;
    let mut config = config(&test_node);
    config.concurrency = 1;
    let node = Node::new(config).unwrap();
    let mut askers = JoinSet::new();
    for height in 100..120 {
        let node = node.clone();
        askers.spawn(async move { node.block_at(Height::new(height)).await.map(drop) });
    }
    while let Some(answered) = askers.join_next().await {
        answered.unwrap().unwrap();
    }
    let sent = targets(&test_node);
    let expected: Vec<_> = (100..120)
        .map(|it| format!("/blocks/byheight/{it}"))
        .collect();
    let heights: Vec<_> = sent.iter().filter(|it| it.contains("/byheight/")).collect();
    assert_eq!(heights, expected.iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn deep_blocks_are_asked_for_once() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    // The recorded chain is shorter than the default depth; the budget is the default.
    let mut config = config(&test_node);
    config.cache_depth = 100;
    let node = Node::new(config).unwrap();
    let deep = node.block_at(Height::new(368)).await.unwrap().signature;
    let recent = node.block_at(Height::new(369)).await.unwrap().signature;
    let asked = async |signature, times| {
        let before = targets(&test_node).len();
        for _ in 0..times {
            node.block(signature).await.unwrap();
        }
        targets(&test_node).len() - before
    };
    assert_eq!(
        asked(&deep, 2).await,
        2,
        "how long the chain is was not known yet"
    );
    node.height().await.unwrap();
    assert_eq!(asked(&deep, 3).await, 1);
    assert_eq!(asked(&recent, 3).await, 3);
}

#[tokio::test]
async fn a_transaction_that_its_group_has_not_decided_on_is_asked_for_again() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut config = config(&test_node);
    config.cache_depth = 0;
    let node = Node::new(config).unwrap();
    node.height().await.unwrap();
    let pending = node.pending_transactions(None, PageRequest::first(1)).await;
    let pending = pending.unwrap()[0].signature.unwrap();
    let before = targets(&test_node).len();
    for _ in 0..3 {
        node.transaction(&pending).await.unwrap();
    }
    assert_eq!(targets(&test_node).len() - before, 3);
}

#[tokio::test]
async fn errors_are_not_kept() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut config = config(&test_node);
    config.cache_depth = 0;
    let node = Node::new(config).unwrap();
    node.height().await.unwrap();
    let genesis = node.first_block().await.unwrap().signature;
    test_node.fault("/blocks/signature/*", Fault::Status(500, String::new()));
    node.block(&genesis).await.unwrap_err();
    test_node.clear_faults();
    assert_eq!(node.block(&genesis).await.unwrap().signature, genesis);
}

#[tokio::test]
async fn without_a_budget_nothing_is_kept() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut config = config(&test_node);
    config.cache_bytes = 0;
    config.cache_depth = 0;
    let node = Node::new(config).unwrap();
    node.height().await.unwrap();
    let genesis = node.first_block().await.unwrap().signature;
    for _ in 0..3 {
        node.block(&genesis).await.unwrap();
    }
    assert_eq!(targets(&test_node).len(), 5);
}
