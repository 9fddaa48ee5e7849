//! The current load and the rejected calls of a server, for metrics.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::limits::Busy;

/// The current load of a server, and the number of calls rejected since its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerStats {
    /// Calls in flight, including prompts, resource reads and completions.
    pub calls: usize,
    /// Active resource subscriptions.
    pub subscriptions: usize,
    /// The number of rejected calls by limit. Each limit has a short name.
    pub refused: [(&'static str, u64); 4],
}

/// The number of rejected calls, by [`Busy`].
#[derive(Debug, Default)]
pub(crate) struct Refused([AtomicU64; 4]);

impl Refused {
    const LIMITS: [&'static str; 4] = [
        "calls_in_flight",
        "calls_in_flight_per_client",
        "calls_per_second",
        "calls_per_client",
    ];

    pub(crate) fn count(&self, busy: Busy) {
        let Self([in_flight, client_in_flight, rate, client_rate]) = self;
        let counter = match busy {
            Busy::InFlight(_) => in_flight,
            Busy::ClientInFlight(_) => client_in_flight,
            Busy::Rate(_) => rate,
            Busy::ClientRate(_) => client_rate,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn counts(&self) -> [(&'static str, u64); 4] {
        let Self(counters) = self;
        let counts = counters.each_ref().map(|it| it.load(Ordering::Relaxed));
        let [a, b, c, d] = counts;
        let [of_a, of_b, of_c, of_d] = Self::LIMITS;
        [(of_a, a), (of_b, b), (of_c, c), (of_d, d)]
    }
}
