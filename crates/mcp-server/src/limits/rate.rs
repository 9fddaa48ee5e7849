//! How often one client may call: a bucket of tokens for each.

use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
};

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::context::{Client, RequestContext};

/// Clients whose rates are kept. One more replaces the one that has called last the longest ago, which has most likely
/// its full rate again.
const CLIENTS: usize = 4_096;

/// Calls per second, which may change.
#[derive(Debug)]
pub(crate) struct Rate(AtomicU32);

impl Rate {
    pub(crate) fn new(per_second: Option<NonZeroU32>) -> Self {
        Self(AtomicU32::new(per_second.map_or(0, NonZeroU32::get)))
    }

    /// `None` is no limit.
    pub(crate) fn get(&self) -> Option<NonZeroU32> {
        NonZeroU32::new(self.0.load(Ordering::Relaxed))
    }

    pub(crate) fn set(&self, per_second: Option<NonZeroU32>) {
        let per_second = per_second.map_or(0, NonZeroU32::get);
        self.0.store(per_second, Ordering::Relaxed);
    }
}

/// The rate of each client.
#[derive(Debug)]
pub(crate) struct ClientRates {
    /// Of clients that have none of their own.
    pub(crate) per_second: Rate,
    buckets: Mutex<HashMap<Client, Bucket>>,
}

impl ClientRates {
    pub(crate) fn new(per_second: Option<NonZeroU32>) -> Self {
        Self {
            per_second: Rate::new(per_second),
            buckets: Mutex::default(),
        }
    }

    /// Takes the tokens of `calls` calls of the client; fails with the rate if it has fewer. `own` is the rate of this client.
    pub(crate) fn take(
        &self,
        cx: &RequestContext,
        calls: u32,
        own: Option<NonZeroU32>,
        now: Instant,
    ) -> Result<(), NonZeroU32> {
        let Some(per_second) = own.or_else(|| self.per_second.get()) else {
            return Ok(());
        };
        let client = cx.client();
        let mut buckets = self.buckets.lock();
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

/// A rate, with bursts of as many calls as a second has.
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

    /// Takes a token for each of these calls, but no more than a full bucket has; fails with the rate if there are fewer.
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
    use crate::{Extensions, Grant, PeerAddress};

    fn from(address: &str) -> RequestContext {
        let mut extensions = Extensions::new();
        extensions.insert(PeerAddress::new(address.parse().unwrap()));
        RequestContext::new(extensions)
    }

    fn of(subject: &str, address: &str) -> RequestContext {
        let mut extensions = from(address).extensions().clone();
        extensions.insert(Grant::default().with_subject(subject));
        RequestContext::new(extensions)
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
            (RequestContext::default(), RequestContext::default(), true),
            (RequestContext::default(), from("10.0.0.1"), false),
        ] {
            let rates = ClientRates::new(Some(NonZeroU32::MIN));
            let now = Instant::now();
            assert_eq!(rates.take(&one, 1, None, now), Ok(()));
            assert_eq!(
                rates.take(&other, 1, None, now).is_err(),
                is_same,
                "{one:?} {other:?}"
            );
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
        let cx = from("10.0.0.1");
        let rates = ClientRates::new(Some(rate));
        assert_eq!(rates.take(&cx, 10, None, now), Ok(()));
        assert_eq!(rates.take(&cx, 1, None, now), Err(rate));
    }

    #[test]
    fn a_rate_of_its_own_replaces_that_of_all_clients() {
        let rate = |calls| NonZeroU32::new(calls);
        let now = Instant::now();
        for (of_all, own, expect) in [
            (rate(2), None, 2),
            (rate(2), rate(1), 1),
            (rate(2), rate(5), 5),
            (None, rate(3), 3),
            (None, None, 9),
        ] {
            let rates = ClientRates::new(of_all);
            let alice = of("alice", "10.0.0.1");
            let calls = (0..9).take_while(|_| rates.take(&alice, 1, own, now).is_ok());
            assert_eq!(calls.count(), expect, "{of_all:?} {own:?}");
        }
    }

    #[test]
    fn the_client_that_called_last_the_longest_ago_makes_room() {
        let rates = ClientRates::new(Some(NonZeroU32::MIN));
        let now = Instant::now();
        let call = |n: usize, later: u64| {
            let cx = of(&n.to_string(), "10.0.0.1");
            rates
                .take(&cx, 1, None, now + Duration::from_nanos(later))
                .is_ok()
        };
        for n in 0..CLIENTS {
            assert!(call(n, 0));
        }
        // The first one calls again, so that another one is the oldest.
        assert!(!call(0, 1));
        assert!(call(CLIENTS, 2));
        assert!(!call(0, 3));
        assert_eq!(rates.buckets.lock().len(), CLIENTS);
    }
}
