//! How soon a client is served again after its node had trouble. The clock stands still while anything moves.

use std::time::Duration;

use futures_util::future::join_all;
use qortal_client::{Circuit, Node, NodeConfig, NodeErrorKind, OwnNode, PageRequest, Timeouts};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_types::Height;
use tokio::time::{Instant, sleep, timeout};

use crate::{
    harness::{recorded, targets},
    own_nodes::pair,
};

/// After a stall, a client is served again within this time.
const SOON: Duration = Duration::from_secs(2);

#[tokio::test(start_paused = true)]
async fn what_was_lost_in_a_stall_is_asked_again() {
    let (test_node, node) = recorded().await;
    test_node.fault("/*", Fault::StallBeforeHeaders);
    let waiting = async { tokio::join!(node.height(), node.names(None, PageRequest::first(1))) };
    let recovery = async {
        sleep(Duration::from_secs(4)).await;
        test_node.clear_faults();
        Instant::now()
    };
    let ((height, names), over) = tokio::join!(waiting, recovery);
    assert_eq!(height.unwrap(), Height::new(468));
    assert_eq!(names.unwrap().len(), 1);
    assert!(over.elapsed() <= SOON, "{:?}", over.elapsed());
}

#[tokio::test(start_paused = true)]
async fn slow_requests_do_not_keep_quick_ones_waiting() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let node = Node::new(NodeConfig::new(test_node.url())).unwrap();
    test_node.fault("/names", Fault::StallBeforeHeaders);
    let slow = join_all((0..24).map(|it| node.names(None, PageRequest::first(it + 1))));
    let quick = async {
        sleep(Duration::from_millis(100)).await;
        for _ in 0..3 {
            node.height().await.unwrap();
        }
    };
    tokio::select! {
        _ = slow => panic!("a stalled request ended"),
        () = quick => {}
    }
    let slow_ones = targets(&test_node)
        .iter()
        .filter(|it| it.starts_with("/names"))
        .count();
    assert_eq!(slow_ones, 4);
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_turn_is_bounded_and_said() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let config = NodeConfig::new(test_node.url()).with_concurrency(1);
    let node = Node::new(config).unwrap();
    test_node.fault("/names", Fault::StallBeforeHeaders);
    let busy = node.names(None, PageRequest::first(1));
    let waiting = async {
        sleep(Duration::from_millis(100)).await;
        node.height().await.unwrap_err()
    };
    let err = tokio::select! {
        _ = busy => panic!("a stalled request ended"),
        err = waiting => err,
    };
    let waited = Duration::from_secs(5);
    assert_eq!(*err.kind(), NodeErrorKind::Overloaded { limit: 1, waited });
    insta::assert_snapshot!(err, @"GET /blocks/height was not sent because 1 requests are in progress, after 5s in the queue");
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_alive_is_not_held_for_stalled() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let node = Node::new(NodeConfig::new(test_node.url())).unwrap();
    test_node.fault("/names", Fault::StallBeforeHeaders);
    let names = node.names(None, PageRequest::first(1));
    timeout(Duration::from_secs(9), names).await.unwrap_err();
    assert_eq!(node.health()[0].circuit, Circuit::Closed);
    test_node.clear_faults();
    test_node.latency(Duration::from_millis(1_500));
    node.height().await.unwrap();
    assert_eq!(node.health()[0].circuit, Circuit::Closed);
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn health_tells_what_was_seen() {
    let (test_node, node) = recorded().await;
    let seen = || node.health().remove(0);
    assert!(seen().height.is_none() && seen().last_error.is_none() && seen().is_own);
    node.height().await.unwrap();
    assert_eq!(seen().height, Some(Height::new(468)));
    test_node.fault("/*", Fault::ResetBeforeResponse);
    node.status().await.unwrap_err();
    assert_eq!(seen().circuit, Circuit::Open);
    insta::assert_snapshot!(seen().last_error.unwrap(), @"node unreachable for GET /admin/status: the connection was reset");
    test_node.clear_faults();
    node.status().await.unwrap();
    assert_eq!(seen().circuit, Circuit::Closed);
    assert_eq!(seen().in_flight, 0);
    assert!(seen().last_error.is_some(), "it is kept for operators");
}

/// How often this was asked.
fn asked(test_node: &TestNode, beginning: &str) -> usize {
    let targets = targets(test_node).into_iter();
    targets.filter(|it| it.starts_with(beginning)).count()
}

#[tokio::test(start_paused = true)]
async fn a_request_is_under_way_twice_at_most() {
    let (test_node, node) = recorded().await;
    let lost = "/blocks/byheight/*";
    test_node.fault(lost, Fault::StallBeforeHeaders);
    let stalls = async {
        for _ in 0..5 {
            test_node.fault("/blocks/height", Fault::StallBeforeHeaders);
            sleep(Duration::from_secs(3)).await;
            test_node.clear_faults();
            test_node.fault(lost, Fault::StallBeforeHeaders);
            sleep(Duration::from_secs(1)).await;
        }
    };
    let (answer, ()) = tokio::join!(node.block_at(Height::new(2)), stalls);
    answer.unwrap_err();
    assert_eq!(asked(&test_node, "/blocks/byheight"), 2);
    test_node.stop().await;
}

/// What is asked while a node works on lists, and how many of those it has at once.
struct Beside {
    longest_quick: Duration,
    most_at_once: usize,
}

async fn beside(node: &Node) -> Beside {
    let mut beside = Beside {
        longest_quick: Duration::ZERO,
        most_at_once: 0,
    };
    for height in 2..400 {
        let at_once = node.health().first().map_or(0, |it| it.in_flight);
        beside.most_at_once = beside.most_at_once.max(at_once);
        let asked = Instant::now();
        node.block_at(Height::new(height)).await.unwrap();
        beside.longest_quick = beside.longest_quick.max(asked.elapsed());
        sleep(Duration::from_millis(250)).await;
    }
    beside
}

/// On two processors each list takes 12 s alone.
#[tokio::test(start_paused = true)]
async fn many_long_lists_at_once_are_all_answered_and_quick_ones_do_not_notice() {
    let list = Duration::from_secs(12) / 17;
    let scenario = Scenario::recorded().with_costs(2, list);
    let test_node = TestNode::start(scenario).await.unwrap();
    let timeouts = Timeouts::default().with_slow(Duration::from_secs(200));
    let node = Node::new(NodeConfig::new(test_node.url()).with_timeouts(timeouts)).unwrap();
    let began = Instant::now();
    let lists = (0..16).map(|it| {
        let node = &node;
        async move {
            node.names(None, PageRequest::first(it + 1)).await.unwrap();
            began.elapsed()
        }
    });
    let (mut answered, beside) = tokio::join!(join_all(lists), beside(&node));
    answered.sort();
    // All of them at once would take 96 s, and each of them nearly as long.
    for (place, most) in [(0, 30), (6, 55), (15, 100)] {
        assert!(answered[place] < Duration::from_secs(most), "{answered:?}");
    }
    let longest = beside.longest_quick;
    assert!(longest < Duration::from_millis(50), "{longest:?}");
    assert!(beside.most_at_once <= 7, "{}", beside.most_at_once);
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn heartbeats_are_one_a_second_however_many_requests_wait() {
    let (test_node, node) = recorded().await;
    test_node.fault("/names", Fault::StallBeforeHeaders);
    let names = join_all((0..4).map(|it| node.names(None, PageRequest::first(it + 1))));
    timeout(Duration::from_secs(12), names).await.unwrap_err();
    assert_eq!(asked(&test_node, "/blocks/height"), 12);
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_turn_at_a_node_that_proves_silent_asks_the_next_one() {
    let (first, second) = (
        TestNode::start(Scenario::recorded()).await.unwrap(),
        TestNode::start(Scenario::recorded()).await.unwrap(),
    );
    let config = NodeConfig::new(first.url()).with_own_nodes([OwnNode::new(second.url())]);
    let config = config.with_concurrency(1).with_max_blocks_behind(u32::MAX);
    let node = Node::new(config).unwrap();
    first.fault("/*", Fault::StallBeforeHeaders);
    let waiting = async {
        sleep(Duration::from_millis(100)).await;
        node.first_block().await.unwrap();
    };
    let began = Instant::now();
    let (height, ()) = tokio::join!(node.height(), waiting);
    height.unwrap();
    // When the one before it knew.
    let took = began.elapsed();
    assert!(took < Duration::from_secs(3), "{took:?}");
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_took_as_long_as_a_stall_does_not_end_the_silence() {
    let (first, second, node) = pair().await;
    let circuit = || node.health()[0].circuit;
    first.latency(Duration::from_millis(2_800));
    node.probe().await;
    assert_eq!(circuit(), Circuit::Open);
    // The last resort.
    second.fault("/*", Fault::Refuse);
    node.first_block().await.unwrap();
    assert_eq!(circuit(), Circuit::Open);
    second.clear_faults();
    sleep(SOON).await;
    let begun = Instant::now();
    node.names(None, PageRequest::first(1)).await.unwrap();
    let took = begun.elapsed();
    assert!(took < Duration::from_millis(300), "{took:?}");
    first.stop().await;
    second.stop().await;
}
