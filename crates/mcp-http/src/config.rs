//! The configuration of the transport.

use std::{sync::Arc, time::Duration};

use mcp_server::Server;

use crate::authorization::Authorization;

/// The endpoints, the allowed clients, and the limits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The endpoints: each a path such as `/mcp`, and its server. Several may share a server, whose
    /// [scope](mcp_server::Builder::scope) then tells them apart by [`Parts`](hyper::http::request::Parts). `/health`
    /// and all paths that contain `/.well-known/` are reserved.
    pub endpoints: Vec<(String, Arc<Server>)>,
    /// Requires access tokens; `None` lets every client send messages.
    pub authorization: Option<Authorization>,
    /// The hosts, besides those of the loopback interface, that requests may be addressed to: `mcp.example.org`
    /// with any port, `mcp.example.org:8443` with that port only.
    pub allowed_hosts: Vec<String>,
    /// The origins, besides those of the loopback interface, whose web pages may call this server:
    /// `https://app.example.org`. Responses to them have CORS headers.
    pub allowed_origins: Vec<String>,
    /// The bounds on what a peer can make this server store or wait for.
    pub limits: Limits,
}

impl Config {
    /// Creates a configuration with one endpoint at `/mcp`, for hosts and origins of the loopback interface, with
    /// the default limits.
    #[must_use]
    pub fn new(server: Arc<Server>) -> Self {
        Self {
            endpoints: vec![("/mcp".to_owned(), server)],
            authorization: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Adds an endpoint at another path.
    #[must_use]
    pub fn with_endpoint(mut self, path: impl Into<String>, server: Arc<Server>) -> Self {
        self.endpoints.push((path.into(), server));
        self
    }

    /// Requires access tokens.
    #[must_use]
    pub fn with_authorization(mut self, authorization: Authorization) -> Self {
        self.authorization = Some(authorization);
        self
    }

    /// Allows requests to another host.
    #[must_use]
    pub fn with_allowed_host(mut self, host: impl Into<String>) -> Self {
        self.allowed_hosts.push(host.into());
        self
    }

    /// Allows requests from web pages of another origin.
    #[must_use]
    pub fn with_allowed_origin(mut self, origin: impl Into<String>) -> Self {
        self.allowed_origins.push(origin.into());
        self
    }

    /// Sets the limits.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

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
    /// The most open connections. A further one replaces the connection whose peer has been idle for longest:
    /// between requests, while sending one, or before reading its response. While none is idle, it waits to be
    /// accepted.
    pub connections: usize,
    /// How long a head may take from its first byte to its last. Then the connection is closed.
    pub header_timeout: Duration,
    /// How long a whole body may take. Then the request is answered with 408.
    pub body_timeout: Duration,
    /// How long a connection may stay without a request. Then it is closed.
    pub idle_timeout: Duration,
    /// How long a peer may leave a response unread. Then the connection is closed.
    pub write_timeout: Duration,
    /// The most sessions of an endpoint whose server needs them. A further one ends the session that has been idle
    /// for longest.
    pub sessions: usize,
    /// How long a session may stay idle. Then it ends.
    pub session_timeout: Duration,
    /// How long requests in flight may go on once the server is stopped.
    pub drain: Duration,
}

impl Limits {
    /// Sets [`Limits::body_bytes`].
    #[must_use]
    pub const fn with_body_bytes(mut self, body_bytes: usize) -> Self {
        self.body_bytes = body_bytes;
        self
    }

    /// Sets [`Limits::header_bytes`].
    #[must_use]
    pub const fn with_header_bytes(mut self, header_bytes: usize) -> Self {
        self.header_bytes = header_bytes;
        self
    }

    /// Sets [`Limits::target_bytes`].
    #[must_use]
    pub const fn with_target_bytes(mut self, target_bytes: usize) -> Self {
        self.target_bytes = target_bytes;
        self
    }

    /// Sets [`Limits::connections`].
    #[must_use]
    pub const fn with_connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }

    /// Sets [`Limits::header_timeout`].
    #[must_use]
    pub const fn with_header_timeout(mut self, header_timeout: Duration) -> Self {
        self.header_timeout = header_timeout;
        self
    }

    /// Sets [`Limits::body_timeout`].
    #[must_use]
    pub const fn with_body_timeout(mut self, body_timeout: Duration) -> Self {
        self.body_timeout = body_timeout;
        self
    }

    /// Sets [`Limits::idle_timeout`].
    #[must_use]
    pub const fn with_idle_timeout(mut self, idle_timeout: Duration) -> Self {
        self.idle_timeout = idle_timeout;
        self
    }

    /// Sets [`Limits::write_timeout`].
    #[must_use]
    pub const fn with_write_timeout(mut self, write_timeout: Duration) -> Self {
        self.write_timeout = write_timeout;
        self
    }

    /// Sets [`Limits::sessions`].
    #[must_use]
    pub const fn with_sessions(mut self, sessions: usize) -> Self {
        self.sessions = sessions;
        self
    }

    /// Sets [`Limits::session_timeout`].
    #[must_use]
    pub const fn with_session_timeout(mut self, session_timeout: Duration) -> Self {
        self.session_timeout = session_timeout;
        self
    }

    /// Sets [`Limits::drain`].
    #[must_use]
    pub const fn with_drain(mut self, drain: Duration) -> Self {
        self.drain = drain;
        self
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
            sessions: 1_024,
            // Outlasts a lunch break; a client whose session has ended initializes a new one.
            session_timeout: Duration::from_secs(2 * 3_600),
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            // Longer than common clients keep an idle connection (90 s), so that the client closes it.
            idle_timeout: Duration::from_secs(120),
            write_timeout: Duration::from_secs(30),
            drain: Duration::from_secs(5),
        }
    }
}

/// Why a configuration is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// There is no endpoint.
    #[error("no endpoint is configured")]
    NoEndpoint,
    /// The path is not absolute, contains invalid characters, or is reserved.
    #[error("invalid or reserved endpoint path {0:?}")]
    Path(String),
    /// Two endpoints have the same path.
    #[error("the endpoint path {0:?} is given more than once")]
    DuplicatePath(String),
    /// Not a host with an optional port.
    #[error("invalid host {0:?}, expected a name such as mcp.example.org or mcp.example.org:8443")]
    Host(String),
    /// Not a scheme, `://`, and a host with an optional port.
    #[error("invalid origin {0:?}, expected one such as https://app.example.org")]
    Origin(String),
    /// A public URL with a path, no authorization server, one that is not a URL, or an invalid scope.
    #[error("invalid public URL, authorization server or scope {0:?}")]
    Authorization(String),
}
