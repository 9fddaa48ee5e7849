//! Limits on the resources a peer can occupy.

use std::time::Duration;

mcp_protocol::setters! {
    /// Limits on the resources a peer can occupy.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct HttpLimits {
        /// Maximum size of a request body, in bytes. Larger requests get a 413 response.
        // The limit of the official SDKs.
        body_bytes: usize = 4 << 20, with_body_bytes;
        /// Maximum size of a request head, in bytes of all header names and values. Larger requests get a 431 response.
        // Room for the cookies that a browser sends to `localhost`.
        header_bytes: usize = 16 << 10, with_header_bytes;
        /// Maximum length of a request target, in bytes. Longer ones get a 414 response.
        target_bytes: usize = 4 << 10, with_target_bytes;
        /// Maximum number of open connections.
        ///
        /// Beyond it, a new connection replaces an idle one from the address with the most connections: the one whose
        /// peer has been idle for longest, between requests, while sending one, or before reading its response. If none
        /// is idle, the new connection waits to be accepted.
        // Half of the usual 1,024 file descriptors, because tools open connections too.
        connections: usize = 512, with_connections;
        /// Time allowed for a request head, from its first byte to its last. The connection is then closed.
        header_timeout: Duration = Duration::from_secs(10), with_header_timeout;
        /// Time allowed for a complete request body. The request then gets a 408 response.
        body_timeout: Duration = Duration::from_secs(30), with_body_timeout;
        /// Time that a connection may stay open without a request. It is then closed.
        // Longer than common clients keep an idle connection (90 s), so the client closes it first.
        idle_timeout: Duration = Duration::from_secs(120), with_idle_timeout;
        /// The idle timeout of a connection before its first request, if that is shorter.
        // A client connects when it has a request. A system without room for new connections may deliver some whose
        // clients have already disconnected, without any notice.
        first_request_timeout: Duration = Duration::from_secs(30), with_first_request_timeout;
        /// Time that a peer may leave a response unread. The connection is then closed.
        write_timeout: Duration = Duration::from_secs(30), with_write_timeout;
        /// Maximum number of open long-lived streams: those of sessions, and `subscriptions/listen`. A further stream
        /// ends the oldest one of the [`Client`](mcp_server::Client) with the most streams.
        // Half of the connections, so one is always available for requests.
        streams: usize = 256, with_streams;
        /// Maximum number of such streams of one client. A further stream ends the client's oldest one.
        // Enough for a user with many windows.
        streams_per_client: usize = 128, with_streams_per_client;
        /// Maximum number of sessions of an endpoint whose server needs them. A further session ends the longest idle
        /// one of the [`Client`](mcp_server::Client) with the most sessions.
        sessions: usize = 1_024, with_sessions;
        /// Time that a session may stay idle before it ends.
        // Longer than a lunch break. A client whose session has ended initializes a new one.
        session_timeout: Duration = Duration::from_secs(2 * 3_600), with_session_timeout;
        /// Time that a request in a session may continue after its client has disconnected without being released. A
        /// request outside of a session ends immediately, because its response could not be fetched.
        // Time for a client to reconnect after a network failure.
        abandoned_timeout: Duration = Duration::from_secs(10), with_abandoned_timeout;
        /// Time allowed for requests in flight after the server has been stopped. Each remaining request then gets an
        /// error response.
        // Longer than a call may take, so each gets its response.
        drain_timeout: Duration = Duration::from_secs(60), with_drain_timeout;
    }
}
