//! What a host decides: where to listen for messages, whom to believe, and how much to take.

use std::{fmt::Debug, sync::Arc, time::Duration};

use hyper::HeaderMap;
use mcp_server::Server;

use crate::authorization::Authorization;

/// What to serve, to whom, and within which bounds.
#[derive(Debug, Clone)]
pub struct Config {
    /// The endpoints: a path such as `/mcp`, and what answers there. `/health` is taken, and so is
    /// everything with `/.well-known/` in it.
    pub endpoints: Vec<(String, Arc<Server>)>,
    /// Chooses among more servers than there are paths.
    pub variants: Option<Arc<dyn Variants>>,
    /// Who may send messages; everyone who reaches the endpoints if there is none.
    pub authorization: Option<Authorization>,
    /// Host names, besides those of the loopback interface, under which this server may be addressed:
    /// `mcp.example.org` with any port, `mcp.example.org:8443` with that one.
    pub allowed_hosts: Vec<String>,
    /// Origins, besides those of the loopback interface, whose pages may call this server:
    /// `https://app.example.org`. They get the CORS headers a browser asks for.
    pub allowed_origins: Vec<String>,
    /// Bounds on what a peer can make this server hold or wait for.
    pub limits: Limits,
}

impl Config {
    /// One endpoint at `/mcp`, for the loopback interface, with the default limits.
    #[must_use]
    pub fn new(server: Arc<Server>) -> Self {
        Self {
            endpoints: vec![("/mcp".to_owned(), server)],
            variants: None,
            authorization: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            limits: Limits::default(),
        }
    }
}

/// Lets clients choose by headers what an endpoint offers them, say by the tools it lists.
pub trait Variants: Debug + Send + Sync {
    /// The server for a message that came to the endpoint at `path` with these headers; `None` for the
    /// endpoint's own. All that one endpoint can lead to should need sessions, or none.
    ///
    /// Errors with why the headers cannot be followed, which is told to the client with 400.
    fn variant(&self, path: &str, headers: &HeaderMap) -> Result<Option<Arc<Server>>, String>;
}

/// Bounds on what a peer can make this server hold or wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest request body, in bytes; more is 413.
    pub body_bytes: usize,
    /// The largest request head, in bytes, over all names and values; more is 431.
    pub header_bytes: usize,
    /// The longest request target, in bytes; more is 414.
    pub target_bytes: usize,
    /// Connections at once. One more takes the place of the one whose peer has been silent for the longest
    /// time, be it between requests, within one, or before it takes its answer. While nobody is silent it waits:
    /// it is neither accepted nor refused.
    pub connections: usize,
    /// How long a head may take from its first byte to its last; then the connection ends.
    pub header_timeout: Duration,
    /// How long a whole body may take; then 408.
    pub body_timeout: Duration,
    /// How long a connection may stay without a request; then it ends.
    pub idle_timeout: Duration,
    /// How long a peer may leave an answer unread; then the connection ends.
    pub write_timeout: Duration,
    /// Sessions at once, for a server that needs any; one more ends the one unused for longest.
    pub sessions: usize,
    /// How long a session may stay unused; then it ends.
    pub session_timeout: Duration,
    /// How long requests in flight may go on once the server is told to stop.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // The limit of the official SDKs.
            body_bytes: 4 << 20,
            // Room for cookies that a browser sends along to a loopback name.
            header_bytes: 16 << 10,
            target_bytes: 4 << 10,
            // Half of the usual 1,024 descriptors: tools open connections too.
            connections: 512,
            sessions: 1_024,
            // A person comes back after lunch, and a client that does not know opens a new one.
            session_timeout: Duration::from_secs(2 * 3_600),
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            // Longer than common clients keep an unused connection (90 s), so that it is they who close.
            idle_timeout: Duration::from_secs(120),
            write_timeout: Duration::from_secs(30),
            drain: Duration::from_secs(5),
        }
    }
}

/// A configuration that cannot be served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// There is nothing to serve.
    #[error("no endpoint is configured")]
    NoEndpoint,
    /// The path is not absolute, holds characters a path cannot, or is taken.
    #[error("{0:?} cannot be the path of an endpoint")]
    Path(String),
    /// Two endpoints share the path.
    #[error("the path {0:?} has two endpoints")]
    DuplicatePath(String),
    /// Not a host name with or without a port.
    #[error("{0:?} is not a host name with or without a port")]
    Host(String),
    /// Not a scheme, `://`, a host name, and a port if need be.
    #[error("{0:?} is not an origin such as https://app.example.org")]
    Origin(String),
    /// A public URL with a path, an issuer that is no URL or none at all, or a scope that is none.
    #[error("{0:?} cannot be part of an authorization")]
    Authorization(String),
}
