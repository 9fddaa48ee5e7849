//! The node's peers (resource `/peers`). This writer of the Core sends null where others leave out.

use qortal_types::{Height, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Endpoint, Node, NodeError, call::Call};

/// A peer that the node exchanges blocks with (class `ConnectedPeer`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
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

/// An address at which a peer was or may be (class `PeerData`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownPeer {
    /// When it was last tried.
    pub last_attempted: Option<Timestamp>,
    /// When that last worked.
    pub last_connected: Option<Timestamp>,
    /// When it last broke the rules.
    pub last_misbehaved: Option<Timestamp>,
    /// When it became known.
    pub added_when: Option<Timestamp>,
    /// By whom: a peer, `INIT` or `API`.
    pub added_by: Option<String>,
    /// How often synchronizing with it failed.
    pub failed_sync_count: Option<i64>,
    /// Host and port.
    pub address: String,
}

/// An address of the node as its peers see it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OwnAddress {
    /// Host.
    pub host: String,
    /// Port.
    pub port: u16,
}

/// How many peers are connected (class `PeersSummary`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PeersSummary {
    /// Connections that peers opened.
    pub inbound_connections: u32,
    /// Connections that the node opened.
    pub outbound_connections: u32,
}

impl Node {
    /// Returns the peers that the node exchanges blocks with.
    pub async fn peers(&self) -> Result<Vec<Peer>, NodeError> {
        self.ask(Call::to(Endpoint::Peers)).await?.list()
    }

    /// Returns the peers that the node exchanges QDN data with.
    pub async fn data_peers(&self) -> Result<Vec<DataPeer>, NodeError> {
        self.ask(Call::to(Endpoint::PeersOfData)).await?.list()
    }

    /// Returns all addresses of peers that the node has heard of, maybe thousands.
    pub async fn known_peers(&self) -> Result<Vec<KnownPeer>, NodeError> {
        self.ask(Call::to(Endpoint::PeersKnown)).await?.list()
    }

    /// Returns the node's own addresses as its peers see them.
    pub async fn own_addresses(&self) -> Result<Vec<OwnAddress>, NodeError> {
        self.ask(Call::to(Endpoint::PeersSelf)).await?.list()
    }

    /// Returns how many peers are connected.
    pub async fn peers_summary(&self) -> Result<PeersSummary, NodeError> {
        self.ask(Call::to(Endpoint::PeersSummary)).await?.json()
    }
}
