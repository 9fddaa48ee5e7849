//! How soon a client is served again after its node had trouble. The clock stands still while anything moves.

use std::time::Duration;

use futures_util::future::join_all;
use qortal_client::{Circuit, Config, Node, NodeErrorKind, Page};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_types::Height;
use tokio::time::{Instant, sleep, timeout};

use crate::harness::{recorded, targets};

/// After a stall, a client is served again within this time.
const SOON: Duration = Duration::from_secs(2);

#[tokio::test(start_paused = true)]
async fn what_was_lost_in_a_stall_is_asked_again() {
    let (test_node, node) = recorded().await;
    test_node.fault("/*", Fault::StallBeforeHeaders);
    let waiting = async { tokio::join!(node.height(), node.names(None, Page::first(1))) };
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
    let node = Node::new(Config::new(test_node.url())).unwrap();
    test_node.fault("/names", Fault::StallBeforeHeaders);
    let slow = join_all((0..24).map(|it| node.names(None, Page::first(it + 1))));
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
    assert_eq!(slow_ones, 6);
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_request_that_got_lost_gives_its_place_back() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let node = Node::new(Config::new(test_node.url())).unwrap();
    test_node.fault_times("/names", Fault::StallBeforeHeaders, 6);
    let lost = join_all((0..6).map(|it| node.names(None, Page::first(it + 1))));
    let next = async {
        sleep(Duration::from_millis(100)).await;
        node.names(None, Page::first(100)).await.unwrap();
    };
    let began = Instant::now();
    tokio::select! {
        _ = lost => panic!("a stalled request ended"),
        () = next => {}
    }
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_turn_is_bounded_and_said() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let config = Config::new(test_node.url()).with_concurrency(1);
    let node = Node::new(config).unwrap();
    test_node.fault("/names", Fault::StallBeforeHeaders);
    let busy = node.names(None, Page::first(1));
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
    insta::assert_snapshot!(err, @"GET /blocks/height was not sent because 1 requests are under way; it waited 5s for its turn");
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_alive_is_not_held_for_stalled() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let node = Node::new(Config::new(test_node.url())).unwrap();
    test_node.fault("/names", Fault::StallBeforeHeaders);
    let names = node.names(None, Page::first(1));
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
async fn a_request_is_under_way_three_times_at_most() {
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
    assert_eq!(asked(&test_node, "/blocks/byheight"), 3);
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_a_node_still_answers_after_a_stall_is_not_asked_again() {
    for (millis_after, times) in [(100, 1), (400, 2)] {
        let (test_node, node) = recorded().await;
        let stall = Duration::from_secs(4);
        test_node.latency(stall + Duration::from_millis(millis_after));
        let stalled = async {
            sleep(Duration::from_millis(100)).await;
            test_node.latency(Duration::ZERO);
            test_node.fault("/blocks/height", Fault::StallBeforeHeaders);
            sleep(stall - Duration::from_millis(100)).await;
            test_node.clear_faults();
        };
        let (answer, ()) = tokio::join!(node.block_at(Height::new(2)), stalled);
        answer.unwrap();
        assert_eq!(
            asked(&test_node, "/blocks/byheight"),
            times,
            "{millis_after} ms after"
        );
        test_node.stop().await;
    }
}
