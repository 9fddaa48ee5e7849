//! The node's peers (resource `/peers`). This writer of the Core sends null where others leave out.

use qortal_types::{Height, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Endpoint, Node, NodeError, call::Call};

/// A peer that the node exchanges blocks with (class `ConnectedPeer`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Peer {
    /// `INBOUND` or `OUTBOUND`.
    pub direction: Option<String>,
    /// How far the greeting has come; `COMPLETED` in the end.
    pub handshake_status: Option<String>,
    /// Milliseconds that the last ping took.
    pub last_ping: Option<i64>,
    /// Since when.
    pub connected_when: Option<Timestamp>,
    /// Since when by the peer's clock.
    pub peers_connected_when: Option<Timestamp>,
    /// Host and port.
    pub address: Option<String>,
    /// Such as `qortal-6.1.8`.
    pub version: Option<String>,
    /// Its identifier in the network.
    pub node_id: Option<String>,
    /// Height of its tip.
    pub last_height: Option<Height>,
    /// Signature of its tip in **Base64**.
    pub last_block_signature: Option<String>,
    /// Time of its tip.
    pub last_block_timestamp: Option<Timestamp>,
    /// Identifier of the connection.
    pub connection_id: Option<String>,
    /// What it can do, as a list of names with a number.
    #[serde(default)]
    pub capabilities: Option<Vec<Map<String, Value>>>,
    /// How long it has been connected, such as `1m 2s`.
    pub age: Option<String>,
    /// Whether its chain is too different.
    pub is_too_divergent: Option<bool>,
}

/// A peer that the node exchanges QDN data with.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DataPeer {
    /// `INBOUND` or `OUTBOUND`.
    pub direction: Option<String>,
    /// How far the greeting has come.
    pub handshake_status: Option<String>,
    /// When it was last used.
    pub last_accessed: Option<Timestamp>,
    /// Since when.
    pub connected_when: Option<Timestamp>,
    /// Since when by the peer's clock.
    pub peers_connected_when: Option<Timestamp>,
    /// Host and port.
    pub address: Option<String>,
    /// Such as `qortal-6.1.8`.
    pub version: Option<String>,
    /// Its identifier in the network.
    pub node_id: Option<String>,
    /// How long it has been connected.
    pub age: Option<String>,
}

impl Node {
    /// Returns the peers that the node exchanges blocks with.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/peers")]
    pub async fn peers(&self) -> Result<Vec<Peer>, NodeError> {
        self.ask(Call::to(Endpoint::Peers)).await?.list()
    }

    /// Returns the peers that the node exchanges QDN data with.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/peers/data")]
    pub async fn data_peers(&self) -> Result<Vec<DataPeer>, NodeError> {
        self.ask(Call::to(Endpoint::PeersOfData)).await?.list()
    }
}
