//! Answers that are given to everyone who asks the same within a moment, and those that are not.

use std::time::Duration;

use futures_util::future::join_all;
use qortal_client::{
    ApiKey, Node, NodeConfig, OwnNode, PageRequest,
    api::chat::{ChatRoom, Encoding},
};
use qortal_testnode::{API_KEY, Event, Fault, Scenario, TestNode};
use qortal_types::Height;
use tokio::time::{advance, sleep};

use crate::harness::{ALICE, RITA, address, targets};

const SECOND: Duration = Duration::from_secs(1);

fn config(test_node: &TestNode) -> NodeConfig {
    NodeConfig::new(test_node.url())
        .with_cache_time(SECOND)
        .with_max_blocks_behind(u32::MAX)
        .with_api_key(ApiKey::new(API_KEY).unwrap())
}

async fn started() -> (TestNode, Node) {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let node = Node::new(config(&test_node)).unwrap();
    (test_node, node)
}

#[tokio::test(start_paused = true)]
async fn a_popular_question_costs_the_node_one_request_a_second() {
    let (test_node, node) = started().await;
    for _ in 0..30 {
        let same = join_all((0..10).map(|_| node.name("chloe")));
        assert!(same.await.iter().all(Result::is_ok));
        advance(SECOND / 10).await;
    }
    assert_eq!(targets(&test_node).len(), 3);
    let usage = node.cache_usage();
    assert_eq!(usage.hits + usage.misses, 300);
    assert!(usage.misses <= 12 && usage.entries == 1, "{usage:?}");
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_time_of_the_network_is_not_asked_for_each_time() {
    let (test_node, node) = started().await;
    for _ in 0..10 {
        node.network_time().await.unwrap();
    }
    assert_eq!(targets(&test_node), ["/admin/info"]);
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_popular_question_with_a_body_costs_no_more_and_another_body_is_another_question() {
    let (test_node, node) = started().await;
    let (alice, both) = ([address(ALICE)], [address(ALICE), address(RITA)]);
    for _ in 0..20 {
        let same = join_all((0..10).map(|_| node.primary_names(&alice)));
        assert!(same.await.iter().all(Result::is_ok));
        advance(SECOND / 10).await;
    }
    assert_eq!(targets(&test_node), ["/names/list"; 2]);
    let [one, other] = [node.primary_names(&alice), node.primary_names(&both)];
    let (one, other) = tokio::join!(one, other);
    assert_ne!(one.unwrap().len(), other.unwrap().len());
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn one_caller_asks_again_and_the_others_get_the_earlier_answer() {
    let (test_node, node) = started().await;
    node.last_block().await.unwrap();
    test_node.latency(SECOND / 2);
    advance(SECOND).await;
    let began = tokio::time::Instant::now();
    let (refreshed, others) = tokio::join!(
        async {
            node.last_block().await.unwrap();
            began.elapsed()
        },
        async {
            sleep(SECOND / 10).await;
            join_all((0..20).map(|_| node.last_block())).await;
            began.elapsed()
        }
    );
    assert!(
        refreshed >= SECOND / 2 && others < SECOND / 5,
        "{refreshed:?} {others:?}"
    );
    let asked = targets(&test_node).into_iter();
    assert_eq!(asked.filter(|it| it == "/blocks/last").count(), 2);
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_goes_leaves_the_question_to_the_next() {
    let (test_node, node) = started().await;
    node.last_block().await.unwrap();
    test_node.latency(SECOND / 2);
    advance(SECOND).await;
    tokio::select! {
        _ = node.last_block() => panic!("it takes half a second"),
        () = sleep(SECOND / 10) => {}
    }
    let began = tokio::time::Instant::now();
    node.last_block().await.unwrap();
    assert!(began.elapsed() >= SECOND / 2, "it was the next to ask");
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_new_block_ends_what_was_said_before() {
    let (test_node, node) = started().await;
    let account = address(ALICE);
    let ask = async || {
        node.account(&account).await.unwrap();
        targets(&test_node).len()
    };
    node.height().await.unwrap();
    assert_eq!([ask().await, ask().await], [2, 2]);
    test_node.apply(&Event::Block);
    assert_eq!(ask().await, 2, "no one knows of it yet");
    // Anything that tells the height does.
    assert_eq!(node.status().await.unwrap().height, Height::new(469));
    assert_eq!([ask().await, ask().await], [4, 4]);
    test_node.stop().await;
}

#[tokio::test]
async fn news_on_a_socket_end_what_was_said_of_it() {
    let (test_node, node) = started().await;
    let mut socket = node
        .chat_socket(ChatRoom::Group(3), Encoding::Base58)
        .await
        .unwrap();
    // The messages that there are come first.
    socket.next().await.unwrap();
    let asked = async || {
        let filter = qortal_client::api::chat::ChatFilter::default();
        let page = PageRequest::first(5);
        node.chat_messages(ChatRoom::Group(3), &filter, page)
            .await
            .unwrap();
        targets(&test_node)
            .iter()
            .filter(|it| it.starts_with("/chat/"))
            .count()
    };
    assert_eq!([asked().await, asked().await], [1, 1]);
    test_node.apply(&Event::GroupMessage {
        from: RITA.to_owned(),
        group: 3,
        text: "hello".to_owned(),
    });
    socket.next().await.unwrap();
    assert_eq!(asked().await, 2);
}

#[tokio::test(start_paused = true)]
async fn some_answers_are_never_kept() {
    let (test_node, node) = started().await;
    for _ in 0..3 {
        node.api_key_test().await.unwrap();
        node.list_entries("blockedNames").await.unwrap();
        node.summary_of_all_time().await.unwrap();
        node.clock().await.unwrap();
        node.name("no such name").await.unwrap_err();
    }
    assert_eq!(targets(&test_node).len(), 15);
    assert_eq!(node.cache_usage().entries, 0);
    test_node.fault("/names/*", Fault::Status(500, String::new()));
    node.name("chloe").await.unwrap_err();
    test_node.clear_faults();
    node.name("chloe").await.unwrap();
    test_node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_another_own_node_says_is_kept_with_its_name_and_what_a_public_one_says_is_not() {
    for is_own in [true, false] {
        let (test_node, _) = started().await;
        let other = TestNode::start(Scenario::recorded()).await.unwrap();
        let config = match is_own {
            true => config(&test_node).with_own_nodes([OwnNode::new(other.url())]),
            false => config(&test_node).with_public_urls([other.url().to_owned()]),
        };
        let node = Node::new(config).unwrap();
        test_node.fault("/*", Fault::Refuse);
        for _ in 0..3 {
            let (node, seen) = node.observed();
            node.name("chloe").await.unwrap();
            assert_eq!(seen.all().len(), 1, "each answer names the node");
        }
        assert_eq!(targets(&other).len(), if is_own { 1 } else { 3 });
        test_node.stop().await;
        other.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_attempt_to_ask_again_is_told_to_its_caller_alone() {
    let (test_node, node) = started().await;
    node.name("chloe").await.unwrap();
    advance(SECOND).await;
    test_node.fault("/names/*", Fault::StallBeforeHeaders);
    let (failed, others) = tokio::join!(node.name("chloe"), async {
        sleep(SECOND / 10).await;
        join_all((0..5).map(|_| node.name("chloe"))).await
    });
    assert!(failed.is_err());
    assert!(others.iter().all(Result::is_ok));
    test_node.stop().await;
}
