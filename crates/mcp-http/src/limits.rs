//! The bounds on what a peer can make the server store or wait for.

use std::time::Duration;

mcp_protocol::setters! {
    /// The bounds on what a peer can make this server store or wait for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct HttpLimits {
        /// The largest request body, in bytes. A larger one is answered with 413.
        // The limit of the official SDKs.
        body_bytes: usize = 4 << 20, with_body_bytes;
        /// The largest request head, in bytes of all header names and values. A larger one is answered with 431.
        // Room for the cookies that a browser sends to `localhost`.
        header_bytes: usize = 16 << 10, with_header_bytes;
        /// The longest request target, in bytes. A longer one is answered with 414.
        target_bytes: usize = 4 << 10, with_target_bytes;
        /// The most open connections. A further one replaces one of the address with most of them: the one whose peer has
        /// been idle for longest, between requests, while sending one, or before reading its response. While none is
        /// idle, it waits to be accepted.
        // Half of the usual 1,024 file descriptors: tools open connections too.
        connections: usize = 512, with_connections;
        /// How long a head may take from its first byte to its last. Then the connection is closed.
        header_timeout: Duration = Duration::from_secs(10), with_header_timeout;
        /// How long a whole body may take. Then the request is answered with 408.
        body_timeout: Duration = Duration::from_secs(30), with_body_timeout;
        /// How long a connection may stay without a request. Then it is closed.
        // Longer than common clients keep an idle connection (90 s), so that the client closes it.
        idle_timeout: Duration = Duration::from_secs(120), with_idle_timeout;
        /// The same for a connection that has not had a request yet, if that is less.
        // Clients connect when they have something to ask. A system that is short of room for new connections may
        // hand over some whose clients have left already, and no one says so.
        first_request_timeout: Duration = Duration::from_secs(30), with_first_request_timeout;
        /// How long a peer may leave a response unread. Then the connection is closed.
        write_timeout: Duration = Duration::from_secs(30), with_write_timeout;
        /// The most open streams that have no end of their own: those of sessions, and `subscriptions/listen`. A further one
        /// ends the oldest of the [`Client`](mcp_server::Client) with most of them.
        // Half of the connections, so that requests always find one.
        streams: usize = 256, with_streams;
        /// The same of one client. A further one ends its oldest.
        // A user with many windows.
        streams_per_client: usize = 128, with_streams_per_client;
        /// The most sessions of an endpoint whose server needs them. A further one ends a session of the
        /// [`Client`](mcp_server::Client) with most of them, the one that has been idle for longest.
        sessions: usize = 1_024, with_sessions;
        /// How long a session may stay idle. Then it ends.
        // Outlasts a lunch break; a client whose session has ended initializes a new one.
        session_timeout: Duration = Duration::from_secs(2 * 3_600), with_session_timeout;
        /// How long a request in a session goes on after its client has disconnected without having been told to. Without a
        /// session its answer could not be fetched, and it ends at once.
        // A client that lost its network is back by then.
        abandoned_timeout: Duration = Duration::from_secs(10), with_abandoned_timeout;
        /// How long requests in flight may go on once the server is stopped. Then each is answered with an error.
        // Longer than a call may take, so that each is answered.
        drain_timeout: Duration = Duration::from_secs(60), with_drain_timeout;
    }
}
