//! What is known about each node, for operators.

use qortal_types::Height;

use crate::{Circuit, NodeError};

/// The health of a node as its answers showed it; nothing is asked to find out.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NodeHealth {
    /// The URL of the node.
    pub url: String,
    /// Whether it is one of the user's own nodes, of which the configured one is first; the others are public ones.
    pub is_own: bool,
    /// Whether it is asked, or others are preferred.
    pub circuit: Circuit,
    /// The last height it stated; `None` if it has stated none.
    pub height: Option<Height>,
    /// How many blocks it is behind the others, if more than
    /// [`max_blocks_behind`](crate::NodeConfig::max_blocks_behind).
    pub blocks_behind: Option<u32>,
    /// Why it last did not answer; `None` if it always did. It may have answered since.
    pub last_error: Option<NodeError>,
    /// The number of requests that it works on.
    pub in_flight: usize,
    /// The number of requests that wait until it has worked on others.
    pub waiting: usize,
}
