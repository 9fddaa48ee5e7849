//! The open connections, and the choice of one to replace.

use std::{collections::HashMap, sync::Arc, time::Duration};

use mcp_server::{CallerKey, PeerIp};
use tokio::task::{AbortHandle, Id};

use crate::stream::Progress;

/// The time after which a peer counts as idle. A round trip takes up to a few hundred milliseconds.
const IDLE_AFTER: Duration = Duration::from_millis(500);

/// The open connections.
#[derive(Debug, Default)]
pub(crate) struct Peers(HashMap<Id, Peer>);

#[derive(Debug)]
struct Peer {
    client: CallerKey,
    progress: Arc<Progress>,
    handle: AbortHandle,
}

impl Peers {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn insert(
        &mut self,
        address: Option<PeerIp>,
        progress: Arc<Progress>,
        handle: AbortHandle,
    ) {
        let client = CallerKey::from_subject_or_address(None, address);
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

    /// Returns whether a connection can be closed for another one.
    pub(crate) fn can_make_room(&self) -> bool {
        self.least_needed().is_some()
    }

    /// Closes the least needed connection without a request in flight. Returns `false` if all are needed.
    pub(crate) fn make_room(&mut self) -> bool {
        let Some(peer) = self.least_needed().and_then(|id| self.0.remove(&id)) else {
            return false;
        };
        tracing::debug!(waited = ?peer.progress.waiting_for(), "an idle connection was closed for a new one");
        peer.handle.abort();
        true
    }

    /// Returns the longest idle connection of the address with the most connections, among the addresses with an idle
    /// one. An address with more than half of all connections gets no allowance for a round trip.
    fn least_needed(&self) -> Option<Id> {
        let shares = shares(self.0.values().map(|it| &it.client));
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

/// Returns the number of occurrences of each client.
pub(crate) fn shares<'a>(
    clients: impl Iterator<Item = &'a CallerKey>,
) -> HashMap<&'a CallerKey, usize> {
    let mut shares = HashMap::new();
    for client in clients {
        *shares.entry(client).or_default() += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use std::{future::pending, net::Ipv4Addr};

    use tokio::{task::JoinSet, time::advance};

    use super::*;

    /// Connections that are open, as many as each address has.
    struct Open {
        peers: Peers,
        addresses: HashMap<Id, u8>,
        connections: JoinSet<()>,
    }

    impl Open {
        fn new(counts: &[u8]) -> Self {
            let mut open = Self {
                peers: Peers::default(),
                addresses: HashMap::new(),
                connections: JoinSet::new(),
            };
            for (address, count) in (1..).zip(counts) {
                for _ in 0..*count {
                    open.add(address, Arc::new(Progress::new()));
                }
            }
            open
        }

        fn add(&mut self, address: u8, progress: Arc<Progress>) {
            let handle = self.connections.spawn(pending());
            self.addresses.insert(handle.id(), address);
            let address = PeerIp::new(Ipv4Addr::new(192, 0, 2, address).into());
            self.peers.insert(Some(address), progress, handle);
        }

        /// The address whose connection would make room.
        fn least_needed(&self) -> Option<u8> {
            let id = self.peers.least_needed()?;
            self.addresses.get(&id).copied()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn only_more_than_half_of_allconnections_is_too_many_for_one_address() {
        for (counts, fresh) in [
            (&[2, 2][..], None),
            (&[1, 1, 1, 1], None),
            (&[2, 1, 1], None),
            (&[3, 1], Some(1)),
            (&[1, 2], Some(2)),
            // Alone, it takes from no one.
            (&[4], None),
        ] {
            let open = Open::new(counts);
            assert_eq!(open.least_needed(), fresh, "{counts:?}");
            advance(IDLE_AFTER).await;
            assert!(open.least_needed().is_some(), "{counts:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_is_idle_after_a_round_trip() {
        let open = Open::new(&[1, 1]);
        advance(IDLE_AFTER - Duration::from_millis(1)).await;
        assert_eq!(open.least_needed(), None);
        advance(Duration::from_millis(1)).await;
        assert!(open.least_needed().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn the_address_with_mostconnections_loses_the_one_idle_for_longest() {
        let mut open = Open::new(&[1]);
        advance(IDLE_AFTER).await;
        let longest = Arc::new(Progress::new());
        open.add(2, Arc::clone(&longest));
        advance(IDLE_AFTER).await;
        open.add(2, Arc::new(Progress::new()));
        assert_eq!(open.least_needed(), Some(2));
        assert!(open.peers.make_room());
        let left: Vec<_> = open.peers.0.values().map(|it| &it.progress).collect();
        assert!(left.iter().all(|it| !Arc::ptr_eq(it, &longest)));
        assert_eq!(open.peers.len(), 2);
    }
}
