//! Limits on one stream.

use std::time::Duration;

mcp_protocol::setters! {
    /// Limits on one stream.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct StdioLimits {
        /// Maximum length of a line, in bytes. A longer line is skipped and gets an error response.
        line_bytes: usize = 4 << 20, with_line_bytes;
        /// Maximum number of requests in flight. Beyond it, the server stops reading until a request ends.
        // More than the calls that a server runs at once, so pings and cancellations are still read.
        requests_in_flight: usize = 512, with_requests_in_flight;
        /// Time allowed for requests in flight after the input has ended or the server has been stopped. Each remaining
        /// request then gets an error response. The server does not wait for a client that reads nothing for four
        /// seconds.
        // Longer than a call may take, so each gets its response. A host that does not want to wait sends a signal.
        grace_period: Duration = Duration::from_secs(60), with_grace_period;
    }
}
