//! The node's peers (resource `/peers`). Unlike elsewhere, the Core writes null for absent fields here.

use qortal_types::{Height, Timestamp};
use serde_json::{Map, Value};

use crate::{
    Endpoint, Node, NodeFuture,
    answer::{answers, present},
    call::Call,
};

answers! {
    /// A peer that the node exchanges blocks with (class `ConnectedPeer`).
    pub struct Peer {
        /// `INBOUND` or `OUTBOUND`.
        pub direction: Option<String>,
        /// The state of the handshake. It ends with `COMPLETED`.
        pub handshake_status: Option<String>,
        /// The last round-trip time in milliseconds.
        pub last_ping: Option<i64>,
        /// The time the connection was opened.
        pub connected_when: Option<Timestamp>,
        /// The time the connection was opened, by the peer's clock.
        pub peers_connected_when: Option<Timestamp>,
        /// The host and port.
        #[serde(deserialize_with = "present")]
        pub address: Option<String>,
        /// The version, such as `qortal-6.1.8`.
        pub version: Option<String>,
        /// The identifier in the network.
        #[serde(default, deserialize_with = "crate::answer::read_code_if_any")]
        pub node_id: Option<String>,
        /// The height of its tip.
        pub last_height: Option<Height>,
        /// The signature of its tip in **Base64**.
        pub last_block_signature: Option<String>,
        /// The time of its tip.
        pub last_block_timestamp: Option<Timestamp>,
        /// The identifier of the connection.
        pub connection_id: Option<String>,
        /// The capabilities, a list of names with a number.
        pub capabilities: Option<Vec<Map<String, Value>>>,
        /// The duration of the connection, such as `1m 2s`.
        pub age: Option<String>,
        /// Whether its chain diverges too far.
        pub is_too_divergent: Option<bool>,
    }

    /// A peer that the node exchanges QDN data with.
    pub struct DataPeer {
        /// `INBOUND` or `OUTBOUND`.
        pub direction: Option<String>,
        /// The state of the handshake.
        pub handshake_status: Option<String>,
        /// The time it was last used.
        pub last_accessed: Option<Timestamp>,
        /// The time the connection was opened.
        pub connected_when: Option<Timestamp>,
        /// The time the connection was opened, by the peer's clock.
        pub peers_connected_when: Option<Timestamp>,
        /// The host and port.
        #[serde(deserialize_with = "present")]
        pub address: Option<String>,
        /// The version, such as `qortal-6.1.8`.
        pub version: Option<String>,
        /// The identifier in the network.
        #[serde(default, deserialize_with = "crate::answer::read_code_if_any")]
        pub node_id: Option<String>,
        /// The duration of the connection.
        pub age: Option<String>,
    }
}

impl Node {
    /// Returns the peers that the node exchanges blocks with.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/peers")]
    pub fn peers(&self) -> NodeFuture<'_, Vec<Peer>> {
        self.strict_list(Call::to(Endpoint::Peers))
    }

    /// Returns the peers that the node exchanges QDN data with.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/peers/data")]
    pub fn data_peers(&self) -> NodeFuture<'_, Vec<DataPeer>> {
        self.strict_list(Call::to(Endpoint::PeersOfData))
    }
}
