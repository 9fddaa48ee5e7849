//! What the node itself keeps of QDN, and who else has a resource.

use qortal_types::{Address, Service, Signature, Timestamp};
use serde::Deserialize;

use super::{Resource, ResourceId};
use crate::{Endpoint, Node, NodeError, Page, call::Call};

/// What the node keeps, a part of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HostedTransactions {
    /// How many there are in all.
    pub count: u64,
    /// Bytes of all.
    pub total_space: u64,
    /// Those of this page, largest first.
    #[serde(default)]
    pub items: Vec<HostedTransaction>,
}

/// Data that the node keeps for one ARBITRARY transaction.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HostedTransaction {
    /// Pieces.
    pub chunk_count: u32,
    /// Their bytes.
    pub total_space: u64,
    /// `RAW_DATA` or `DATA_HASH`.
    pub data_type: Option<String>,
    /// `NONE` or `ZIP`.
    pub compression: Option<String>,
    /// `PUT` or `PATCH`.
    pub method: Option<String>,
    /// Absent for the default resource.
    pub identifier: Option<String>,
    /// When it was published.
    pub timestamp: Timestamp,
    /// The transaction.
    pub signature: Signature,
    /// Who published it.
    pub creator_address: Address,
    /// Its kind.
    pub service: Option<Service>,
    /// Bytes as stated on the chain.
    pub size: u64,
    /// The name it was published under.
    pub name: Option<String>,
}

/// Who can deliver a resource.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourcePeers {
    /// How many.
    pub peer_count: u32,
    /// Who.
    #[serde(default)]
    pub peers: Vec<ResourcePeer>,
}

/// A peer that can deliver a resource.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourcePeer {
    /// End of its identifier.
    pub id: String,
    /// `HIGH`, `LOW` or `IDLE`.
    pub speed: Option<String>,
    /// Whether it is connected to the node.
    pub is_direct: bool,
    /// Pieces that it has.
    pub chunks_available: u32,
}

impl Node {
    /// Returns what the node keeps, of all names or of those with this beginning, case included.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/arbitrary/hosted/transactions")]
    pub async fn hosted_transactions(
        &self,
        name_prefix: Option<&str>,
        page: Page,
    ) -> Result<HostedTransactions, NodeError> {
        self.ask(
            Call::to(Endpoint::HostedTransactions)
                .query_if("name", name_prefix)
                .page(page),
        )
        .await?
        .json()
    }

    /// Returns the resources that the node keeps, with their identity only. Needs the API key.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/arbitrary/hosted/resources")]
    pub async fn hosted_resources(
        &self,
        query: Option<&str>,
        page: Page,
    ) -> Result<Vec<Resource>, NodeError> {
        self.ask(
            Call::to(Endpoint::HostedResources)
                .query_if("query", query)
                .page(page),
        )
        .await?
        .list()
    }

    /// Asks who can deliver a resource; the node asks its peers.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/arbitrary/resource/request/peers/{service}/{name}")]
    #[doc(alias = "/arbitrary/resource/request/peers/{service}/{name}/{identifier}")]
    pub async fn resource_peers(&self, id: &ResourceId) -> Result<ResourcePeers, NodeError> {
        let call = id.call(
            Endpoint::ResourcePeers,
            Endpoint::ResourcePeersWithIdentifier,
        );
        self.ask(call).await?.json()
    }

    /// Returns whether the node passes on data that it does not keep. Needs the API key.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/arbitrary/relaymode")]
    pub async fn relay_mode(&self) -> Result<bool, NodeError> {
        self.ask(Call::to(Endpoint::RelayMode))
            .await?
            .value("true or false")
    }
}
