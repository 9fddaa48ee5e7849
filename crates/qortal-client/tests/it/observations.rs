//! What a client notes beside its answers.

use futures_util::future::join;
use qortal_client::{Endpoint, FallbackReason, Node, NodeErrorKind, Observation, PageRequest};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_types::Blockchain;

use crate::harness::{config, recorded, targets};

/// One's own node, another one, and a client that knows both.
async fn pair() -> (TestNode, TestNode, Node) {
    let own = TestNode::start(Scenario::recorded()).await.unwrap();
    let public = TestNode::start(Scenario::recorded()).await.unwrap();
    let config = config(&own)
        .with_public_urls([public.url().to_owned()])
        .with_max_blocks_behind(u32::MAX);
    (own, public, Node::new(config).unwrap())
}

fn from(public: &TestNode) -> Observation {
    Observation::OtherNode {
        url: public.url().trim_end_matches('/').into(),
        is_own: false,
        reason: FallbackReason::Unavailable,
    }
}

#[tokio::test]
async fn another_node_is_named_once_and_only_if_it_answered() {
    let (own, public, node) = pair().await;
    let (node, seen) = node.observed();
    node.height().await.unwrap();
    assert_eq!(seen.all(), []);
    own.fault("/*", Fault::Refuse);
    node.status().await.unwrap_err();
    assert_eq!(seen.all(), []);
    node.height().await.unwrap();
    // A refusal is an answer too.
    node.name("no such name").await.unwrap_err();
    assert_eq!(seen.all(), [from(&public)]);
}

#[tokio::test]
async fn everyone_who_shares_an_answer_sees_where_it_came_from() {
    let (own, public, node) = pair().await;
    own.fault("/*", Fault::Refuse);
    let ((one, seen_by_one), (other, seen_by_other)) = (node.observed(), node.observed());
    let (first, second) = join(one.height(), other.height()).await;
    assert_eq!(first.unwrap(), second.unwrap());
    assert_eq!(targets(&public), ["/blocks/height"]);
    assert_eq!(seen_by_one.all(), [from(&public)]);
    assert_eq!(seen_by_other.all(), [from(&public)]);
}

#[tokio::test]
async fn an_odd_row_is_left_out_and_counted() {
    let (test_node, node) = recorded().await;
    let good = r#"{"service":"APP","name":"Q-Demo"}"#;
    let list = format!(r#"[{good},{{"name":"x"}},null,7,{{}},{good}]"#);
    test_node.fault("/arbitrary/resources/search", Fault::Status(200, list));
    let (node, seen) = node.observed();
    let search = qortal_client::api::arbitrary::ResourceSearch::default();
    let rows = node.search_resources(&search, PageRequest::first(20)).await;
    assert_eq!(rows.unwrap().len(), 2);
    let expected = Observation::OddRows {
        endpoint: Endpoint::ResourcesSearch,
        rows: 3,
    };
    assert_eq!(seen.all(), [expected]);
}

#[tokio::test]
async fn odd_rows_and_cuts_of_each_list_of_a_record_count() {
    let (test_node, node) = recorded().await;
    let server = r#"{"averageResponseTime":1,"hostName":"a","port":1,"connectionType":"SSL","isCurrent":true}"#;
    let many = format!("[{server}{}]", format!(",{server}").repeat(50_000));
    let odd = format!("[7,{server}]");
    for (list, rows, is_cut) in [
        ("servers", &odd, false),
        ("remainingServers", &odd, false),
        ("uselessServers", &odd, false),
        ("uselessServers", &many, true),
    ] {
        let all = ["servers", "remainingServers", "uselessServers"];
        let all = all.map(|it| format!("\"{it}\":{}", if it == list { rows } else { "[]" }));
        let body = format!("{{{}}}", all.join(","));
        test_node.fault("/crosschain/*", Fault::Status(200, body));
        let (node, seen) = node.observed();
        node.coin_servers(&Blockchain::Litecoin).await.unwrap();
        let endpoint = Endpoint::CoinServers;
        let expected = if is_cut {
            let limit = 50_000;
            Observation::TooManyRows { endpoint, limit }
        } else {
            Observation::OddRows { endpoint, rows: 1 }
        };
        assert_eq!(seen.all(), [expected], "{list}");
    }
}

#[tokio::test]
async fn invented_rows_are_not_believed() {
    let (test_node, node) = recorded().await;
    for body in [
        format!("[{{}}{}]", ",{}".repeat(200_000)),
        "[1,2,3]".to_owned(),
        "{}".to_owned(),
        r#"{"error":5,"message":"repository issue"}"#.to_owned(),
    ] {
        test_node.fault("/peers", Fault::Status(200, body));
        let err = node.peers().await.unwrap_err();
        assert!(
            matches!(err.kind(), NodeErrorKind::Unreadable { .. }),
            "{err}"
        );
    }
}

#[tokio::test]
async fn a_list_without_end_is_cut() {
    let (test_node, node) = recorded().await;
    let row = r#"{"address":"1.2.3.4:12392"}"#;
    let list = format!("[{row}{}]", format!(",{row}").repeat(100_000));
    test_node.fault("/peers", Fault::Status(200, list));
    let (node, seen) = node.observed();
    let rows = node.peers().await.unwrap().len();
    let expected = Observation::TooManyRows {
        endpoint: Endpoint::Peers,
        limit: rows,
    };
    assert_eq!(seen.all(), [expected]);
}
