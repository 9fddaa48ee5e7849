//! The QDN data that the node hosts, and the peers that have a resource.

use qortal_types::{Address, Service, Signature, Timestamp};

use super::{Resource, ResourceId};
use crate::{
    Endpoint, Node, NodeFuture, PageRequest, Rows,
    answer::{LeftOut, Record, answers},
    call::Call,
};

answers! {
    /// A page of the data that the node hosts.
    pub struct HostedTransactions {
        /// The number of entries in total.
        pub count: u64,
        /// The total size in bytes.
        pub total_space: u64,
        /// The entries of this page, largest first.
        #[serde(default)]
        pub items: Rows<HostedTransaction>,
    }

    /// The data that the node hosts for one ARBITRARY transaction.
    pub struct HostedTransaction {
        /// The number of pieces.
        pub chunk_count: u32,
        /// Their size in bytes.
        pub total_space: u64,
        /// `RAW_DATA` or `DATA_HASH`.
        pub data_type: Option<String>,
        /// `NONE` or `ZIP`.
        pub compression: Option<String>,
        /// `PUT` or `PATCH`.
        pub method: Option<String>,
        /// The identifier. Absent for the default resource.
        pub identifier: Option<String>,
        /// The time it was published.
        pub timestamp: Timestamp,
        /// The transaction's signature.
        pub signature: Signature,
        /// The publisher.
        pub creator_address: Address,
        /// The service.
        pub service: Option<Service>,
        /// The size in bytes, as stated on the chain.
        pub size: u64,
        /// The name it was published under.
        pub name: Option<String>,
    }

    /// The peers that can deliver a resource.
    pub struct ResourcePeers {
        /// The number of peers.
        pub peer_count: u32,
        /// The peers.
        #[serde(default)]
        pub peers: Rows<ResourcePeer>,
    }

    /// A peer that can deliver a resource.
    pub struct ResourcePeer {
        /// The end of its identifier.
        pub id: String,
        /// `HIGH`, `LOW` or `IDLE`.
        pub speed: Option<String>,
        /// Whether the peer is connected to the node.
        pub is_direct: bool,
        /// The number of pieces it has.
        pub chunks_available: u32,
    }
}

impl Record for HostedTransactions {
    fn left_out(&self) -> LeftOut {
        self.items.left_out.clone()
    }
}

impl Record for ResourcePeers {
    fn left_out(&self) -> LeftOut {
        self.peers.left_out.clone()
    }
}

impl Node {
    /// Returns the hosted data of all names, or of names with this case-sensitive prefix.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/arbitrary/hosted/transactions")]
    pub fn hosted_transactions(
        &self,
        name_prefix: Option<&str>,
        page: PageRequest,
    ) -> NodeFuture<'_, HostedTransactions> {
        self.record(
            Call::to(Endpoint::HostedTransactions)
                .query_if("name", name_prefix)
                .page(page),
        )
    }

    /// Returns the identities of the resources that the node hosts. Needs the API key.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/arbitrary/hosted/resources")]
    pub fn hosted_resources(
        &self,
        query: Option<&str>,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Resource>> {
        self.records(
            Call::to(Endpoint::HostedResources)
                .query_if("query", query)
                .page(page),
        )
    }

    /// Returns the peers that can deliver a resource. The node queries its peers for this.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/arbitrary/resource/request/peers/{service}/{name}")]
    #[doc(alias = "/arbitrary/resource/request/peers/{service}/{name}/{identifier}")]
    pub fn resource_peers(&self, id: &ResourceId) -> NodeFuture<'_, ResourcePeers> {
        let call = id.call(
            Endpoint::ResourcePeers,
            Endpoint::ResourcePeersWithIdentifier,
        );
        self.record(call)
    }
}
