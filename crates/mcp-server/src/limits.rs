//! What the clients of one server may ask for at once.

use std::{
    num::NonZeroU32,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

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

impl Limits {
    /// Sets [`Limits::calls_in_flight`].
    #[must_use]
    pub const fn with_calls_in_flight(mut self, calls_in_flight: usize) -> Self {
        self.calls_in_flight = calls_in_flight;
        self
    }

    /// Sets [`Limits::calls_per_second`].
    #[must_use]
    pub const fn with_calls_per_second(mut self, calls_per_second: Option<NonZeroU32>) -> Self {
        self.calls_per_second = calls_per_second;
        self
    }

    /// Sets [`Limits::call_deadline`].
    #[must_use]
    pub const fn with_call_deadline(mut self, call_deadline: Duration) -> Self {
        self.call_deadline = call_deadline;
        self
    }

    /// Sets [`Limits::client_deadline`].
    #[must_use]
    pub const fn with_client_deadline(mut self, client_deadline: Duration) -> Self {
        self.client_deadline = client_deadline;
        self
    }

    /// Sets [`Limits::listen_requests`].
    #[must_use]
    pub const fn with_listen_requests(mut self, listen_requests: usize) -> Self {
        self.listen_requests = listen_requests;
        self
    }

    /// Sets [`Limits::subscriptions_per_client`].
    #[must_use]
    pub const fn with_subscriptions_per_client(mut self, subscriptions_per_client: usize) -> Self {
        self.subscriptions_per_client = subscriptions_per_client;
        self
    }

    /// Sets [`Limits::subscriptions`].
    #[must_use]
    pub const fn with_subscriptions(mut self, subscriptions: usize) -> Self {
        self.subscriptions = subscriptions;
        self
    }

    /// Sets [`Limits::result_bytes`].
    #[must_use]
    pub const fn with_result_bytes(mut self, result_bytes: usize) -> Self {
        self.result_bytes = result_bytes;
        self
    }

    /// Sets [`Limits::batch`].
    #[must_use]
    pub const fn with_batch(mut self, batch: usize) -> Self {
        self.batch = batch;
        self
    }
}

/// Counts what clients ask for against [`Limits`].
#[derive(Debug)]
pub(crate) struct Admission {
    in_flight: AtomicUsize,
    pub(crate) listen_requests: AtomicUsize,
    pub(crate) subscriptions: AtomicUsize,
    most: usize,
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

/// One call in flight; over when dropped.
pub(crate) struct Permit<'a>(&'a AtomicUsize);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Admission {
    pub(crate) fn new(limits: &Limits, now: Instant) -> Self {
        Self {
            in_flight: AtomicUsize::new(0),
            listen_requests: AtomicUsize::new(0),
            subscriptions: AtomicUsize::new(0),
            most: limits.calls_in_flight,
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

    pub(crate) fn admit(&self, now: Instant) -> Result<Permit<'_>, Busy> {
        if let Some(bucket) = &self.bucket {
            lock(bucket).take(now)?;
        }
        let permit = Permit(&self.in_flight);
        if self.in_flight.fetch_add(1, Ordering::Relaxed) >= self.most {
            return Err(Busy::InFlight(self.most));
        }
        Ok(permit)
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
    fn a_call_too_many_is_busy_until_one_ends() {
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
