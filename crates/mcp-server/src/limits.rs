//! The bounds on what the clients of one server may request at once.

use std::{
    num::NonZeroU32,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::lock::lock;

/// Bounds on tool calls. A call beyond them is answered with `isError` and what to do, never with a
/// transport error: clients hang on those or tear the session down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Calls in flight at once, over all clients.
    pub calls_in_flight: usize,
    /// Calls per second over all clients, with bursts of as many; `None` is no limit.
    pub calls_per_second: Option<NonZeroU32>,
    /// How long one call may take.
    pub call_deadline: Duration,
    /// How long a client may take to answer what a call asks it; the call's own deadline waits.
    pub client_deadline: Duration,
    /// `subscriptions/listen` requests open at once, over all clients.
    pub listen_requests: usize,
    /// Resources that one session, or one `subscriptions/listen`, may subscribe to.
    pub subscriptions_per_client: usize,
    /// Subscriptions to resources at once, over all clients.
    pub subscriptions: usize,
    /// The largest result, in bytes of JSON.
    pub result_bytes: usize,
    /// The most messages in one batch.
    pub batch: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // More than the connections a desktop host opens, few enough to bound memory.
            calls_in_flight: 256,
            calls_per_second: None,
            // The default timeout of the official clients, so that ours answers first.
            call_deadline: Duration::from_secs(55),
            // People are asked.
            client_deadline: Duration::from_secs(300),
            listen_requests: 256,
            // More than a model can keep in mind.
            subscriptions_per_client: 64,
            subscriptions: 4_096,
            // Far above what any host shows its model.
            result_bytes: 8 << 20,
            batch: 50,
        }
    }
}

/// The methods that set one limit each.
macro_rules! setters {
    ($($method:ident($limit:ident: $type:ty),)+) => {$(
        #[doc = concat!("Sets [`Limits::", stringify!($limit), "`].")]
        #[must_use]
        pub const fn $method(mut self, $limit: $type) -> Self {
            self.$limit = $limit;
            self
        }
    )+};
}

impl Limits {
    setters! {
        with_calls_in_flight(calls_in_flight: usize),
        with_calls_per_second(calls_per_second: Option<NonZeroU32>),
        with_call_deadline(call_deadline: Duration),
        with_client_deadline(client_deadline: Duration),
        with_listen_requests(listen_requests: usize),
        with_subscriptions_per_client(subscriptions_per_client: usize),
        with_subscriptions(subscriptions: usize),
        with_result_bytes(result_bytes: usize),
        with_batch(batch: usize),
    }
}

/// Admits requests within [`Limits`].
#[derive(Debug)]
pub(crate) struct Admission {
    calls: Semaphore,
    calls_in_flight: usize,
    pub(crate) listen_requests: Semaphore,
    pub(crate) subscriptions: Arc<Semaphore>,
    bucket: Option<Mutex<Bucket>>,
}

#[derive(Debug)]
struct Bucket {
    per_second: f64,
    tokens: f64,
    filled: Instant,
}

/// Why a call was not admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Busy {
    InFlight(usize),
    Rate(u32),
}

impl Admission {
    pub(crate) fn new(limits: &Limits, now: Instant) -> Self {
        let semaphore = |most: usize| Semaphore::new(most.min(Semaphore::MAX_PERMITS));
        Self {
            calls: semaphore(limits.calls_in_flight),
            calls_in_flight: limits.calls_in_flight,
            listen_requests: semaphore(limits.listen_requests),
            subscriptions: Arc::new(semaphore(limits.subscriptions)),
            bucket: limits.calls_per_second.map(|rate| {
                let per_second = f64::from(rate.get());
                Mutex::new(Bucket {
                    per_second,
                    tokens: per_second,
                    filled: now,
                })
            }),
        }
    }

    pub(crate) fn admit(&self, now: Instant) -> Result<SemaphorePermit<'_>, Busy> {
        if let Some(bucket) = &self.bucket {
            lock(bucket).take(now)?;
        }
        let permit = self.calls.try_acquire();
        permit.map_err(|_| Busy::InFlight(self.calls_in_flight))
    }
}

impl Bucket {
    fn take(&mut self, now: Instant) -> Result<(), Busy> {
        let elapsed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + elapsed * self.per_second).min(self.per_second);
        self.filled = now;
        if self.tokens < 1.0 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it came from a u32"
            )]
            return Err(Busy::Rate(self.per_second as u32));
        }
        self.tokens -= 1.0;
        Ok(())
    }
}

impl std::fmt::Display for Busy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::InFlight(most) => write!(
                f,
                "The server is busy: {most} calls are in progress. Try again in a second."
            ),
            Self::Rate(rate) => write!(
                f,
                "Too many calls: this server answers {rate} a second. Try again in a second."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_over_the_limit_is_refused_until_another_ends() {
        let limits = Limits {
            calls_in_flight: 1,
            ..Limits::default()
        };
        let now = Instant::now();
        let admission = Admission::new(&limits, now);
        let first = admission.admit(now).ok();
        assert_eq!(admission.admit(now).err(), Some(Busy::InFlight(1)));
        drop(first);
        assert!(admission.admit(now).is_ok());
    }

    #[test]
    fn the_rate_refills_with_time() {
        let limits = Limits {
            calls_per_second: NonZeroU32::new(2),
            ..Limits::default()
        };
        let now = Instant::now();
        let admission = Admission::new(&limits, now);
        assert!(admission.admit(now).is_ok());
        assert!(admission.admit(now).is_ok());
        assert_eq!(admission.admit(now).err(), Some(Busy::Rate(2)));
        assert!(admission.admit(now + Duration::from_millis(500)).is_ok());
    }
}
