//! Counters of a transport, for the metrics of a program.

use std::{collections::BTreeMap, sync::Arc};

use parking_lot::Mutex;

/// The causes for which a request is rejected before it reaches the server, sorted by name.
pub(crate) const CAUSES: [&str; 12] = [
    "busy",
    "fault",
    "host_or_origin",
    "malformed",
    "media_type",
    "method",
    "scope",
    "session",
    "size",
    "slow",
    "token",
    "unavailable",
];

/// The numbers of open connections, streams and sessions, and of rejected requests. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct TransportStats(Arc<Open>);

#[derive(Debug, Default)]
struct Open {
    connections: UsageGuard,
    streams: UsageGuard,
    sessions: UsageGuard,
    refusals: Mutex<BTreeMap<&'static str, u64>>,
}

/// A guard that counts an open item until it is dropped. Each guard is a clone of one in [`Open`].
pub(crate) type UsageGuard = Arc<()>;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Connection,
    Stream,
    Session,
}

impl TransportStats {
    /// Returns the number of open connections. It is 0 for a [`Service`](crate::Service) in a host's own HTTP server.
    #[must_use]
    pub fn connections(&self) -> usize {
        Arc::strong_count(&self.0.connections) - 1
    }

    /// Returns the number of open long-lived streams.
    #[must_use]
    pub fn listening_streams(&self) -> usize {
        Arc::strong_count(&self.0.streams) - 1
    }

    /// Returns the number of open sessions, including ended ones with a request in flight.
    #[must_use]
    pub fn sessions(&self) -> usize {
        Arc::strong_count(&self.0.sessions) - 1
    }

    /// Returns the number of requests rejected before they reached the server, by cause. Every cause is listed from the
    /// start, with 0.
    #[must_use]
    pub fn rejections(&self) -> Vec<(&'static str, u64)> {
        let refusals = self.0.refusals.lock();
        let count = |cause| (cause, refusals.get(cause).copied().unwrap_or_default());
        CAUSES.map(count).to_vec()
    }

    pub(crate) fn refused(&self, cause: &'static str) {
        *self.0.refusals.lock().entry(cause).or_default() += 1;
    }

    pub(crate) fn open(&self, kind: Kind) -> UsageGuard {
        let Self(open) = self;
        Arc::clone(match kind {
            Kind::Connection => &open.connections,
            Kind::Stream => &open.streams,
            Kind::Session => &open.sessions,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{CAUSES, Kind, TransportStats};

    #[test]
    fn what_is_open_counts_until_it_is_dropped() {
        let usage = TransportStats::default();
        let first = usage.open(Kind::Connection);
        let second = usage.clone().open(Kind::Connection);
        let stream = usage.open(Kind::Stream);
        assert_eq!(
            (
                usage.connections(),
                usage.listening_streams(),
                usage.sessions()
            ),
            (2, 1, 0)
        );
        drop((first, stream));
        assert_eq!(
            (
                usage.connections(),
                usage.listening_streams(),
                usage.sessions()
            ),
            (1, 0, 0)
        );
        drop(second);
        assert_eq!(usage.connections(), 0);
    }

    #[test]
    fn refusals_are_counted_by_cause() {
        let usage = TransportStats::default();
        for cause in ["size", "token", "size"] {
            usage.clone().refused(cause);
        }
        let (counted, others): (Vec<_>, Vec<_>) = usage
            .rejections()
            .into_iter()
            .partition(|(_, count)| *count > 0);
        assert_eq!(counted, [("size", 2), ("token", 1)]);
        assert_eq!(others.len(), CAUSES.len() - 2);
    }
}
