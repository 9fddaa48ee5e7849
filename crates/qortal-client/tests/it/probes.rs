//! Own nodes that do not answer: how they are probed, how soon they are of use again, and what is said of what they miss.

use std::time::Duration;

use qortal_client::{Circuit, Node, NodeConfig, Observation, OwnNode, PageRequest};
use qortal_testnode::{Event, Fault};
use qortal_types::Height;
use tokio::time::{Instant, advance, sleep, timeout};

use crate::{
    harness::targets,
    own_nodes::{ask, pair, started},
};

/// How long a node may be well again before what a node has that is behind is no longer returned.
const SOON: Duration = Duration::from_secs(3);

#[tokio::test(start_paused = true)]
async fn recovered_own_node_replaces_one_that_is_behind_within_3_seconds() {
    let busy = || Fault::Status(503, String::new());
    let often = Duration::from_millis(1_500);
    // No request keeps the probes going.
    let seldom = Duration::from_secs(40);
    for (fault, pause, is_configured) in [
        (Fault::StallBeforeHeaders, often, true),
        (Fault::ResetBeforeResponse, often, true),
        (busy(), often, true),
        (Fault::StallBeforeHeaders, seldom, true),
        (busy(), seldom, true),
        (Fault::StallBeforeHeaders, often, false),
        (busy(), seldom, false),
    ] {
        let (first, second) = (started().await, started().await);
        (0..499).for_each(|_| first.apply(&Event::Block));
        let (configured, other) = match is_configured {
            true => (&first, &second),
            false => (&second, &first),
        };
        let config = NodeConfig::new(configured.url()).with_own_nodes([OwnNode::new(other.url())]);
        let node = Node::new(config).unwrap();
        let (node, seen) = node.observed();
        assert_eq!(node.height().await.unwrap(), Height::new(967));
        first.fault("/*", fault.clone());
        let away = Instant::now();
        while away.elapsed() < Duration::from_secs(12) {
            assert_eq!(node.height().await.unwrap(), Height::new(468));
            sleep(pause).await;
        }
        let behind = match is_configured {
            true => Observation::OtherNodeBehind { blocks: 499 },
            false => Observation::OwnNodeBehind { blocks: 499 },
        };
        assert!(seen.all().contains(&behind), "{:?}", seen.all());
        first.clear_faults();
        let well = Instant::now();
        loop {
            let asked = well.elapsed();
            let height = node.height().await.unwrap();
            assert!(
                asked < SOON || height.number() == 967,
                "{fault:?} {asked:?}"
            );
            if asked >= SOON {
                break;
            }
            sleep(pause).await;
        }
        first.stop().await;
        second.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn own_node_that_does_not_answer_is_probed_each_second() {
    let (first, second, node) = pair().await;
    first.fault("/*", Fault::StallBeforeHeaders);
    node.first_block().await.unwrap();
    node.first_block().await.unwrap();
    let before = targets(&first).len();
    let asked = |from: usize| {
        let asked = targets(&first).split_off(from);
        // One second after half a second of patience, a heartbeat follows each probe.
        assert!(asked.iter().all(|it| it == "/blocks/height"), "{asked:?}");
        asked.len()
    };
    sleep(Duration::from_millis(3_500)).await;
    assert!((3..=6).contains(&asked(before)), "{}", asked(before));
    // Without requests, too: when they come, they find it as it is.
    sleep(Duration::from_secs(100)).await;
    let later = targets(&first).len();
    sleep(Duration::from_secs(100)).await;
    assert!((45..=100).contains(&asked(later)), "{}", asked(later));
    // The client takes its probes with it.
    node.first_block().await.unwrap();
    drop(node);
    let dropped = targets(&first).len();
    sleep(Duration::from_secs(100)).await;
    assert_eq!(asked(dropped), 0);
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn request_answered_by_another_node_shows_that_the_first_is_silent() {
    let (first, second, node) = pair().await;
    ask(&node, 40).await;
    first.fault("/*", Fault::StallBeforeHeaders);
    node.names(None, PageRequest::first(1)).await.unwrap();
    assert_eq!(node.health()[0].circuit, Circuit::Closed);
    sleep(SOON).await;
    assert_eq!(node.health()[0].circuit, Circuit::Open);
    // So does one whose client has left.
    first.clear_faults();
    node.probe().await;
    assert_eq!(node.health()[0].circuit, Circuit::Closed);
    first.fault("/*", Fault::StallBeforeHeaders);
    let patience = Duration::from_millis(400);
    timeout(patience, node.status()).await.unwrap_err();
    sleep(SOON).await;
    assert_eq!(node.health()[0].circuit, Circuit::Open);
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn question_about_a_silent_own_node_fails_at_once() {
    let (first, second, node) = pair().await;
    first.fault("/*", Fault::StallBeforeHeaders);
    let took = async || {
        let begun = Instant::now();
        let failed = node.status().await.unwrap_err();
        assert!(failed.is_unavailable());
        (begun.elapsed(), failed.to_string())
    };
    // The first finds out.
    let (found, _) = took().await;
    assert_eq!(found, Duration::from_millis(2_300));
    let (time, said) = took().await;
    assert_eq!(time, Duration::ZERO);
    insta::assert_snapshot!(said, @"GET /admin/status was not sent because the node has not answered for 2s");
    sleep(Duration::from_secs(7)).await;
    let (time, said) = took().await;
    assert_eq!(time, Duration::ZERO);
    insta::assert_snapshot!(said, @"GET /admin/status was not sent because the node has not answered for 9s");
    sleep(Duration::from_secs(60)).await;
    assert_eq!(took().await.0, Duration::ZERO);
    first.clear_faults();
    sleep(SOON).await;
    node.status().await.unwrap();
    first.stop().await;
    second.stop().await;
}

/// A node may go back, such as one whose chain was downloaded anew.
#[tokio::test(start_paused = true)]
async fn old_height_is_never_returned_without_a_note() {
    for has_other in [true, false] {
        let (first, second) = (started().await, started().await);
        (0..500).for_each(|_| first.apply(&Event::Block));
        let own = has_other.then(|| OwnNode::new(second.url()));
        let config = NodeConfig::new(first.url()).with_own_nodes(Vec::from_iter(own));
        let node = Node::new(config).unwrap();
        assert_eq!(node.height().await.unwrap(), Height::new(968));
        second.fault("/*", Fault::StallBeforeHeaders);
        first.fault("/blocks/height", Fault::Status(200, "468".to_owned()));
        // Whatever the time since, and whether the height was stated before.
        for seconds in [0, 5, 600, 86_400] {
            advance(Duration::from_secs(seconds)).await;
            let (node, seen) = node.observed();
            assert_eq!(node.height().await.unwrap(), Height::new(468));
            let behind = Observation::OwnNodeBehind { blocks: 500 };
            assert_eq!(seen.all(), [behind], "{has_other} {seconds}");
        }
        first.stop().await;
        second.stop().await;
    }
}

/// Its circuit stays closed, so that no probe finds out.
#[tokio::test(start_paused = true)]
async fn node_that_was_not_ready_is_queried_again_while_the_other_one_is_silent() {
    let (first, second, node) = pair().await;
    let synchronizes = r#"{"error":7,"message":"blockchain needs to synchronize first"}"#;
    first.fault("/*", Fault::Status(503, synchronizes.to_owned()));
    second.fault("/*", Fault::StallBeforeHeaders);
    let back = async {
        sleep(Duration::from_millis(1_500)).await;
        first.clear_faults();
        Instant::now()
    };
    let (back, names) = tokio::join!(back, node.names(None, PageRequest::first(1)));
    names.unwrap();
    let took = back.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn only_request_is_answered_soon_after_the_node_that_failed_is_back() {
    let (first, second, node) = pair().await;
    for it in [&first, &second] {
        it.fault("/*", Fault::StallBeforeHeaders);
    }
    let back = async {
        sleep(Duration::from_millis(3_200)).await;
        first.clear_faults();
        Instant::now()
    };
    let (back, names) = tokio::join!(back, node.names(None, PageRequest::first(1)));
    names.unwrap();
    let took = back.elapsed();
    assert!(took < Duration::from_millis(1_500), "{took:?}");
    first.stop().await;
    second.stop().await;
}
