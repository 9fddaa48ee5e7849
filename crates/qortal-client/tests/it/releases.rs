//! Cores that are older than an endpoint.

use qortal_client::{
    ApiError, CoreVersion, Node, NodeConfig, NodeErrorKind, PageRequest,
    api::{
        arbitrary::ResourceId, names::NameMatch, polls::RatedService, transactions::PaymentFilter,
    },
};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_types::{Blockchain, Service};

use crate::harness::{ALICE, BOB, address, refused, targets, with};

const COIN: Blockchain = Blockchain::Litecoin;

/// Asks a question of the release before the one that brought the endpoint, and of that one.
macro_rules! check {
    ($before:expr, $since:expr, |$node:ident| $asked:expr) => {
        let (_test_node, $node) = with(Scenario::recorded().with_core($before)).await;
        let error = $asked.unwrap_err();
        let [needs, has] =
            [$since, $before].map(|[major, minor, patch]| CoreVersion::new(major, minor, patch));
        let has = Some(has);
        let expected = NodeErrorKind::NotInThisVersion { needs, has };
        assert_eq!(*error.kind(), expected, "{error}");
        let (_test_node, $node) = with(Scenario::recorded().with_core($since)).await;
        $asked.unwrap();
    };
}

#[tokio::test]
async fn an_endpoint_is_missed_by_its_first_release() {
    let (alice, bob) = (address(ALICE), address(BOB));
    let one = PageRequest::first(1);
    check!([6, 1, 6], [6, 1, 7], |node| node
        .memberships(3, &[alice])
        .await);
    check!([6, 1, 5], [6, 1, 6], |node| node.chat_stats(1).await);
    // Answered with 405, because there is a name of each path.
    check!([6, 1, 4], [6, 1, 5], |node| node
        .primary_names(&[alice])
        .await);
    check!([6, 1, 3], [6, 1, 4], |node| node
        .app_ratings(RatedService::App)
        .await);
    check!([5, 0, 7], [6, 0, 0], |node| node.coin_status(&COIN).await);
    check!([5, 0, 6], [5, 0, 7], |node| {
        let filter = PaymentFilter::default()
            .with_sender(alice)
            .with_recipient(bob);
        node.payments(&filter, one).await
    });
    check!([4, 7, 1], [5, 0, 0], |node| node.primary_name(&alice).await);
    check!([4, 0, 9], [4, 1, 0], |node| node.circulating_supply().await);
    // Answered with "name unknown", because there is a name of each path.
    check!([4, 0, 1], [4, 0, 2], |node| node
        .search_names("a", NameMatch::Anywhere, one)
        .await);
    // Answered with "unauthorized", because publishing has the same path.
    let id = ResourceId::new(
        Service::ChainComment,
        "Alice Test",
        Some("comment-1".to_owned()),
    );
    check!([6, 1, 3], [6, 1, 4], |node| {
        let ids = [id.clone()];
        node.resources_on_chain(&ids).await
    });
}

#[tokio::test]
async fn the_version_is_asked_for_only_then() {
    let (test_node, node) = with(Scenario::recorded()).await;
    node.primary_names(&[address(ALICE)]).await.unwrap();
    node.search_names("a", NameMatch::Anywhere, PageRequest::first(1))
        .await
        .unwrap();
    assert_eq!(targets(&test_node).len(), 2);
    // The Core's own refusals need no explanation.
    let error = node.memberships(99, &[address(ALICE)]).await.unwrap_err();
    assert!(error.is(ApiError::GROUP_UNKNOWN), "{error}");
    assert_eq!(targets(&test_node).len(), 3);
}

#[tokio::test]
async fn a_recent_core_that_refuses_is_not_called_old() {
    let (test_node, node) = with(Scenario::recorded()).await;
    test_node.fault("/names/list", Fault::Status(404, String::new()));
    let text = refused(node.primary_names(&[address(ALICE)]).await);
    assert_eq!(text, "node refused POST /names/list with HTTP 404");
}

#[tokio::test]
async fn a_node_that_does_not_tell_its_version_may_be_old() {
    let (test_node, node) = with(Scenario::recorded().with_core([6, 1, 4])).await;
    test_node.fault("/admin/info", Fault::Status(403, String::new()));
    let text = refused(node.primary_names(&[address(ALICE)]).await);
    assert_eq!(text, "POST /names/list needs Qortal Core 6.1.5");
}

#[tokio::test]
async fn another_node_is_not_asked_for_its_version() {
    let own = TestNode::start(Scenario::recorded()).await.unwrap();
    let public = TestNode::start(Scenario::recorded().with_core([6, 1, 4]))
        .await
        .unwrap();
    own.fault("/*", Fault::Refuse);
    let mut config = NodeConfig::new(own.url());
    config.public_urls = vec![public.url().to_owned()];
    config.max_blocks_behind = u32::MAX;
    let node = Node::new(config).unwrap();
    let text = refused(node.primary_names(&[address(ALICE)]).await);
    assert_eq!(text, "POST /names/list needs Qortal Core 6.1.5");
    assert_eq!(targets(&public), ["/names/list"]);
}
