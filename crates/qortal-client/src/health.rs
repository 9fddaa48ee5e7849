//! The health of each node, for operators.

use qortal_types::Height;

use crate::{Circuit, NodeError};

/// The health of a node, derived from its responses. No requests are sent to determine it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NodeHealth {
    /// The URL of the node.
    pub url: String,
    /// Whether the node is one of the user's own nodes. The configured node is the first of these, and all others are public.
    pub is_own: bool,
    /// Whether the node is queried, or others are preferred.
    pub circuit: Circuit,
    /// The last height that the node reported, or `None` if it has reported none.
    pub height: Option<Height>,
    /// The number of blocks that the node is behind the others, if it exceeds
    /// [`max_blocks_behind`](crate::NodeConfig::max_blocks_behind).
    pub blocks_behind: Option<u32>,
    /// The last failure of the node, or `None` if it has always responded. It may have responded since.
    pub last_error: Option<NodeError>,
    /// The number of requests in flight.
    pub in_flight: usize,
    /// The number of queued requests.
    pub waiting: usize,
}
