//! What one server lets its clients ask for at once.

use std::{
    num::NonZeroU32,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// Bounds on tool calls. A call beyond them is answered with `isError` and what to do, never with a
/// transport error: clients hang on those or tear the session down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Calls in flight at once, over all clients.
    pub calls_in_flight: usize,
    /// Calls per second over all clients, with bursts of as many; `None` is no limit.
    pub calls_per_second: Option<NonZeroU32>,
    /// How long one call may take.
    pub call_deadline: Duration,
    /// How long a client may take to answer what a call asks it; the call's own deadline waits.
    pub client_deadline: Duration,
    /// Subscriptions open at once, over all clients.
    pub subscriptions: usize,
    /// Resources that one session, or one subscription, may watch.
    pub watches_per_client: usize,
    /// Resources watched at once, over all clients, each counted once for each client.
    pub watches: usize,
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
            subscriptions: 256,
            // More than a model can keep in mind.
            watches_per_client: 64,
            watches: 4_096,
            // Far above what any host shows its model.
            result_bytes: 8 << 20,
            batch: 50,
        }
    }
}

/// Counts what clients ask for against [`Limits`].
#[derive(Debug)]
pub(crate) struct Gate {
    in_flight: AtomicUsize,
    /// Subscriptions that are open.
    pub(crate) listening: AtomicUsize,
    /// Resources that are watched.
    pub(crate) watches: AtomicUsize,
    most: usize,
    bucket: Option<Mutex<Bucket>>,
}

#[derive(Debug)]
struct Bucket {
    per_second: f64,
    tokens: f64,
    filled: Instant,
}

/// Why a call was not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Busy {
    InFlight(usize),
    Rate(u32),
}

/// One call under way; leaves when dropped.
pub(crate) struct Pass<'a>(&'a AtomicUsize);

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Gate {
    pub(crate) fn new(limits: &Limits, now: Instant) -> Self {
        Self {
            in_flight: AtomicUsize::new(0),
            listening: AtomicUsize::new(0),
            watches: AtomicUsize::new(0),
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

    pub(crate) fn enter(&self, now: Instant) -> Result<Pass<'_>, Busy> {
        if let Some(bucket) = &self.bucket {
            // Poisoned or not, the numbers are valid at every step.
            let mut bucket = bucket.lock().unwrap_or_else(PoisonError::into_inner);
            bucket.take(now)?;
        }
        let pass = Pass(&self.in_flight);
        if self.in_flight.fetch_add(1, Ordering::Relaxed) >= self.most {
            return Err(Busy::InFlight(self.most));
        }
        Ok(pass)
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
    fn a_call_too_many_is_busy_until_one_leaves() {
        let limits = Limits {
            calls_in_flight: 1,
            ..Limits::default()
        };
        let now = Instant::now();
        let gate = Gate::new(&limits, now);
        let first = gate.enter(now).ok();
        assert_eq!(gate.enter(now).err(), Some(Busy::InFlight(1)));
        drop(first);
        assert!(gate.enter(now).is_ok());
    }

    #[test]
    fn the_rate_refills_with_time() {
        let limits = Limits {
            calls_per_second: NonZeroU32::new(2),
            ..Limits::default()
        };
        let now = Instant::now();
        let gate = Gate::new(&limits, now);
        assert!(gate.enter(now).is_ok());
        assert!(gate.enter(now).is_ok());
        assert_eq!(gate.enter(now).err(), Some(Busy::Rate(2)));
        assert!(gate.enter(now + Duration::from_millis(500)).is_ok());
    }
}
