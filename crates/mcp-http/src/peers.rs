//! The open connections, and which one makes room for another.

use std::{collections::HashMap, sync::Arc, time::Duration};

use mcp_server::{Client, PeerAddress};
use tokio::task::{AbortHandle, Id};

use crate::stream::Progress;

/// A peer that was accepted or answered more recently is not idle: a round trip takes up to a few hundred
/// milliseconds.
const IDLE_AFTER: Duration = Duration::from_millis(500);

/// The open connections.
#[derive(Debug, Default)]
pub(crate) struct Peers(HashMap<Id, Peer>);

#[derive(Debug)]
struct Peer {
    client: Client,
    progress: Arc<Progress>,
    handle: AbortHandle,
}

impl Peers {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn insert(
        &mut self,
        address: Option<PeerAddress>,
        progress: Arc<Progress>,
        handle: AbortHandle,
    ) {
        let client = Client::new(None, address);
        let peer = Peer {
            client,
            progress,
            handle,
        };
        self.0.insert(peer.handle.id(), peer);
    }

    pub(crate) fn remove(&mut self, id: Id) {
        self.0.remove(&id);
    }

    /// Whether a connection could be closed for another one.
    pub(crate) fn can_make_room(&self) -> bool {
        self.least_needed().is_some()
    }

    /// Closes the connection that is needed least, which has no request in flight; `false` if all are needed.
    pub(crate) fn make_room(&mut self) -> bool {
        let Some(peer) = self.least_needed().and_then(|id| self.0.remove(&id)) else {
            return false;
        };
        tracing::debug!(waited = ?peer.progress.waiting_for(), "an idle connection was closed for a new one");
        peer.handle.abort();
        true
    }

    /// Of the address with most connections that has an idle one, the one that has been idle for longest. An address with
    /// more than half of all connections is not given the time of a round trip.
    fn least_needed(&self) -> Option<Id> {
        let mut shares: HashMap<&Client, usize> = HashMap::new();
        for peer in self.0.values() {
            *shares.entry(&peer.client).or_default() += 1;
        }
        let half = self.0.len() / 2;
        let share = |peer: &Peer| shares.get(&peer.client).copied().unwrap_or(0);
        let idle = self.0.iter().filter_map(|(id, peer)| {
            let waited = peer.progress.waiting_for()?;
            let is_idle = waited >= IDLE_AFTER || (shares.len() > 1 && share(peer) > half);
            is_idle.then_some((share(peer), waited, *id))
        });
        let least = idle.max_by_key(|(share, waited, _)| (*share, *waited));
        least.map(|(_, _, id)| id)
    }
}
