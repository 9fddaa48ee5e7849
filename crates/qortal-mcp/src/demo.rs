//! The embedded simulated node behind `--demo`.

use qortal_testnode::{Scenario, StartError, TestNode};

/// Starts a simulated node with the recorded chain on its own loopback port. It never panics: it answers unknown
/// requests as a node does.
pub(crate) async fn start() -> Result<TestNode, StartError> {
    TestNode::start_lenient(Scenario::recorded()).await
}
