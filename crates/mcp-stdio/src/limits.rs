//! The bounds on one stream.

use std::time::Duration;

/// The bounds on one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest line, in bytes. A longer one is skipped and answered with an error.
    pub line_bytes: usize,
    /// The most requests in flight. Nothing is read until one of them ends.
    pub in_flight: usize,
    /// How long requests in flight may go on after the end of the input, or once the server is stopped. Then each is
    /// answered with an error. A client that meanwhile reads nothing for four seconds is not waited for.
    pub grace: Duration,
}

impl Limits {
    mcp_protocol::setters! { of Limits:
        with_line_bytes(line_bytes: usize),
        with_in_flight(in_flight: usize),
        with_grace(grace: Duration),
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes: 4 << 20,
            // More than the calls that a server runs at once, so that pings and cancellations are still read.
            in_flight: 512,
            // Longer than a call may take, so that each is answered. A host that does not want to wait sends a signal.
            grace: Duration::from_secs(60),
        }
    }
}
