//! The peers that keep a QDN resource.

use std::{cmp::Reverse, time::Duration};

use qortal_client::api::arbitrary::{ResourceId, hosted::ResourcePeer};
use tokio::time::timeout;

use crate::declare::{Context, Untrusted, count};

/// The node asks its peers one after the other, which has no bound of its own.
const WITHIN: Duration = Duration::from_secs(15);
/// Peers that are shown.
const SHOWN: usize = 10;

record! {
    pub(super) struct KeepingPeers {
        /// How many peers of the node have pieces of it.
        peer_count: u32,
        /// These peers, those with most pieces first, at most 10.
        peers: Vec<KeepingPeer>
    }

    pub(super) struct KeepingPeer from(it: ResourcePeer) {
        /// The end of its identifier.
        id: Untrusted = it.id.into(),
        /// Pieces that it has.
        chunks_available: u32,
        /// How fast it answers: HIGH, LOW or IDLE.
        speed: Option<Untrusted> = it.speed.map(Untrusted),
        /// Whether the node is connected to it.
        is_direct: bool
    }
}

/// Those of one resource; they are a part of an answer.
pub(super) async fn keeping_peers(cx: &Context, id: &ResourceId) -> Option<KeepingPeers> {
    let Ok(found) = timeout(WITHIN, cx.node.resource_peers(id)).await else {
        cx.note(format!(
            "The peers that have it are left out, because the node did not find them within {} seconds.",
            WITHIN.as_secs()
        ));
        return None;
    };
    let mut found = cx.part("The peers that have it are", found)?;
    found
        .peers
        .sort_by_cached_key(|it| Reverse(it.chunks_available));
    Some(KeepingPeers {
        peer_count: found.peer_count.max(count(found.peers.len())),
        peers: found
            .peers
            .into_iter()
            .take(SHOWN)
            .map(KeepingPeer::of)
            .collect(),
    })
}
