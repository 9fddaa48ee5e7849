//! Other nodes, while one's own cannot be reached.

use std::time::Duration;

use qortal_client::{ApiKey, Config, Node, Timeouts};
use qortal_testnode::{API_KEY, Fault, Scenario, TestNode};
use qortal_types::Height;

use crate::harness::{IMPATIENCE, PATIENCE, refused, targets};

/// One's own node, another one, and a client that knows both.
async fn pair(cool_down: Duration) -> (TestNode, TestNode, Node) {
    pair_with(|config| config.cool_down = cool_down).await
}

async fn pair_with(change: impl FnOnce(&mut Config)) -> (TestNode, TestNode, Node) {
    let own = TestNode::start(Scenario::recorded()).await.unwrap();
    let public = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut config = Config::new(own.url());
    config.public_urls = vec![public.url().to_owned()];
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

#[tokio::test]
async fn the_own_node_is_asked_again_after_the_cool_down() {
    let (own, public, node) = pair(Duration::ZERO).await;
    own.fault("/*", Fault::Refuse);
    node.height().await.unwrap();
    own.clear_faults();
    node.height().await.unwrap();
    assert_eq!((targets(&own).len(), targets(&public).len()), (1, 1));
}

#[tokio::test]
async fn a_resting_node_is_asked_when_no_other_answers() {
    let (own, public, node) = pair(HOUR).await;
    own.fault("/*", Fault::Refuse);
    node.height().await.unwrap();
    own.clear_faults();
    public.fault("/*", Fault::Refuse);
    assert_eq!(node.height().await.unwrap(), Height::new(468));
    assert_eq!(targets(&own), ["/blocks/height"]);
}

#[tokio::test]
async fn no_other_node_is_asked_about_the_own_one() {
    let (own, public, node) = pair(HOUR).await;
    own.fault("/*", Fault::Refuse);
    insta::assert_snapshot!(refused(node.status().await), @"node unreachable for GET /admin/status");
    insta::assert_snapshot!(refused(node.api_key_test().await), @"node unreachable for GET /admin/apikey/test");
    assert!(targets(&public).is_empty());
}

#[tokio::test]
async fn a_stalled_node_costs_one_call_its_time_and_no_more() {
    let own = TestNode::start(Scenario::recorded()).await.unwrap();
    let public = TestNode::start(Scenario::recorded()).await.unwrap();
    own.fault("/*", Fault::StallBeforeHeaders);
    let mut config = Config::new(own.url());
    config.public_urls = vec![public.url().to_owned()];
    config.timeouts = Timeouts::default()
        .with_connect(PATIENCE)
        .with_quick(IMPATIENCE)
        .with_slow(PATIENCE);
    let node = Node::new(config).unwrap();
    insta::assert_snapshot!(refused(node.height().await), @"no answer to GET /blocks/height within 150ms");
    // From here on the other node is preferred, with patience for a busy machine.
    let page = qortal_client::Page::first(1);
    assert_eq!(node.names(None, page).await.unwrap().len(), 1);
    assert_eq!((targets(&own).len(), targets(&public).len()), (1, 1));
}

#[tokio::test]
async fn when_no_node_answers_the_failure_of_the_configured_one_is_returned() {
    let (own, public, node) = pair(HOUR).await;
    own.fault("/*", Fault::Refuse);
    public.fault("/*", Fault::Refuse);
    insta::assert_snapshot!(refused(node.height().await), @"node unreachable for GET /blocks/height");
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
