//! What a program is told of each request to a node, to measure them.

use std::{fmt, sync::Arc, time::Duration};

use crate::{Endpoint, NodeError};

/// One request to one node. What is answered from memory, and what joins a request in flight, is none.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NodeRequest<'a> {
    /// Which node, in the order of [`Node::health`](crate::Node::health): 0 is the configured one.
    pub node: usize,
    /// Whether it is one of the user's own nodes, and not a public one.
    pub is_own: bool,
    /// What was asked.
    pub endpoint: Endpoint,
    /// How long it took, from waiting for its turn to the end of the answer.
    pub duration: Duration,
    /// Whether the answer is a page of HTML where the Core has none: a proxy or a portal answered, or the node's address is wrong.
    pub is_page: bool,
    /// The HTTP status of the answer, or why there was none.
    pub result: Result<u16, &'a NodeError>,
}

/// Is told of each request to a node.
#[derive(Clone)]
pub struct NodeObserver(pub(crate) Arc<dyn Fn(&NodeRequest<'_>) + Send + Sync>);

impl NodeObserver {
    /// Calls `told` after each request that was not given up. It must not block.
    pub fn new(told: impl Fn(&NodeRequest<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }
}

impl fmt::Debug for NodeObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestObserver")
    }
}
