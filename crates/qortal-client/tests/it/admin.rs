//! `/admin`.

use qortal_client::{ApiKey, KeyUse, Node, NodeError, NodeErrorKind, api::admin::NodeSetting};
use qortal_testnode::{API_KEY, Fault};

use crate::harness::{check, config, recorded, refused};

#[tokio::test]
async fn the_node_says_what_it_is_and_does() {
    let (_test_node, node) = recorded().await;
    let status = node.status().await.unwrap();
    assert!(!status.is_synchronizing);
    assert_eq!(status.sync_percent, None);
    let info = node.info().await.unwrap();
    assert_eq!(info.build_version, "qortal-6.1.8-bb6b1bf");
    assert_eq!(info.build_timestamp, 1_761_998_400);
    assert!(info.node_id.unwrap().starts_with('N'));
    assert_eq!(info.node_type.as_deref(), Some("full"));
    assert!((0..86_400_000).contains(&node.uptime().await.unwrap()));
}

#[tokio::test]
async fn the_day_is_summed_up() {
    let (_test_node, node) = recorded().await;
    let summary = node.summary().await.unwrap();
    check(
        "admin",
        "summary",
        "What happened on the chain in the last 24 hours.",
        &summary,
    );
}

#[tokio::test]
async fn the_nodes_own_keys_are_listed() {
    let (_test_node, node) = recorded().await;
    let accounts = node.minting_accounts().await.unwrap();
    check(
        "admin",
        "minting_accounts",
        "The reward shares that the node mints with.",
        &accounts,
    );
}

#[tokio::test]
async fn a_key_is_right_wrong_or_missing() {
    let (test_node, node) = recorded().await;
    let with_key = |key: &str| {
        let mut config = config(&test_node);
        config.api_key = Some(ApiKey::new(key).unwrap());
        Node::new(config).unwrap()
    };
    let key_use = |error: NodeError| match error.kind() {
        NodeErrorKind::Refused { key_use, .. } => *key_use,
        other => panic!("{other:?}"),
    };
    let refusal = with_key("wrong").api_key_test().await.unwrap_err();
    assert_eq!(key_use(refusal), KeyUse::Sent);
    let refusal = node.api_key_test().await.unwrap_err();
    assert_eq!(key_use(refusal), KeyUse::NotConfigured);
    let refusal = with_key(API_KEY).name("no-such-name").await.unwrap_err();
    assert_eq!(key_use(refusal), KeyUse::Withheld);
    assert!(with_key(API_KEY).api_key_test().await.unwrap());
    insta::assert_snapshot!(
        refused(with_key("wrong").api_key_test().await),
        @"node refused GET /admin/apikey/test with HTTP 403, code 4 UNAUTHORIZED: API key invalid"
    );
    insta::assert_snapshot!(
        refused(node.summary_of_all_time().await),
        @"node refused GET /admin/summary/alltime with HTTP 403, code 4 UNAUTHORIZED: Missing 'X-API-KEY' header"
    );
}

#[tokio::test]
async fn a_key_that_the_node_repeats_is_not_in_the_error() {
    let (test_node, _) = recorded().await;
    let mut config = config(&test_node);
    config.api_key = Some(ApiKey::new(API_KEY).unwrap());
    let node = Node::new(config).unwrap();
    let echo = |text: &str| format!("x-api-key: {API_KEY}; again {API_KEY}, {text}");
    for (status, body) in [
        (500, echo("plain")),
        (
            403,
            format!("{{\"error\":4,\"message\":\"{}\"}}", echo("json")),
        ),
        (200, echo("not what was expected")),
    ] {
        test_node.fault("/admin/enginestats", Fault::Status(status, body));
        let error = node.engine_stats().await.unwrap_err();
        let said = format!("{error} {error:?} {}", error.details());
        assert!(!said.contains(API_KEY), "{said}");
        assert!(
            said.contains("x-api-key: (API key); again (API key),"),
            "{said}"
        );
    }
}

#[tokio::test]
async fn settings_are_read_one_by_one() {
    let (_test_node, node) = recorded().await;
    let setting = async |it| node.setting(it).await.unwrap();
    assert_eq!(
        setting(NodeSetting::ApiRestricted).await.as_deref(),
        Some("true")
    );
    assert_eq!(setting(NodeSetting::MaxStorageCapacity).await, None);
    for it in NodeSetting::ALL {
        setting(*it).await;
    }
}
