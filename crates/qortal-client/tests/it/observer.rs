//! What a program is told of each request to a node, to measure them.

use std::sync::{Arc, Mutex};

use qortal_client::{Cause, Endpoint, Node, NodeConfig, NodeError, NodeObserver};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_types::Height;

#[tokio::test]
async fn a_page_is_told_from_an_answer() {
    let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let config = NodeConfig::new(test_node.url()).with_observer(NodeObserver::new(move |it| {
        seen.lock().unwrap().push((it.result.ok(), it.is_page));
    }));
    let node = Node::new(config).unwrap();
    node.status().await.unwrap();
    let page = "\n<!DOCTYPE html><title>Sign in</title>".to_owned();
    test_node.fault("/*", Fault::Status(200, page));
    node.status().await.unwrap_err();
    assert_eq!(
        *told.lock().unwrap(),
        [(Some(200), false), (Some(200), true)]
    );
}

#[tokio::test]
async fn each_request_is_told_with_its_node_and_what_came_of_it() {
    let own = TestNode::start(Scenario::recorded()).await.unwrap();
    let public = TestNode::start(Scenario::recorded()).await.unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let config = NodeConfig::new(own.url())
        .with_public_urls([public.url().to_owned()])
        .with_max_blocks_behind(u32::MAX)
        .with_observer(NodeObserver::new(move |it| {
            let result = it.result.map_err(NodeError::cause);
            seen.lock().unwrap().push((it.node, it.endpoint, result));
        }));
    let node = Node::new(config).unwrap();
    let all = || std::mem::take(&mut *told.lock().unwrap());
    node.height().await.unwrap();
    assert_eq!(all(), [(0, Endpoint::BlocksHeight, Ok(200))]);
    node.block_at(Height::new(9_999)).await.unwrap_err();
    let [(0, _, Ok(404))] = all()[..] else {
        panic!("a refusal is an answer");
    };
    own.fault("/*", Fault::Refuse);
    node.height().await.unwrap();
    let told = all();
    let [
        (0, _, Err(Some(cause))),
        (1, Endpoint::BlocksHeight, Ok(200)),
    ] = told[..]
    else {
        panic!("{told:?}");
    };
    assert!(
        matches!(cause, Cause::Refused | Cause::Reset | Cause::Closed),
        "{cause}"
    );
}
