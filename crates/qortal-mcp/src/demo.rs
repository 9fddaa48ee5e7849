//! The embedded simulated node behind `--demo`.

use qortal_testnode::{Scenario, StartError, TestNode};

/// A simulated node on a loopback port of its own, with the recorded chain. It never panics: what it
/// does not know it answers as a node does.
pub(crate) async fn start() -> Result<TestNode, StartError> {
    TestNode::start_lenient(Scenario::recorded()).await
}
