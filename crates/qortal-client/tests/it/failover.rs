//! Other nodes, while one's own cannot be reached.

use std::time::Duration;

use qortal_client::{
    ApiKey, Circuit, FallbackReason, Node, NodeConfig, Observation, OwnNode, Timeouts,
};
use qortal_testnode::{API_KEY, Event, Fault, Scenario, TestNode};
use qortal_types::Height;
use tokio::time::{Instant, sleep};

use crate::harness::{PATIENCE, refused, targets};

/// One's own node, another one, and a client that knows both.
async fn pair(cool_down: Duration) -> (TestNode, TestNode, Node) {
    pair_with(|config| config.cool_down = cool_down).await
}

async fn pair_with(change: impl FnOnce(&mut NodeConfig)) -> (TestNode, TestNode, Node) {
    let own = TestNode::start(Scenario::recorded()).await.unwrap();
    let public = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut config = NodeConfig::new(own.url());
    config.public_urls = vec![public.url().to_owned()];
    // Only the last tests are about heights.
    config.max_blocks_behind = u32::MAX;
    config.api_key = Some(ApiKey::new(API_KEY).unwrap());
    config.timeouts = Timeouts::default()
        .with_connect(PATIENCE)
        .with_quick(PATIENCE)
        .with_slow(PATIENCE);
    change(&mut config);
    let node = Node::new(config).unwrap();
    (own, public, node)
}

const HOUR: Duration = Duration::from_secs(3_600);

#[tokio::test]
async fn the_own_node_is_asked_as_long_as_it_answers() {
    let (own, public, node) = pair(HOUR).await;
    node.height().await.unwrap();
    // A refusal is an answer.
    node.block_at(Height::new(9_999)).await.unwrap_err();
    assert_eq!(targets(&own).len(), 2);
    assert!(targets(&public).is_empty());
}

#[tokio::test]
async fn another_node_is_asked_when_the_own_one_is_gone() {
    let (own, public, node) = pair(HOUR).await;
    own.fault("/*", Fault::Refuse);
    assert_eq!(node.height().await.unwrap(), Height::new(468));
    assert_eq!(targets(&public), ["/blocks/height"]);
    assert!(
        public
            .journal()
            .iter()
            .all(|exchange| !exchange.has_api_key)
    );
}

#[tokio::test]
async fn the_own_node_rests_for_the_cool_down() {
    let (own, public, node) = pair(HOUR).await;
    own.fault("/*", Fault::Refuse);
    node.height().await.unwrap();
    own.clear_faults();
    node.height().await.unwrap();
    assert_eq!((targets(&own).len(), targets(&public).len()), (0, 2));
}

#[tokio::test(start_paused = true)]
async fn the_own_node_is_asked_again_when_a_probe_was_answered() {
    let (own, public, node) = pair(HOUR).await;
    own.fault("/*", Fault::Refuse);
    node.height().await.unwrap();
    node.height().await.unwrap();
    own.clear_faults();
    sleep(Duration::from_millis(1_100)).await;
    assert_eq!(targets(&own), ["/blocks/height"], "the probe");
    node.first_block().await.unwrap();
    assert_eq!((targets(&own).len(), targets(&public).len()), (2, 2));
    own.stop().await;
    public.stop().await;
}

#[tokio::test]
async fn a_resting_node_is_asked_when_no_other_answers() {
    let (own, public, node) = pair(HOUR).await;
    own.fault("/*", Fault::Refuse);
    node.height().await.unwrap();
    own.clear_faults();
    public.fault("/*", Fault::Refuse);
    assert_eq!(node.height().await.unwrap(), Height::new(468));
    assert_eq!(targets(&own)[0], "/blocks/height");
}

#[tokio::test]
async fn no_other_node_is_asked_about_the_own_one() {
    let (own, public, node) = pair(HOUR).await;
    own.fault("/*", Fault::Refuse);
    insta::assert_snapshot!(refused(node.status().await), @"node unreachable for GET /admin/status: the connection was refused");
    insta::assert_snapshot!(refused(node.api_key_test().await), @"node unreachable for GET /admin/apikey/test: the connection was refused");
    assert!(targets(&public).is_empty());
}

/// What may happen to the own node so that another one answers.
fn outages() -> Vec<Fault> {
    let not_ready = r#"{"error":7,"message":"blockchain needs to synchronize first"}"#;
    vec![
        Fault::Refuse,
        Fault::ResetBeforeResponse,
        Fault::TruncateBody,
        Fault::StallBeforeHeaders,
        Fault::StallAfterHeaders,
        Fault::Slow {
            bytes_per_tick: 1,
            tick: Duration::from_secs(30),
        },
        Fault::Status(500, String::new()),
        Fault::Status(500, "<html></html>".to_owned()),
        Fault::Status(502, "<html></html>".to_owned()),
        // Of a network that wants a login first.
        Fault::Status(200, "<!DOCTYPE html><title>Sign in</title>".to_owned()),
        Fault::Status(503, String::new()),
        Fault::Status(504, String::new()),
        Fault::Status(503, not_ready.to_owned()),
    ]
}

#[tokio::test(start_paused = true)]
async fn no_question_is_lost_whatever_happens_to_the_own_node() {
    for fault in outages() {
        let (own, public, node) = pair_with(|config| config.timeouts = Timeouts::default()).await;
        own.fault("/*", fault.clone());
        let began = Instant::now();
        node.last_block().await.unwrap();
        let page = qortal_client::PageRequest::first(1);
        assert_eq!(node.names(None, page).await.unwrap().len(), 1);
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{fault:?}: {:?}",
            began.elapsed()
        );
        assert_eq!(targets(&public), ["/blocks/last", "/names?limit=1"]);
        own.stop().await;
        public.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn one_slow_endpoint_costs_half_of_the_time_and_not_the_node() {
    let (own, public, node) = pair_with(|config| config.timeouts = Timeouts::default()).await;
    own.fault("/names", Fault::StallBeforeHeaders);
    let page = qortal_client::PageRequest::first(1);
    assert_eq!(node.names(None, page).await.unwrap().len(), 1);
    assert_eq!(targets(&public), ["/names?limit=1"]);
    node.last_block().await.unwrap();
    assert_eq!(targets(&public).len(), 1);
    own.stop().await;
    public.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_node_that_answers_late_rests_although_it_answers() {
    let (own, public, node) = pair_with(|config| {
        config.timeouts = Timeouts::default();
        config.cool_down = HOUR;
    })
    .await;
    let circuit = || node.health()[0].circuit;
    own.latency(Duration::from_secs(3));
    let (status, height) = tokio::join!(node.status(), node.height());
    status.unwrap_err();
    height.unwrap();
    assert_eq!(circuit(), Circuit::Open);
    node.last_block().await.unwrap();
    let asked = targets(&own);
    assert!(!asked.contains(&"/blocks/last".to_owned()), "{asked:?}");
    assert_eq!(circuit(), Circuit::Open, "probes are answered late");
    own.latency(Duration::ZERO);
    sleep(Duration::from_secs(2)).await;
    assert_eq!(circuit(), Circuit::Closed);
    node.status().await.unwrap();
    own.stop().await;
    public.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_refusal_with_the_cores_code_is_an_answer() {
    let (own, public, node) = pair(HOUR).await;
    for (status, body) in [
        (503, r#"{"error":301,"message":"block unknown"}"#),
        (500, ""),
        (404, ""),
    ] {
        own.fault("/blocks/last", Fault::Status(status, body.to_owned()));
        node.last_block().await.unwrap_err();
        assert_eq!(node.health()[0].circuit, Circuit::Closed);
    }
    assert!(targets(&public).is_empty());
}

#[tokio::test]
async fn bare_error_opens_the_circuit_when_a_heartbeat_fails_too() {
    const NAME: &str = "/names/chloe";
    const HEIGHT: &str = "/blocks/height";
    for (broken, circuit, of_own, of_public) in [
        (
            &[NAME][..],
            Circuit::Closed,
            // Last, whether the node has network time.
            &[NAME, HEIGHT, "/admin/info", "/blocks/first"][..],
            &[][..],
        ),
        (
            &[NAME, HEIGHT],
            Circuit::Open,
            &[NAME, HEIGHT],
            &[NAME, "/blocks/first"],
        ),
        (
            &[HEIGHT],
            Circuit::Open,
            &[HEIGHT, HEIGHT],
            &[HEIGHT, "/blocks/first"],
        ),
    ] {
        let (own, public, node) = pair(HOUR).await;
        for path in broken {
            own.fault(path, Fault::Status(500, String::new()));
        }
        let is_answered = match broken {
            [HEIGHT] => node.height().await.is_ok(),
            _ => node.name("chloe").await.is_ok(),
        };
        assert_eq!(is_answered, circuit == Circuit::Open, "{broken:?}");
        assert_eq!(node.health()[0].circuit, circuit, "{broken:?}");
        node.first_block().await.unwrap();
        assert_eq!(targets(&own), of_own);
        assert_eq!(targets(&public), of_public);
    }
}

#[tokio::test(start_paused = true)]
async fn public_node_that_does_not_answer_is_probed_after_its_cool_down() {
    let third = TestNode::start(Scenario::recorded()).await.unwrap();
    let (own, public, node) = pair_with(|config| {
        config.public_urls.push(third.url().to_owned());
        config.cool_down = Duration::from_secs(60);
    })
    .await;
    own.fault("/*", Fault::Refuse);
    public.fault("/*", Fault::StallBeforeHeaders);
    node.last_block().await.unwrap();
    let tried = targets(&public).len();
    let asked = || targets(&public).split_off(tried);
    for _ in 0..3 {
        node.first_block().await.unwrap();
        sleep(Duration::from_secs(15)).await;
        assert_eq!(asked(), Vec::<String>::new(), "it rests");
    }
    public.clear_faults();
    sleep(Duration::from_secs(15)).await;
    assert_eq!(asked(), ["/blocks/height"]);
    node.first_block().await.unwrap();
    assert_eq!(asked(), ["/blocks/height", "/blocks/first"]);
    for it in [own, public, third] {
        it.stop().await;
    }
}

#[tokio::test]
async fn when_no_node_answers_the_failure_of_the_configured_one_is_returned() {
    let (own, public, node) = pair(HOUR).await;
    own.fault("/*", Fault::Refuse);
    public.fault("/*", Fault::Refuse);
    insta::assert_snapshot!(refused(node.height().await), @"node unreachable for GET /blocks/height: the connection was refused");
}

#[tokio::test]
async fn what_another_node_says_is_not_kept() {
    let (own, public, node) = pair_with(|config| {
        config.cache_bytes = 100_000;
        config.cache_depth = 100;
    })
    .await;
    let deep = node.first_block().await.unwrap().signature;
    own.fault("/*", Fault::Refuse);
    node.height().await.unwrap();
    for _ in 0..2 {
        node.block(&deep).await.unwrap();
    }
    assert_eq!(targets(&public).len(), 3);
    own.clear_faults();
    public.fault("/*", Fault::Refuse);
    for _ in 0..2 {
        node.block(&deep).await.unwrap();
    }
    assert_eq!(
        targets(&own).len(),
        3,
        "the height that another node stated does not count"
    );
}

/// A client of a node at height 468 and of another one, which is `ahead` blocks further.
async fn behind(ahead: usize) -> (TestNode, TestNode, Node) {
    let (own, public, node) = pair_with(|config| config.max_blocks_behind = 10).await;
    for _ in 0..ahead {
        public.apply(&Event::Block);
    }
    (own, public, node)
}

#[tokio::test]
async fn a_node_that_is_behind_is_passed_over() {
    for (ahead, height, reason) in [
        (0, 468, None),
        (10, 468, None),
        (11, 479, Some(FallbackReason::Behind { blocks: 11 })),
    ] {
        let (own, public, node) = behind(ahead).await;
        let (node, seen) = node.observed();
        assert_eq!(node.height().await.unwrap(), Height::new(height));
        let expected = reason.map(|reason| Observation::OtherNode {
            url: public.url().into(),
            is_own: false,
            reason,
        });
        assert_eq!(seen.all(), Vec::from_iter(expected));
        // The heights of public nodes are compared once a minute.
        let before = targets(&public).len();
        node.first_block().await.unwrap();
        let after = targets(&public).len();
        assert_eq!(after - before, usize::from(reason.is_some()));
        own.stop().await;
        public.stop().await;
    }
}

#[tokio::test]
async fn a_node_that_is_behind_is_better_than_none() {
    let (own, public, node) = behind(20).await;
    node.height().await.unwrap();
    public.fault("/*", Fault::ResetBeforeResponse);
    let (node, seen) = node.observed();
    assert_eq!(node.height().await.unwrap(), Height::new(468));
    assert_eq!(seen.all(), [Observation::OwnNodeBehind { blocks: 20 }]);
    assert_eq!(node.health()[0].blocks_behind, Some(20));
    own.stop().await;
    public.stop().await;
}

#[tokio::test]
async fn a_node_is_configured_once() {
    let config = NodeConfig::new("http://127.0.0.1:1").with_own_nodes([
        OwnNode::new("http://127.0.0.1:2"),
        OwnNode::new("http://127.0.0.1:1/"),
    ]);
    let refused = Node::new(config).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the node \"http://127.0.0.1:1\" is configured twice"
    );
}
