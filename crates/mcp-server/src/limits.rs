//! Limits on concurrent and frequent client requests.

pub(crate) mod memory;
mod rate;
mod stats;

use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::Instant,
};

pub(crate) use self::memory::out_of_memory;
pub use self::{memory::MemoryBudget, stats::ServerStats};
use self::{
    rate::{Bucket, ClientBuckets},
    stats::Refused,
};
use crate::context::{CallerKey, RequestContext};

mcp_protocol::setters! {
    /// Limits on tool calls and other requests. A tool call above a limit gets a result with `isError` and advice,
    /// never a transport error: clients hang on those or close the session.
    ///
    /// ```
    /// use std::{num::NonZeroU32, time::Duration};
    ///
    /// use mcp_server::ServerLimits;
    ///
    /// let limits = ServerLimits::default()
    ///     .with_call_deadline(Duration::from_secs(20))
    ///     .with_calls_per_client(NonZeroU32::new(10));
    /// assert_eq!(limits.call_deadline.as_secs(), 20);
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct ServerLimits {
        /// Maximum number of calls in flight, over all clients.
        // More than the connections a desktop host opens, few enough to bound memory.
        calls_in_flight: usize = 256, with_calls_in_flight;
        /// Maximum number of calls in flight of one [`CallerKey`], if clients can be distinguished. Calls
        /// completed without waiting count toward neither this limit nor `calls_in_flight`.
        // Far more than an agent has, and a quarter of all.
        calls_in_flight_per_client: usize = 64, with_calls_in_flight_per_client;
        /// Maximum number of calls per second, over all clients, with bursts of the same size. `None` means no limit.
        total_calls_per_second: Option<NonZeroU32> = None, with_total_calls_per_second;
        /// Maximum number of calls per second of one client, with bursts of the same size. `None` means no limit. A
        /// rate in the client's [`AuthInfo`](crate::AuthInfo) takes precedence. Creating a list or instructions for a
        /// private list variant counts as a call. A client is the subject of an access token, or else a
        /// [`PeerIp`](crate::PeerIp): all clients behind one proxy count as one.
        // A thousand agents at work, or one in an endless loop.
        calls_per_client: Option<NonZeroU32> = NonZeroU32::new(1_000), with_calls_per_client;
        /// Maximum number of completions per second of one client, counted separately from its calls. `None` means no
        /// limit.
        // Faster than anyone types.
        completions_per_second_per_client: Option<NonZeroU32> = NonZeroU32::new(100), with_completions_per_second_per_client;
        /// Maximum duration of one call.
        // The default timeout of the official clients, so that ours answers first.
        call_deadline: Duration = Duration::from_secs(55), with_call_deadline;
        /// Maximum time for a client to answer a request of a call. The deadline of the call is paused meanwhile.
        // People are asked.
        client_deadline: Duration = Duration::from_secs(300), with_client_deadline;
        /// Maximum number of open `subscriptions/listen` requests, over all clients.
        listen_requests: usize = 256, with_listen_requests;
        /// Maximum number of resource subscriptions of one session, or of one `subscriptions/listen`.
        // More than a model can keep in mind.
        subscriptions_per_client: usize = 64, with_subscriptions_per_client;
        /// Maximum number of resource subscriptions, over all clients.
        subscriptions: usize = 4_096, with_subscriptions;
        /// Maximum size of a result of any method, in bytes of JSON.
        // Far above what any host shows its model.
        result_bytes: usize = 8 << 20, with_result_bytes;
        /// Maximum number of messages in one batch.
        batch: usize = 50, with_batch;
        /// Time after which a call becomes a task, if the tool and the client support tasks.
        // No one minds to wait so long, and most calls need no second request.
        task_after: Duration = Duration::from_secs(5), with_task_after;
        /// Maximum duration of one task.
        task_deadline: Duration = Duration::from_secs(1_800), with_task_deadline;
        /// Minimum storage time for the result of a task.
        task_retention: Duration = Duration::from_secs(1_800), with_task_retention;
        /// Recommended interval at which clients poll a task.
        task_poll_interval: Duration = Duration::from_secs(2), with_task_poll_interval;
        /// Maximum number of running tasks, over all clients.
        running_tasks: usize = 256, with_running_tasks;
        /// Maximum number of running tasks of one client, if clients can be distinguished.
        running_tasks_per_client: usize = 16, with_running_tasks_per_client;
    }
}

/// Admission control that enforces [`ServerLimits`].
#[derive(Debug)]
pub(crate) struct Admission {
    pub(crate) limits: ServerLimits,
    calls: Semaphore,
    calling: Mutex<HashMap<CallerKey, usize>>,
    pub(crate) listen_requests: Semaphore,
    pub(crate) subscriptions: Arc<Semaphore>,
    all_calls: (Rate, Mutex<Option<Bucket>>),
    client_calls: (Rate, ClientBuckets),
    client_completions: (Rate, ClientBuckets),
    pub(crate) refused: Refused,
}

/// The limit that rejected a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Busy {
    #[error("The server is busy: {0} calls are in progress. Try again in a second.")]
    InFlight(usize),
    #[error("The server is busy with {0} of your calls. Wait for one of them.")]
    ClientInFlight(usize),
    #[error("Too many calls: this server allows {0} a second. Try again in a second.")]
    Rate(NonZeroU32),
    #[error(
        "Too many calls: this server allows {0} a second from one client. Try again in a second."
    )]
    ClientRate(NonZeroU32),
}

/// A rate limit in calls per second, which may change.
#[derive(Debug)]
struct Rate(AtomicU32);

impl Rate {
    fn new(per_second: Option<NonZeroU32>) -> Self {
        Self(AtomicU32::new(per_second.map_or(0, NonZeroU32::get)))
    }

    /// Returns the rate, or `None` if there is no limit.
    fn get(&self) -> Option<NonZeroU32> {
        NonZeroU32::new(self.0.load(Ordering::Relaxed))
    }

    fn set(&self, per_second: Option<NonZeroU32>) {
        let per_second = per_second.map_or(0, NonZeroU32::get);
        self.0.store(per_second, Ordering::Relaxed);
    }
}

impl Admission {
    pub(crate) fn new(limits: &ServerLimits) -> Self {
        let semaphore = |most: usize| Semaphore::new(most.min(Semaphore::MAX_PERMITS));
        Self {
            limits: *limits,
            calls: semaphore(limits.calls_in_flight),
            calling: Mutex::default(),
            listen_requests: semaphore(limits.listen_requests),
            subscriptions: Arc::new(semaphore(limits.subscriptions)),
            all_calls: (Rate::new(limits.total_calls_per_second), Mutex::default()),
            client_calls: (Rate::new(limits.calls_per_client), ClientBuckets::default()),
            client_completions: (
                Rate::new(limits.completions_per_second_per_client),
                ClientBuckets::default(),
            ),
            refused: Refused::default(),
        }
    }

    /// Returns the current load and the number of rejected calls.
    pub(crate) fn load(&self) -> ServerStats {
        let taken = |limit: usize, places: &Semaphore| {
            let limit = limit.min(Semaphore::MAX_PERMITS);
            limit.saturating_sub(places.available_permits())
        };
        ServerStats {
            calls: taken(self.limits.calls_in_flight, &self.calls),
            subscriptions: taken(self.limits.subscriptions, &self.subscriptions),
            refused: self.refused.counts(),
        }
    }

    /// Sets the calls per second over all clients, and of one client.
    pub(crate) fn set_call_rates(&self, all: Option<NonZeroU32>, client: Option<NonZeroU32>) {
        self.all_calls.0.set(all);
        self.client_calls.0.set(client);
    }

    /// Counts `calls` calls toward the rate limits. A call above its client's rate is not counted toward the rate of
    /// all clients.
    pub(crate) fn take_call(
        &self,
        cx: &RequestContext,
        calls: u32,
        now: Instant,
    ) -> Result<(), Busy> {
        let own = cx.auth().and_then(|grant| grant.calls_per_second);
        let (rate, buckets) = &self.client_calls;
        if let Some(rate) = own.or_else(|| rate.get()) {
            let taken = buckets.take(cx.caller_key(), calls, rate, now);
            taken.map_err(Busy::ClientRate)?;
        }
        let (rate, bucket) = &self.all_calls;
        if let Some(rate) = rate.get() {
            let mut bucket = bucket.lock();
            let bucket = bucket.get_or_insert_with(|| Bucket::new(rate, now));
            bucket.take(rate, calls, now).map_err(Busy::Rate)?;
        }
        Ok(())
    }

    /// Counts a completion toward its rate limit.
    pub(crate) fn take_completion(&self, cx: &RequestContext, now: Instant) -> Result<(), Busy> {
        let (rate, buckets) = &self.client_completions;
        match rate.get() {
            Some(rate) => {
                let taken = buckets.take(cx.caller_key(), 1, rate, now);
                taken.map_err(Busy::ClientRate)
            }
            None => Ok(()),
        }
    }

    /// Acquires a permit for a call that waits.
    pub(crate) fn permit(&self, cx: &RequestContext) -> Result<Permit<'_>, Busy> {
        let client = cx.caller_key();
        if client.is_known() {
            let mut calling = self.calling.lock();
            let calls = calling.entry(client.clone()).or_default();
            let most = self.limits.calls_in_flight_per_client;
            if *calls >= most {
                return Err(Busy::ClientInFlight(most));
            }
            *calls += 1;
        }
        let mut permit = Permit {
            admission: self,
            client,
            all: None,
        };
        let all = self.calls.try_acquire();
        permit.all = Some(all.map_err(|_| Busy::InFlight(self.limits.calls_in_flight))?);
        Ok(permit)
    }
}

/// The permit of a call in flight, released when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    admission: &'a Admission,
    client: CallerKey,
    all: Option<SemaphorePermit<'a>>,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut calling = self.admission.calling.lock();
        if let Some(calls) = calling.get_mut(&self.client) {
            *calls -= 1;
            if *calls == 0 {
                calling.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_over_the_limit_is_refused_until_another_ends() {
        let limits = ServerLimits::default().with_calls_in_flight(1);
        let cx = RequestContext::default();
        let admission = Admission::new(&limits);
        let first = admission.permit(&cx).ok();
        assert_eq!(admission.permit(&cx).err(), Some(Busy::InFlight(1)));
        admission.refused.count(Busy::InFlight(1));
        let load = admission.load();
        assert_eq!((load.calls, load.subscriptions), (1, 0));
        assert_eq!(load.refused.first(), Some(&("calls_in_flight", 1)));
        drop(first);
        assert!(admission.permit(&cx).is_ok());
    }

    #[test]
    fn clients_that_cannot_be_told_apart_are_not_taken_for_one() {
        let limits = ServerLimits::default().with_calls_in_flight_per_client(1);
        let cx = RequestContext::default();
        let admission = Admission::new(&limits);
        let _first = admission.permit(&cx).unwrap();
        assert!(admission.permit(&cx).is_ok());
    }

    #[test]
    fn one_client_does_not_take_the_room_of_others() {
        let limits = ServerLimits::default()
            .with_calls_in_flight(3)
            .with_calls_in_flight_per_client(2);
        let admission = Admission::new(&limits);
        let of = |subject: &str| {
            let mut extensions = crate::Extensions::new();
            extensions.insert(crate::AuthInfo::default().with_subject(subject));
            RequestContext::from_extensions(extensions)
        };
        let (alice, bob) = (of("alice"), of("bob"));
        let first = admission.permit(&alice).unwrap();
        let _second = admission.permit(&alice).unwrap();
        let refused = admission.permit(&alice).err();
        assert_eq!(refused, Some(Busy::ClientInFlight(2)));
        let _of_bob = admission.permit(&bob).unwrap();
        assert_eq!(admission.permit(&bob).err(), Some(Busy::InFlight(3)));
        drop(first);
        assert!(admission.permit(&alice).is_ok());
        // Who has no calls in flight is forgotten.
        assert_eq!(admission.calling.lock().len(), 2);
    }

    #[test]
    fn calls_of_all_clients_and_completions_have_rates_of_their_own() {
        let rate = NonZeroU32::MIN;
        let limits = ServerLimits::default()
            .with_total_calls_per_second(Some(rate))
            .with_completions_per_second_per_client(Some(rate));
        let (cx, now) = (RequestContext::default(), Instant::now());
        let admission = Admission::new(&limits);
        assert!(admission.take_call(&cx, 1, now).is_ok());
        assert_eq!(
            admission.take_call(&cx, 1, now).err(),
            Some(Busy::Rate(rate))
        );
        assert!(admission.take_completion(&cx, now).is_ok());
        let refused = admission.take_completion(&cx, now).err();
        assert_eq!(refused, Some(Busy::ClientRate(rate)));
        admission.set_call_rates(None, Some(rate));
        assert!(admission.take_call(&cx, 1, now).is_ok());
        let refused = admission.take_call(&cx, 1, now).err();
        assert_eq!(refused, Some(Busy::ClientRate(rate)));
        admission.set_call_rates(None, None);
        assert!(admission.take_call(&cx, 1, now).is_ok());
    }

    #[test]
    fn the_rate_of_a_grant_replaces_that_of_all_clients() {
        let rate = |calls| NonZeroU32::new(calls);
        let now = Instant::now();
        for (of_all, own, expect) in [
            (rate(2), None, 2),
            (rate(2), rate(1), 1),
            (rate(2), rate(5), 5),
            (None, rate(3), 3),
            (None, None, 9),
        ] {
            let admission = Admission::new(&ServerLimits::default().with_calls_per_client(of_all));
            let mut grant = crate::AuthInfo::for_subject("alice");
            grant.calls_per_second = own;
            let mut extensions = crate::Extensions::new();
            extensions.insert(grant);
            let cx = RequestContext::from_extensions(extensions);
            let calls = (0..9).take_while(|_| admission.take_call(&cx, 1, now).is_ok());
            assert_eq!(calls.count(), expect, "{of_all:?} {own:?}");
        }
    }
}
