//! Hooks for measuring requests to nodes.

use std::{fmt, sync::Arc, time::Duration};

use crate::{Endpoint, NodeError};

/// One request to one node. Cached responses, and calls that join a request in flight, do not count.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NodeRequest<'a> {
    /// The index of the node in [`Node::health`](crate::Node::health). 0 is the configured node.
    pub node: usize,
    /// Whether the node is one of the user's own nodes rather than a public one.
    pub is_own: bool,
    /// The endpoint of the request.
    pub endpoint: Endpoint,
    /// The duration, from entering the queue to the end of the response.
    pub duration: Duration,
    /// Whether the response is an HTML page where the Core has none: a proxy or a portal responded, or the node's URL is wrong.
    pub is_page: bool,
    /// The HTTP status of the response, or the error if there was none.
    pub result: Result<u16, &'a NodeError>,
}

/// An observer of each request to a node.
#[derive(Clone)]
pub struct NodeObserver(pub(crate) Arc<dyn Fn(&NodeRequest<'_>) + Send + Sync>);

impl NodeObserver {
    /// Creates an observer that calls `told` after each request that was not abandoned. The callback must not block.
    pub fn new(told: impl Fn(&NodeRequest<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }
}

impl fmt::Debug for NodeObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestObserver")
    }
}
