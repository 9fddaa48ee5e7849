//! The configuration of the transport.

use std::sync::Arc;

use mcp_server::Server;

use crate::{Authorization, HttpLimits, HttpPage, PageAudience, TransportStats};

/// The endpoints, the allowed clients, and the limits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpConfig {
    /// The endpoints, each a path such as `/mcp` and its server. Several endpoints may share a server, whose
    /// [scope](mcp_server::ServerBuilder::list_variant) can distinguish them by [`Parts`](hyper::http::request::Parts).
    /// `/health` and all paths that contain `/.well-known/` are reserved.
    pub endpoints: Vec<(String, Arc<Server>)>,
    /// The host's pages, each with its path and visitors. A page at the path of an endpoint must be for browsers. It
    /// becomes the body of the error response to `GET` and `HEAD`, to explain the endpoint to a person.
    pub routes: Vec<(String, PageAudience, Arc<dyn HttpPage>)>,
    /// The access token requirements. `None` lets every client send messages.
    pub authorization: Option<Authorization>,
    /// The accepted hosts of requests, in addition to those of the loopback interface. `mcp.example.org` accepts any
    /// port, and `mcp.example.org:8443` only that port.
    pub allowed_hosts: Vec<String>,
    /// The origins whose web pages may call this server, such as `https://app.example.org`, in addition to those of the
    /// loopback interface. Responses to them have CORS headers.
    pub allowed_origins: Vec<String>,
    /// The networks of trusted proxies, such as `10.0.0.0/8`, `2001:db8::/32` or `127.0.0.1`. `unix` means every peer
    /// of a Unix socket. The server reads `Forwarded` and `X-Forwarded-For` headers only from these proxies, to
    /// determine the client's address.
    pub trusted_proxies: Vec<String>,
    /// The TLS configuration. `None` serves plain HTTP. A [`Service`](crate::Service) in a host's own HTTP server
    /// ignores it.
    #[cfg(feature = "tls")]
    pub tls: Option<crate::tls::Tls>,
    /// Limits on the resources a peer can occupy.
    pub limits: HttpLimits,
    /// The counters of open connections, streams and sessions. Pass a clone to read them.
    pub stats: TransportStats,
}

impl HttpConfig {
    /// Creates a configuration with one endpoint at `/mcp` and the default limits, which accepts only hosts and origins
    /// of the loopback interface.
    #[must_use]
    pub fn new(server: Arc<Server>) -> Self {
        Self::pages_only().with_additional_endpoint("/mcp", server)
    }

    /// Creates a configuration without endpoints, which serves only pages. Use it for an operator interface on a
    /// separate address.
    #[must_use]
    pub fn pages_only() -> Self {
        Self {
            endpoints: Vec::new(),
            routes: Vec::new(),
            authorization: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            trusted_proxies: Vec::new(),
            #[cfg(feature = "tls")]
            tls: None,
            limits: HttpLimits::default(),
            stats: TransportStats::default(),
        }
    }

    mcp_protocol::setters! {
        /// Adds an endpoint at another path.
        with_additional_endpoint(path: impl Into<String>, server: Arc<Server>) { endpoints.push((path.into(), server)) }
        /// Adds a page of the host.
        with_page(path: impl Into<String>, access: PageAudience, route: Arc<dyn HttpPage>) {
            routes.push((path.into(), access, route))
        }
        /// Sets the access token requirements.
        with_authorization(authorization: Authorization) { authorization = Some(authorization) }
        /// Adds an accepted host.
        with_allowed_host(host: impl Into<String>) { allowed_hosts.push(host.into()) }
        /// Adds an origin whose web pages may send requests.
        with_allowed_origin(origin: impl Into<String>) { allowed_origins.push(origin.into()) }
        /// Adds a network of trusted proxies, such as `10.0.0.0/8`.
        with_trusted_proxy(network: impl Into<String>) { trusted_proxies.push(network.into()) }
        /// Sets the TLS configuration.
        #[cfg(feature = "tls")]
        with_tls(tls: crate::tls::Tls) { tls = Some(tls) }
    }

    /// Sets the limits.
    #[must_use]
    pub const fn with_limits(mut self, limits: HttpLimits) -> Self {
        self.limits = limits;
        self
    }
}

/// An error in a configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The configuration has neither an endpoint nor a page.
    #[error("no endpoint is configured")]
    NoEndpoint,
    /// The path is not absolute, contains invalid characters, or is reserved. An endpoint and a page for everyone may
    /// not share a path either.
    #[error("invalid or reserved path {0:?}")]
    Path(String),
    /// Two endpoints, or two pages, have the same path.
    #[error("the path {0:?} is given more than once")]
    DuplicatePath(String),
    /// The string is not a host with an optional port.
    #[error("invalid host {0:?}, expected a name such as mcp.example.org or mcp.example.org:8443")]
    Host(String),
    /// The string is not a scheme, `://`, and a host with an optional port.
    #[error("invalid origin {0:?}, expected one such as https://app.example.org")]
    Origin(String),
    /// The string is neither a network nor an IP address.
    #[error(
        "invalid network {0:?}, expected one such as 10.0.0.0/8, 2001:db8::/32, 127.0.0.1 or unix"
    )]
    Proxy(String),
    /// The public URL has a path, there is no authorization server, a URL is invalid, or a scope is invalid.
    #[error("invalid public URL, authorization server or scope {0:?}")]
    Authorization(String),
}
