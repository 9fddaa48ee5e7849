//! How a transport is asked to stop, and what stopping cost.

use tokio_util::sync::CancellationToken;

/// Asks a transport to stop: first to finish what is in progress, and then, if that takes too long, to end it.
///
/// A [`CancellationToken`] becomes one that finishes what is in progress. Clones are the same request.
///
/// ```
/// use mcp_server::StagedShutdown;
///
/// let stop = StagedShutdown::new();
/// let of_signals = stop.clone();
/// // `serve` of a transport takes `stop`. On the first signal, what is in progress is finished:
/// of_signals.escalate();
/// assert!(stop.draining().is_cancelled() && !stop.aborting().is_cancelled());
/// // On the second it is ended:
/// of_signals.escalate();
/// assert!(stop.aborting().is_cancelled());
/// ```
#[derive(Debug, Clone, Default)]
pub struct StagedShutdown {
    finish: CancellationToken,
    end: CancellationToken,
}

impl StagedShutdown {
    /// A stop that has not been asked for yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to accept nothing more, and to finish the requests in progress within the limits of the transport.
    pub fn drain(&self) {
        self.finish.cancel();
    }

    /// Asks to end at once: requests in progress are answered with an error.
    pub fn abort(&self) {
        self.end.cancel();
        self.finish.cancel();
    }

    /// Asks to stop, and if that has been asked before, to end at once: what a signal does.
    pub fn escalate(&self) {
        if self.finish.is_cancelled() {
            self.abort();
        } else {
            self.drain();
        }
    }

    /// Cancelled when the transport is to finish.
    #[must_use]
    pub fn draining(&self) -> &CancellationToken {
        &self.finish
    }

    /// Cancelled when the transport is to end at once.
    #[must_use]
    pub fn aborting(&self) -> &CancellationToken {
        &self.end
    }
}

impl From<CancellationToken> for StagedShutdown {
    fn from(finish: CancellationToken) -> Self {
        Self {
            finish,
            end: CancellationToken::new(),
        }
    }
}

/// How serving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ShutdownReport {
    /// The requests that were accepted and not finished: they were answered with an error, or not at all if their client
    /// did not read it.
    pub unfinished: usize,
}

impl ShutdownReport {
    /// For a transport: this many requests were accepted and not finished.
    #[must_use]
    pub const fn with_unfinished(mut self, unfinished: usize) -> Self {
        self.unfinished = unfinished;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_request_to_stop_ends_at_once() {
        let stop = StagedShutdown::new();
        assert!(!stop.draining().is_cancelled());
        stop.escalate();
        assert!(stop.draining().is_cancelled() && !stop.aborting().is_cancelled());
        stop.escalate();
        assert!(stop.aborting().is_cancelled());
    }
}
