//! Rate limits of individual clients: one token bucket for each.

use std::{collections::HashMap, num::NonZeroU32};

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::context::CallerKey;

/// Maximum number of clients with a stored rate. A new client replaces the one that has been idle for the longest time,
/// whose bucket is most likely full again.
const CLIENTS: usize = 4_096;

/// The token buckets of the clients that called most recently.
#[derive(Debug, Default)]
pub(crate) struct ClientBuckets(Mutex<HashMap<CallerKey, Bucket>>);

impl ClientBuckets {
    /// Takes the tokens for `calls` calls of a client with this rate. Returns the rate as an error if too few are left.
    pub(crate) fn take(
        &self,
        client: CallerKey,
        calls: u32,
        per_second: NonZeroU32,
        now: Instant,
    ) -> Result<(), NonZeroU32> {
        let mut buckets = self.0.lock();
        if let Some(bucket) = buckets.get_mut(&client) {
            return bucket.take(per_second, calls, now);
        }
        if buckets.len() >= CLIENTS {
            let oldest = buckets.iter().min_by_key(|(_, bucket)| bucket.filled);
            if let Some(oldest) = oldest.map(|(client, _)| client.clone()) {
                buckets.remove(&oldest);
            }
        }
        let bucket = buckets.entry(client);
        bucket
            .or_insert_with(|| Bucket::new(per_second, now))
            .take(per_second, calls, now)
    }
}

/// A token bucket that holds the calls of one second.
#[derive(Debug)]
pub(crate) struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    pub(crate) fn new(per_second: NonZeroU32, now: Instant) -> Self {
        Self {
            tokens: f64::from(per_second.get()),
            filled: now,
        }
    }

    /// Takes a token for each of these calls, but at most the capacity of the bucket. Returns the rate as an error if
    /// too few are left.
    pub(crate) fn take(
        &mut self,
        per_second: NonZeroU32,
        calls: u32,
        now: Instant,
    ) -> Result<(), NonZeroU32> {
        let most = f64::from(per_second.get());
        let elapsed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + elapsed * most).min(most);
        self.filled = now;
        let calls = f64::from(calls).min(most);
        if self.tokens < calls {
            return Err(per_second);
        }
        self.tokens -= calls;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::context::PeerIp;

    fn from(address: &str) -> CallerKey {
        CallerKey::from_subject_or_address(None, Some(PeerIp::new(address.parse().unwrap())))
    }

    fn of(subject: &str, address: &str) -> CallerKey {
        CallerKey::from_subject_or_address(
            Some(subject),
            Some(PeerIp::new(address.parse().unwrap())),
        )
    }

    #[test]
    fn clients_are_users_or_addresses() {
        let alice = || of("alice", "10.0.0.1");
        for (one, other, is_same) in [
            (alice(), of("alice", "10.0.0.2"), true),
            (alice(), of("bob", "10.0.0.1"), false),
            (alice(), from("10.0.0.1"), false),
            (from("10.0.0.1"), from("10.0.0.1"), true),
            (from("10.0.0.1"), from("10.0.0.2"), false),
            (from("10.0.0.1"), from("::ffff:10.0.0.1"), true),
            (from("2001:db8::1"), from("2001:db8::2"), true),
            (from("2001:db8::1"), from("2001:db8:0:1::1"), false),
            (
                CallerKey::from_subject_or_address(None, None),
                CallerKey::from_subject_or_address(None, None),
                true,
            ),
            (
                CallerKey::from_subject_or_address(None, None),
                from("10.0.0.1"),
                false,
            ),
        ] {
            let (buckets, now) = (ClientBuckets::default(), Instant::now());
            let rate = NonZeroU32::MIN;
            assert_eq!(buckets.take(one.clone(), 1, rate, now), Ok(()));
            let taken = buckets.take(other.clone(), 1, rate, now);
            assert_eq!(taken.is_err(), is_same, "{one:?} {other:?}");
        }
    }

    #[test]
    fn r112_a_rate_refills_with_time() {
        let rate = NonZeroU32::new(2).unwrap();
        let now = Instant::now();
        let mut bucket = Bucket::new(rate, now);
        for (milliseconds, expect) in [
            (0, Ok(())),
            (0, Ok(())),
            (0, Err(rate)),
            (499, Err(rate)),
            (500, Ok(())),
            (500, Err(rate)),
            // No more than the burst is saved.
            (9_000, Ok(())),
            (9_000, Ok(())),
            (9_000, Err(rate)),
            // A clock that goes back gives nothing.
            (0, Err(rate)),
        ] {
            let at = now + Duration::from_millis(milliseconds);
            assert_eq!(bucket.take(rate, 1, at), expect, "{milliseconds}");
        }
    }

    #[test]
    fn a_call_that_counts_as_many_takes_their_tokens_but_no_more_than_there_can_be() {
        let rate = NonZeroU32::new(10).unwrap();
        let now = Instant::now();
        let mut bucket = Bucket::new(rate, now);
        for (milliseconds, calls, expect) in [
            (0, 6, Ok(())),
            (0, 6, Err(rate)),
            (0, 4, Ok(())),
            (500, 6, Err(rate)),
            (600, 6, Ok(())),
            (600, 50, Err(rate)),
            (9_000, 50, Ok(())),
            (9_000, 1, Err(rate)),
        ] {
            let at = now + Duration::from_millis(milliseconds);
            assert_eq!(
                bucket.take(rate, calls, at),
                expect,
                "{calls} at {milliseconds}"
            );
        }
        let buckets = ClientBuckets::default();
        let take = |calls| buckets.take(from("10.0.0.1"), calls, rate, now);
        assert_eq!(take(10), Ok(()));
        assert_eq!(take(1), Err(rate));
    }

    #[test]
    fn the_client_that_called_last_the_longest_ago_makes_room() {
        let (buckets, now) = (ClientBuckets::default(), Instant::now());
        let call = |n: usize, later: u64| {
            let client = of(&n.to_string(), "10.0.0.1");
            let now = now + Duration::from_nanos(later);
            buckets.take(client, 1, NonZeroU32::MIN, now).is_ok()
        };
        for n in 0..CLIENTS {
            assert!(call(n, 0));
        }
        // The first one calls again, so that another one is the oldest.
        assert!(!call(0, 1));
        assert!(call(CLIENTS, 2));
        assert!(!call(0, 3));
        assert_eq!(buckets.0.lock().len(), CLIENTS);
    }
}
