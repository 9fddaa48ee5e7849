//! What the tests share: a node with a client, and the way answers are pinned.

use std::{fmt::Debug, time::Duration};

use qortal_client::{Node, NodeConfig, NodeError, Timeouts};
use qortal_testnode::{Scenario, TestNode};
use qortal_types::Address;

pub(crate) const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
pub(crate) const BOB: &str = "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK";
pub(crate) const DANA: &str = "QjHp5Ky4WmVaRKnaaGCKvTQ4TuvwhyMZCz";
pub(crate) const OSCAR: &str = "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC";
pub(crate) const PENNY: &str = "QSsBRjKobUenghATsCnodVRfYGDACzreCC";
/// Never used on the chain.
pub(crate) const QUINN: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";
pub(crate) const RITA: &str = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";
pub(crate) const VICTOR: &str = "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq";

/// Long enough for a busy machine to answer, short enough to wait for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
/// For what never comes.
pub(crate) const IMPATIENCE: Duration = Duration::from_millis(150);

pub(crate) fn address(text: &str) -> Address {
    text.parse().unwrap()
}

/// A node that shows the recorded chain, and a client for it.
pub(crate) async fn recorded() -> (TestNode, Node) {
    with(Scenario::recorded()).await
}

pub(crate) async fn with(scenario: Scenario) -> (TestNode, Node) {
    let test_node = TestNode::start(scenario).await.unwrap();
    let node = Node::new(config(&test_node)).unwrap();
    (test_node, node)
}

pub(crate) fn config(test_node: &TestNode) -> NodeConfig {
    let mut config = NodeConfig::new(test_node.url());
    config.timeouts = Timeouts::default()
        .with_connect(PATIENCE)
        .with_quick(PATIENCE)
        .with_slow(PATIENCE);
    config
}

/// What was asked, in order.
pub(crate) fn targets(test_node: &TestNode) -> Vec<String> {
    test_node
        .journal()
        .into_iter()
        .map(|exchange| exchange.target)
        .collect()
}

/// The text of the error that must have come.
pub(crate) fn refused<T: Debug>(result: Result<T, NodeError>) -> String {
    result.unwrap_err().to_string()
}

/// Pins an answer in `tests/snapshots/<resource>/<case>.snap`.
pub(crate) fn check(resource: &str, case: &str, description: &str, answer: &impl Debug) {
    pin(resource, case, description, &format!("{answer:#?}"));
}

/// Pins several answers in one such file, each below its heading.
pub(crate) fn check_all(resource: &str, case: &str, description: &str, sections: &[String]) {
    pin(resource, case, description, &sections.join("\n\n"));
}

/// An answer that is pinned beside others.
pub(crate) fn section(heading: &str, answer: &impl Debug) -> String {
    format!("=== {heading}\n{answer:#?}")
}

fn pin(resource: &str, case: &str, description: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../snapshots/{resource}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(description);
    settings.bind(|| insta::assert_snapshot!(case, text));
}
