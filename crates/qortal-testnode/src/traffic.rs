//! Requests of a node: a journal, their faults, and the unexpected ones.

use std::time::Duration;

use crate::{Exchange, Fault, fault::Faults, journal::Journal};

/// Journal of the requests, and settings for their responses.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    pub(crate) faults: Faults,
    pub(crate) journal: Journal,
    /// Delay of each response.
    pub(crate) latency: Duration,
    /// Whether unexpected requests are recorded.
    pub(crate) is_strict: bool,
    pub(crate) unexpected: Vec<String>,
    /// Number of requests in progress, and its maximum.
    pub(crate) in_flight: usize,
    pub(crate) most_in_flight: usize,
}

/// Maximum number of recorded unexpected requests.
const UNEXPECTED_KEPT: usize = 100;

impl Traffic {
    /// Adds a request to the journal. Returns its index there, its fault, and the delay of its response.
    pub(crate) fn arrive(
        &mut self,
        path: &str,
        exchange: Exchange,
    ) -> (u64, Option<Fault>, Duration) {
        let place = self.journal.add(exchange);
        (place, self.faults.take(path), self.latency)
    }

    /// Counts the start of a request.
    pub(crate) fn begin(&mut self) {
        self.in_flight += 1;
        self.most_in_flight = self.most_in_flight.max(self.in_flight);
    }

    /// Counts the end of a request.
    pub(crate) fn end(&mut self) {
        self.in_flight -= 1;
    }

    /// Stores an unexpected request, or another failure, of a strict node.
    pub(crate) fn report(&mut self, unexpected: String) {
        if self.is_strict && self.unexpected.len() < UNEXPECTED_KEPT {
            self.unexpected.push(unexpected);
        }
    }
}
