//! The bounds on one stream.

use std::time::Duration;

mcp_protocol::setters! {
    /// The bounds on one stream.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct StdioLimits {
        /// The longest line, in bytes. A longer one is skipped and answered with an error.
        line_bytes: usize = 4 << 20, with_line_bytes;
        /// The most requests in flight. Nothing is read until one of them ends.
        // More than the calls that a server runs at once, so that pings and cancellations are still read.
        requests_in_flight: usize = 512, with_requests_in_flight;
        /// How long requests in flight may go on after the end of the input, or once the server is stopped. Then each is
        /// answered with an error. A client that meanwhile reads nothing for four seconds is not waited for.
        // Longer than a call may take, so that each is answered. A host that does not want to wait sends a signal.
        grace_period: Duration = Duration::from_secs(60), with_grace_period;
    }
}
