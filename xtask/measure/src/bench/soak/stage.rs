//! The threads of a soak: nodes, clients that misbehave and clients that do not have one each, so that none of them waits for another.

use std::time::Duration;

use qortal_testnode::{Scenario, TestNode};
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use xtask::failure::Failure;

/// The threads.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) nodes: Runtime,
    pub(super) abusers: Runtime,
    pub(super) clients: Runtime,
}

impl Stage {
    pub(super) fn new() -> Result<Self, Failure> {
        let runtime = || {
            let mut builder = Builder::new_multi_thread();
            let runtime = builder.worker_threads(1).enable_all().build();
            runtime.map_err(Failure::io("runtime"))
        };
        Ok(Self {
            nodes: runtime()?,
            abusers: runtime()?,
            clients: runtime()?,
        })
    }

    /// Starts a simulated node with the recorded chain.
    pub(super) fn node(&self) -> Result<TestNode, Failure> {
        let node = self
            .nodes
            .block_on(TestNode::start_lenient(Scenario::recorded()));
        node.map_err(|why| Failure::unreadable("the simulated node", why))
    }

    /// Lets everything go on for so long.
    pub(super) fn pass(&self, time: Duration) {
        self.nodes.block_on(async { sleep(time).await });
    }
}
