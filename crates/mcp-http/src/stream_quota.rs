//! The quota of long-lived streams. A client that opens too many ends its own oldest stream, not those of others.

use std::{pin::pin, sync::Arc};

use mcp_server::CallerKey;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::{
    HttpLimits, TransportStats,
    authorizer::Access,
    peers::shares,
    stats::{Kind, UsageGuard},
};

/// The open streams of all clients.
#[derive(Debug)]
pub(crate) struct StreamQuota {
    open: Mutex<Open>,
    most: usize,
    most_per_client: usize,
    usage: TransportStats,
}

#[derive(Debug, Default)]
struct Open {
    /// The streams in the order in which they were opened.
    streams: Vec<OpenStream>,
    last: u64,
}

#[derive(Debug)]
struct OpenStream {
    number: u64,
    client: CallerKey,
    end: CancellationToken,
}

/// A guard that counts a stream until it is dropped.
#[derive(Debug)]
pub(crate) struct StreamGuard {
    quota: Arc<StreamQuota>,
    number: u64,
    /// Cancelled when the stream has to end.
    pub(crate) end: CancellationToken,
    _usage: UsageGuard,
}

impl StreamQuota {
    /// Creates the quota from the limits. Streams are counted in `usage`.
    pub(crate) fn new(limits: &HttpLimits, usage: &TransportStats) -> Self {
        Self {
            open: Mutex::default(),
            most: limits.streams.max(1),
            most_per_client: limits.streams_per_client.max(1),
            usage: usage.clone(),
        }
    }

    /// Opens a stream, which also ends when `stopping` is cancelled. Beyond the limit per client, the client's oldest
    /// stream ends. Beyond the total limit, the oldest stream of the client with the most streams ends.
    pub(crate) fn open(
        self: &Arc<Self>,
        client: CallerKey,
        stopping: &CancellationToken,
    ) -> StreamGuard {
        let end = stopping.child_token();
        let mut open = self.open.lock();
        open.last += 1;
        let number = open.last;
        open.streams.push(OpenStream {
            number,
            client: client.clone(),
            end: end.clone(),
        });
        let of_client = |it: &&OpenStream| it.client == client;
        if open.streams.iter().filter(of_client).count() > self.most_per_client {
            open.end_oldest(&client);
        }
        while open.streams.len() > self.most {
            let Some(heaviest) = open.heaviest() else {
                break;
            };
            open.end_oldest(&heaviest);
        }
        drop(open);
        StreamGuard {
            quota: Arc::clone(self),
            number,
            end,
            _usage: self.usage.open(Kind::Stream),
        }
    }
}

impl StreamGuard {
    /// Runs the work of the stream, which ends when its client loses its authorization.
    pub(crate) async fn while_allowed<T>(
        &self,
        access: Option<Access>,
        work: impl Future<Output = T>,
    ) -> T {
        let mut work = pin!(work);
        if let Some(access) = access {
            tokio::select! {
                biased;
                outcome = &mut work => return outcome,
                () = access.lost() => self.end.cancel(),
            }
        }
        work.await
    }
}

impl Open {
    fn heaviest(&self) -> Option<CallerKey> {
        let shares = shares(self.streams.iter().map(|it| &it.client));
        let most = shares.into_iter().max_by_key(|(_, share)| *share);
        most.map(|(client, _)| client.clone())
    }

    fn end_oldest(&mut self, client: &CallerKey) {
        let oldest = self.streams.iter().position(|it| it.client == *client);
        if let Some(oldest) = oldest {
            tracing::debug!("a stream was closed: its client opened too many");
            self.streams.remove(oldest).end.cancel();
        }
    }
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        let mut open = self.quota.open.lock();
        open.streams.retain(|it| it.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_with_most_streams_loses_its_oldest() {
        let limits = HttpLimits::default()
            .with_streams(4)
            .with_streams_per_client(3);
        let quota = Arc::new(StreamQuota::new(&limits, &TransportStats::default()));
        let stopping = CancellationToken::new();
        let open = |name: &str| {
            quota.open(
                CallerKey::from_subject_or_address(Some(name), None),
                &stopping,
            )
        };
        let bob = open("bob");
        let alice: Vec<_> = (0..4).map(|_| open("alice")).collect();
        let ended = |streams: &[StreamGuard]| {
            let ended = streams.iter().map(|it| it.end.is_cancelled());
            ended.collect::<Vec<_>>()
        };
        // Her limit, and room for one more.
        assert_eq!(ended(&alice), [true, false, false, false]);
        let carol = open("carol");
        assert_eq!(ended(&alice), [true, true, false, false]);
        assert_eq!(ended(&[bob, carol]), [false, false]);
    }

    #[test]
    fn streams_that_have_ended_no_longer_count_and_all_others_do() {
        let limits = HttpLimits::default()
            .with_streams(8)
            .with_streams_per_client(2);
        let quota = Arc::new(StreamQuota::new(&limits, &TransportStats::default()));
        let stopping = CancellationToken::new();
        let open = || {
            quota.open(
                CallerKey::from_subject_or_address(Some("alice"), None),
                &stopping,
            )
        };
        let (first, second) = (open(), open());
        drop(second);
        let third = open();
        assert!(!first.end.is_cancelled());
        let fourth = open();
        assert!(first.end.is_cancelled());
        let ended = [third, fourth].map(|it| it.end.is_cancelled());
        assert_eq!(ended, [false, false]);
    }

    #[test]
    fn a_client_with_few_streams_keeps_them_however_many_clients_there_are() {
        let limits = HttpLimits::default().with_streams(16);
        let quota = Arc::new(StreamQuota::new(&limits, &TransportStats::default()));
        let stopping = CancellationToken::new();
        let open = |name: &str| {
            quota.open(
                CallerKey::from_subject_or_address(Some(name), None),
                &stopping,
            )
        };
        let others: Vec<_> = (0..14).map(|n| open(&n.to_string())).collect();
        let alice: Vec<_> = (0..4).map(|_| open("alice")).collect();
        assert!(others.iter().all(|it| !it.end.is_cancelled()));
        let ended: Vec<_> = alice.iter().map(|it| it.end.is_cancelled()).collect();
        assert_eq!(ended, [true, true, false, false]);
    }

    #[test]
    fn a_stream_ends_when_the_server_stops() {
        let quota = Arc::new(StreamQuota::new(
            &HttpLimits::default(),
            &TransportStats::default(),
        ));
        let stopping = CancellationToken::new();
        let stream = quota.open(CallerKey::from_subject_or_address(None, None), &stopping);
        stopping.cancel();
        assert!(stream.end.is_cancelled());
    }
}
