//! The shutdown of a transport: its request and its report.

use tokio_util::sync::CancellationToken;

/// A request to stop a transport in two stages: first finish the work in progress, then abort it if that takes too
/// long.
///
/// A [`CancellationToken`] converts into a `ShutdownToken`. Cancelling the token starts the first stage. Clones
/// represent the same request.
///
/// ```
/// use mcp_server::ShutdownToken;
///
/// let stop = ShutdownToken::new();
/// let of_signals = stop.clone();
/// // `serve` of a transport takes `stop`. On the first signal, what is in progress is finished:
/// of_signals.escalate();
/// assert!(stop.drain_token().is_cancelled() && !stop.abort_token().is_cancelled());
/// // On the second it is ended:
/// of_signals.escalate();
/// assert!(stop.abort_token().is_cancelled());
/// ```
#[derive(Debug, Clone, Default)]
pub struct ShutdownToken {
    finish: CancellationToken,
    end: CancellationToken,
}

impl ShutdownToken {
    /// Creates a shutdown that has not been requested yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops accepting new requests. Requests in progress may finish within the limits of the transport.
    pub fn start_draining(&self) {
        self.finish.cancel();
    }

    /// Stops immediately. Requests in progress get an error response.
    pub fn abort(&self) {
        self.end.cancel();
        self.finish.cancel();
    }

    /// Calls [`drain`](Self::start_draining) the first time and [`abort`](Self::abort) after that. Suitable for signal handlers.
    pub fn escalate(&self) {
        if self.finish.is_cancelled() {
            self.abort();
        } else {
            self.start_draining();
        }
    }

    /// Returns the token for draining. It is cancelled by the first stage.
    #[must_use]
    pub fn drain_token(&self) -> &CancellationToken {
        &self.finish
    }

    /// Returns the token for aborting. It is cancelled by the second stage.
    #[must_use]
    pub fn abort_token(&self) -> &CancellationToken {
        &self.end
    }
}

impl From<CancellationToken> for ShutdownToken {
    fn from(finish: CancellationToken) -> Self {
        Self {
            finish,
            end: CancellationToken::new(),
        }
    }
}

/// A report on the end of serving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ShutdownReport {
    /// The number of accepted but unfinished requests. They got an error response, or none if the client did not read
    /// it.
    pub unfinished: usize,
}

impl ShutdownReport {
    /// Sets the number of accepted but unfinished requests. Transports call this.
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
        let stop = ShutdownToken::new();
        assert!(!stop.drain_token().is_cancelled());
        stop.escalate();
        assert!(stop.drain_token().is_cancelled() && !stop.abort_token().is_cancelled());
        stop.escalate();
        assert!(stop.abort_token().is_cancelled());
    }
}
