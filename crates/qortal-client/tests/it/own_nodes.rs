//! Several nodes of one's own: which is asked, when two are, what each is told, and what is said of it.

use std::time::Duration;

use qortal_client::{
    ApiError, ApiKey, Circuit, FallbackReason, KeyUse, Node, NodeConfig, NodeErrorKind, NodeHealth,
    Observation, OwnNode, PageRequest,
};
use qortal_testnode::{API_KEY, Event, Fault, Scenario, TestNode};
use qortal_types::Height;
use tokio::time::{Instant, advance, sleep};

use crate::harness::targets;

pub(crate) async fn started() -> TestNode {
    TestNode::start(Scenario::recorded()).await.unwrap()
}

fn key(text: &str) -> ApiKey {
    ApiKey::new(text).unwrap()
}

/// Two nodes of one's own, and a client that knows both and compares no heights.
pub(crate) async fn pair() -> (TestNode, TestNode, Node) {
    let (first, second) = (started().await, started().await);
    let config = NodeConfig::new(first.url())
        .with_own_nodes([OwnNode::new(second.url())])
        .with_max_blocks_behind(u32::MAX);
    let node = Node::new(config).unwrap();
    (first, second, node)
}

fn from(other: &TestNode, reason: FallbackReason) -> Observation {
    Observation::OtherNode {
        url: other.url().into(),
        is_own: true,
        reason,
    }
}

#[tokio::test]
async fn another_own_node_is_asked_before_public_ones_and_named() {
    let (first, second, public) = (started().await, started().await, started().await);
    let config = NodeConfig::new(first.url())
        .with_own_nodes([OwnNode::new(second.url())])
        .with_public_urls([public.url().to_owned()])
        .with_max_blocks_behind(u32::MAX);
    let node = Node::new(config).unwrap();
    first.fault("/*", Fault::Refuse);
    let (node, seen) = node.observed();
    assert_eq!(node.height().await.unwrap(), Height::new(468));
    assert_eq!(seen.all(), [from(&second, FallbackReason::Unavailable)]);
    assert_eq!(targets(&public).len(), 0);
    let own: Vec<_> = node.health().iter().map(|it| it.is_own).collect();
    assert_eq!(own, [true, true, false]);
    // What is about a node itself is about the first one.
    node.status().await.unwrap_err();
    assert_eq!(targets(&second), ["/blocks/height"]);
}

/// What nodes were asked for with a key.
fn asked_with_key(node: &TestNode) -> Vec<String> {
    let asked = node.journal().into_iter().filter(|it| it.has_api_key);
    asked.map(|it| it.target).collect()
}

#[tokio::test]
async fn each_key_goes_to_its_node_alone() {
    let all_time = "/admin/summary/alltime";
    // The simulated nodes accept one key: who accepts shows which key came.
    for (first_key, second_key, is_first_down, is_accepted) in [
        (API_KEY, "second", false, true),
        (API_KEY, "second", true, false),
        ("first", API_KEY, false, false),
        ("first", API_KEY, true, true),
    ] {
        let (first, second, third) = (started().await, started().await, started().await);
        let public = started().await;
        let config = NodeConfig::new(first.url())
            .with_api_key(key(first_key))
            .with_own_nodes([
                OwnNode::new(third.url()),
                OwnNode::new(second.url()).with_api_key(key(second_key)),
            ])
            .with_public_urls([public.url().to_owned()]);
        let node = Node::new(config).unwrap();
        if is_first_down {
            first.fault("/*", Fault::Refuse);
        }
        let told = node.summary_of_all_time().await;
        assert_eq!(told.is_ok(), is_accepted);
        if let Err(refused) = told {
            let NodeErrorKind::Refused { code, key_use, .. } = refused.kind() else {
                panic!("{refused}");
            };
            assert_eq!(
                (*code, *key_use),
                (Some(ApiError::UNAUTHORIZED), KeyUse::Sent)
            );
        }
        // Chain questions and what is about the first node alone, with a key and without one.
        let _ = tokio::join!(
            node.names(None, PageRequest::first(1)),
            node.status(),
            node.api_key_test(),
            node.list_entries("blockedNames")
        );
        let (asked_first, asked_second) = (asked_with_key(&first), asked_with_key(&second));
        assert_eq!(
            asked_second,
            if is_first_down {
                vec![all_time]
            } else {
                vec![]
            }
        );
        assert_eq!(asked_first.len(), if is_first_down { 0 } else { 3 });
        for other in [&third, &public] {
            assert_eq!(asked_with_key(other), Vec::<String>::new());
            assert!(!targets(other).iter().any(|it| it.starts_with("/admin")));
        }
    }
}

/// Asks for one block after another, which none joins.
pub(crate) async fn ask(node: &Node, count: u32) {
    for height in 1..=count {
        node.block_at(Height::new(height)).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_request_is_sent_to_the_next_own_node_too_and_the_first_answer_counts() {
    let (first, second, node) = pair().await;
    ask(&node, 100).await;
    assert_eq!(targets(&second).len(), 0, "nothing was late");
    first.fault("/names", Fault::StallBeforeHeaders);
    let (node, seen) = node.observed();
    let began = Instant::now();
    assert_eq!(
        node.names(None, PageRequest::first(1)).await.unwrap().len(),
        1
    );
    assert!(
        began.elapsed() < Duration::from_millis(400),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(seen.all(), [from(&second, FallbackReason::Late)]);
    assert_eq!(targets(&second), ["/names?limit=1"]);
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn at_most_five_requests_in_a_hundred_are_sent_twice() {
    let (first, second, node) = pair().await;
    ask(&node, 100).await;
    first.latency(Duration::from_millis(400));
    ask(&node, 100).await;
    let sent_twice = targets(&second).len();
    assert!((1..=10).contains(&sent_twice), "{sent_twice}");
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_one_node_alone_knows_and_public_nodes_are_never_asked_twice() {
    let (first, public) = (started().await, started().await);
    let config = NodeConfig::new(first.url())
        .with_api_key(key(API_KEY))
        .with_public_urls([public.url().to_owned()])
        .with_max_blocks_behind(u32::MAX);
    let with_public = Node::new(config).unwrap();
    let (late, second, with_own) = pair().await;
    for (node, slow) in [(with_public, &first), (with_own, &late)] {
        ask(&node, 40).await;
        slow.latency(Duration::from_millis(900));
        node.status().await.unwrap();
        let _ = node.summary_of_all_time().await;
    }
    ask(
        &Node::new(
            NodeConfig::new(first.url())
                .with_public_urls([public.url().to_owned()])
                .with_max_blocks_behind(u32::MAX),
        )
        .unwrap(),
        40,
    )
    .await;
    assert_eq!((targets(&public).len(), targets(&second).len()), (0, 0));
    for it in [first, public, late, second] {
        it.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_too_much_for_one_own_node_is_asked_of_the_next() {
    let (first, second) = (started().await, started().await);
    let config = NodeConfig::new(first.url())
        .with_own_nodes([OwnNode::new(second.url())])
        .with_concurrency(1)
        .with_max_blocks_behind(u32::MAX);
    let node = Node::new(config).unwrap();
    first.fault("/names", Fault::StallBeforeHeaders);
    second.fault("/names", Fault::StallBeforeHeaders);
    let busy = node.names(None, PageRequest::first(1));
    let other = async {
        advance(Duration::from_millis(100)).await;
        node.height().await.unwrap()
    };
    tokio::select! {
        _ = busy => panic!("a stalled request ended"),
        height = other => assert_eq!(height, Height::new(468)),
    }
    assert!(targets(&second).contains(&"/blocks/height".to_owned()));
    first.stop().await;
    second.stop().await;
}

/// Three nodes of one's own, so many blocks ahead of the recorded chain.
async fn ahead(blocks: [usize; 3]) -> ([TestNode; 3], Node) {
    let nodes = [started().await, started().await, started().await];
    for (node, blocks) in nodes.iter().zip(blocks) {
        for _ in 0..blocks {
            node.apply(&Event::Block);
        }
    }
    let others = nodes[1..].iter().map(|it| OwnNode::new(it.url()));
    let config = NodeConfig::new(nodes[0].url()).with_own_nodes(Vec::from_iter(others));
    (nodes, Node::new(config).unwrap())
}

#[tokio::test]
async fn a_node_that_is_too_far_behind_the_best_is_passed_over() {
    for (blocks, expected) in [
        ([0, 0, 10], 468),
        ([0, 0, 11], 479),
        ([0, 5, 11], 473),
        ([20, 5, 0], 488),
    ] {
        let (_nodes, node) = ahead(blocks).await;
        assert_eq!(
            node.height().await.unwrap(),
            Height::new(expected),
            "{blocks:?}"
        );
    }
}

#[tokio::test]
async fn an_answer_says_how_far_behind_its_node_is() {
    let ([first, second, third], node) = ahead([0, 5, 30]).await;
    node.height().await.unwrap();
    let behind: Vec<_> = node.health().iter().map(|it| it.blocks_behind).collect();
    assert_eq!(behind, [Some(30), Some(25), None]);
    third.fault("/names", Fault::ResetBeforeResponse);
    let (one, seen) = node.observed();
    one.names(None, PageRequest::first(1)).await.unwrap();
    let nearest = [
        from(&second, FallbackReason::Behind { blocks: 30 }),
        Observation::OtherNodeBehind { blocks: 25 },
    ];
    assert_eq!(seen.all(), nearest);
    for it in [first, second, third] {
        it.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn heights_of_nodes_that_are_not_asked_are_learned_each_15_seconds() {
    let (first, second) = (started().await, started().await);
    let config = NodeConfig::new(first.url()).with_own_nodes([OwnNode::new(second.url())]);
    let node = Node::new(config).unwrap();
    let learned = || targets(&second).len();
    for seconds in [0, 14, 2, 14, 2] {
        advance(Duration::from_secs(seconds)).await;
        node.height().await.unwrap();
    }
    assert_eq!(learned(), 3);
    assert_eq!(
        targets(&first).len(),
        1 + 5,
        "what it is asked anyway says its height"
    );
    for _ in 0..20 {
        second.apply(&Event::Block);
    }
    advance(Duration::from_secs(16)).await;
    assert_eq!(node.height().await.unwrap(), Height::new(488));
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_node_that_states_its_height_a_moment_later_is_compared_no_later() {
    let (first, second) = (started().await, started().await);
    second.latency(Duration::from_millis(100));
    let config = NodeConfig::new(first.url()).with_own_nodes([OwnNode::new(second.url())]);
    let node = Node::new(config).unwrap();
    let begun = Instant::now();
    node.height().await.unwrap();
    assert_eq!(targets(&second).len(), 1);
    advance(Duration::from_secs(15) - begun.elapsed()).await;
    node.height().await.unwrap();
    assert_eq!(targets(&second).len(), 2);
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_back_is_compared_before_it_is_trusted() {
    let (first, second) = (started().await, started().await);
    let config = NodeConfig::new(first.url()).with_own_nodes([OwnNode::new(second.url())]);
    let node = Node::new(config).unwrap();
    node.height().await.unwrap();
    first.fault("/*", Fault::ResetBeforeResponse);
    for _ in 0..20 {
        second.apply(&Event::Block);
    }
    assert_eq!(node.height().await.unwrap(), Height::new(488));
    first.clear_faults();
    advance(Duration::from_secs(61)).await;
    // One request shows that it is back, and is answered by the other one all the same, as is who asks while the heights are compared.
    first.latency(Duration::from_millis(100));
    let later = async {
        sleep(Duration::from_millis(120)).await;
        node.height().await
    };
    let (one, later) = tokio::join!(node.first_block(), later);
    one.unwrap();
    assert_eq!(later.unwrap(), Height::new(488));
    assert_eq!(node.health()[0].circuit, Circuit::Closed);
    assert_eq!(node.health()[0].blocks_behind, Some(20));
    assert_eq!(node.height().await.unwrap(), Height::new(488));
    first.stop().await;
    second.stop().await;
}

#[tokio::test]
async fn a_node_that_does_not_answer_is_known_before_anyone_needs_it() {
    let (first, second, node) = pair().await;
    let circuits = || {
        let health = node.health();
        health.iter().map(|it| it.circuit).collect::<Vec<_>>()
    };
    second.fault("/*", Fault::Refuse);
    node.probe().await;
    assert_eq!(circuits(), [Circuit::Closed, Circuit::Open]);
    assert_eq!(targets(&first), ["/blocks/height"]);
    assert_eq!(node.health()[0].height, Some(Height::new(468)));
    first.fault("/*", Fault::Status(503, String::new()));
    second.clear_faults();
    node.probe().await;
    assert_eq!(circuits(), [Circuit::Open, Circuit::Closed]);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_back_is_asked_again_while_the_other_one_is_silent() {
    let (first, second, node) = pair().await;
    second.fault("/*", Fault::StallBeforeHeaders);
    first.fault("/*", Fault::ResetBeforeResponse);
    let back = async {
        sleep(Duration::from_millis(250)).await;
        first.clear_faults();
        Instant::now()
    };
    // The first is under way when the node is away, the second comes when it is back and its circuit is still open.
    let (early, late) = (node.height(), async {
        sleep(Duration::from_millis(600)).await;
        node.names(None, PageRequest::first(1)).await
    });
    let (back, early, late) = tokio::join!(back, early, late);
    early.unwrap();
    late.unwrap();
    let took = back.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn who_asked_a_node_while_it_was_silent_needs_no_patience_of_its_own() {
    let (first, second, node) = pair().await;
    first.fault("/*", Fault::StallBeforeHeaders);
    // The first learns that the node is silent 2.5 seconds after it asked, a moment after the second asked.
    let later = async {
        sleep(Duration::from_millis(2_400)).await;
        let begun = Instant::now();
        node.names(None, PageRequest::first(1)).await.unwrap();
        begun.elapsed()
    };
    let (height, took) = tokio::join!(node.height(), later);
    height.unwrap();
    assert!(took < Duration::from_secs(1), "{took:?}");
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn whichever_node_is_back_first_does_not_wait_for_another_that_is_not() {
    let (first, second, node) = pair().await;
    for back in [&first, &second] {
        for it in [&first, &second] {
            it.fault("/*", Fault::StallBeforeHeaders);
        }
        node.probe().await;
        let is_open = |it: &NodeHealth| it.circuit == Circuit::Open;
        assert!(node.health().iter().all(is_open));
        back.clear_faults();
        let begun = Instant::now();
        node.names(None, PageRequest::first(1)).await.unwrap();
        let took = begun.elapsed();
        assert!(took < Duration::from_millis(500), "{took:?}");
    }
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn who_tries_a_node_again_does_not_wait_for_it_though_the_next_one_is_behind() {
    let (nodes, node) = ahead([20, 0, 0]).await;
    let [first, ..] = &nodes;
    assert_eq!(node.height().await.unwrap(), Height::new(488));
    first.fault("/*", Fault::StallBeforeHeaders);
    node.first_block().await.unwrap();
    advance(Duration::from_secs(61)).await;
    assert_eq!(node.health()[0].circuit, Circuit::Open);
    assert_eq!(node.health()[1].blocks_behind, Some(20));
    let begun = Instant::now();
    node.names(None, PageRequest::first(1)).await.unwrap();
    let took = begun.elapsed();
    assert!(took < Duration::from_millis(1_500), "{took:?}");
    for it in nodes {
        it.stop().await;
    }
}

/// A node that is back, late and 20 blocks behind, the better one, and the client of both, which has to try the first again.
async fn back_and_behind() -> (TestNode, TestNode, Node) {
    let (first, second) = (started().await, started().await);
    (0..20).for_each(|_| second.apply(&Event::Block));
    let config = NodeConfig::new(first.url()).with_own_nodes([OwnNode::new(second.url())]);
    let node = Node::new(config).unwrap();
    assert_eq!(node.height().await.unwrap(), Height::new(488));
    first.fault("/*", Fault::ResetBeforeResponse);
    node.probe().await;
    first.clear_faults();
    advance(Duration::from_secs(61)).await;
    first.latency(Duration::from_millis(400));
    (first, second, node)
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_back_answers_only_where_no_better_one_does() {
    let synchronizes = r#"{"error":7,"message":"blockchain needs to synchronize first"}"#;
    for (first_says, second_says, expected) in [
        (None, None, 488),
        (Some(synchronizes), None, 488),
        (None, Some("down"), 468),
    ] {
        let (first, second, node) = back_and_behind().await;
        // While the first is late, the second is asked as well, and is later.
        second.latency(Duration::from_millis(600));
        for (node, says) in [(&first, first_says), (&second, second_says)] {
            if let Some(says) = says {
                node.fault("/blocks/height", Fault::Status(503, says.to_owned()));
            }
        }
        let height = node.height().await;
        assert_eq!(height.unwrap(), Height::new(expected), "{first_says:?}");
        first.stop().await;
        second.stop().await;
    }
}

/// A better node may be silent: what the other one has is not kept from people for as long as a request may take.
#[tokio::test(start_paused = true)]
async fn a_stale_answer_waits_a_second_for_a_better_one() {
    let (first, second, node) = back_and_behind().await;
    second.fault("/blocks/height", Fault::StallBeforeHeaders);
    let asked = Instant::now();
    assert_eq!(node.height().await.unwrap(), Height::new(468));
    // The silent one has a second, the comparison of heights another, and the better answer the third.
    assert!(
        asked.elapsed() < Duration::from_secs(4),
        "{:?}",
        asked.elapsed()
    );
    first.stop().await;
    second.stop().await;
}
