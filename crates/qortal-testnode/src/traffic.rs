//! The requests of a node: a journal, the faults they meet, and those that nothing should have sent.

use std::time::Duration;

use crate::{Exchange, Fault, fault::Faults, journal::Journal};

/// Journal of the requests, and settings for answering them.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    pub(crate) faults: Faults,
    pub(crate) journal: Journal,
    /// Delay of each answer.
    pub(crate) latency: Duration,
    /// Whether unexpected requests are remembered.
    pub(crate) is_strict: bool,
    pub(crate) unexpected: Vec<String>,
}

/// Maximum number of unexpected requests that are remembered.
const UNEXPECTED_KEPT: usize = 100;

impl Traffic {
    /// Adds a request to the journal. Returns its place there, the fault it meets, and the delay of its answer.
    pub(crate) fn arrive(
        &mut self,
        path: &str,
        exchange: Exchange,
    ) -> (u64, Option<Fault>, Duration) {
        let place = self.journal.add(exchange);
        (place, self.faults.take(path), self.latency)
    }

    /// Remembers an unexpected request, or another failure, of a strict node.
    pub(crate) fn report(&mut self, unexpected: String) {
        if self.is_strict && self.unexpected.len() < UNEXPECTED_KEPT {
            self.unexpected.push(unexpected);
        }
    }
}
