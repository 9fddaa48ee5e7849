//! The bounds on what a peer can make the server store or wait for.

use std::time::Duration;

/// The bounds on what a peer can make this server store or wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest request body, in bytes. A larger one is answered with 413.
    pub body_bytes: usize,
    /// The largest request head, in bytes of all header names and values. A larger one is answered with 431.
    pub header_bytes: usize,
    /// The longest request target, in bytes. A longer one is answered with 414.
    pub target_bytes: usize,
    /// The most open connections. A further one replaces one of the address with most of them: the one whose peer has
    /// been idle for longest, between requests, while sending one, or before reading its response. While none is
    /// idle, it waits to be accepted.
    pub connections: usize,
    /// How long a head may take from its first byte to its last. Then the connection is closed.
    pub header_timeout: Duration,
    /// How long a whole body may take. Then the request is answered with 408.
    pub body_timeout: Duration,
    /// How long a connection may stay without a request. Then it is closed.
    pub idle_timeout: Duration,
    /// The same for a connection that has not had a request yet, if that is less.
    pub first_request_timeout: Duration,
    /// How long a peer may leave a response unread. Then the connection is closed.
    pub write_timeout: Duration,
    /// The most open streams that have no end of their own: those of sessions, and `subscriptions/listen`. A further one
    /// ends the oldest of the [`Client`](mcp_server::Client) with most of them.
    pub streams: usize,
    /// The same of one client. A further one ends its oldest.
    pub streams_per_client: usize,
    /// The most sessions of an endpoint whose server needs them. A further one ends a session of the
    /// [`Client`](mcp_server::Client) with most of them, the one that has been idle for longest.
    pub sessions: usize,
    /// How long a session may stay idle. Then it ends.
    pub session_timeout: Duration,
    /// How long a request in a session goes on after its client has disconnected without having been told to. Without a
    /// session its answer could not be fetched, and it ends at once.
    pub abandoned_timeout: Duration,
    /// How long requests in flight may go on once the server is stopped. Then each is answered with an error.
    pub drain: Duration,
}

impl Limits {
    mcp_protocol::setters! { of Limits:
        with_body_bytes(body_bytes: usize),
        with_header_bytes(header_bytes: usize),
        with_target_bytes(target_bytes: usize),
        with_connections(connections: usize),
        with_header_timeout(header_timeout: Duration),
        with_body_timeout(body_timeout: Duration),
        with_idle_timeout(idle_timeout: Duration),
        with_first_request_timeout(first_request_timeout: Duration),
        with_write_timeout(write_timeout: Duration),
        with_streams(streams: usize),
        with_streams_per_client(streams_per_client: usize),
        with_sessions(sessions: usize),
        with_session_timeout(session_timeout: Duration),
        with_abandoned_timeout(abandoned_timeout: Duration),
        with_drain(drain: Duration),
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // The limit of the official SDKs.
            body_bytes: 4 << 20,
            // Room for the cookies that a browser sends to `localhost`.
            header_bytes: 16 << 10,
            target_bytes: 4 << 10,
            // Half of the usual 1,024 file descriptors: tools open connections too.
            connections: 512,
            // Half of the connections, so that requests always find one.
            streams: 256,
            // A user with many windows.
            streams_per_client: 128,
            sessions: 1_024,
            // Outlasts a lunch break; a client whose session has ended initializes a new one.
            session_timeout: Duration::from_secs(2 * 3_600),
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            // Longer than common clients keep an idle connection (90 s), so that the client closes it.
            idle_timeout: Duration::from_secs(120),
            // Clients connect when they have something to ask. A system that is short of room for new connections may
            // hand over some whose clients have left already, and no one says so.
            first_request_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            // A client that lost its network is back by then.
            abandoned_timeout: Duration::from_secs(10),
            // Longer than a call may take, so that each is answered.
            drain: Duration::from_secs(60),
        }
    }
}
