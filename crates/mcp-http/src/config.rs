//! The configuration of the transport.

use std::sync::Arc;

use mcp_server::Server;

use crate::{Authorization, HttpLimits, Route, RouteClientKind, TransportStats};

/// The endpoints, the allowed clients, and the limits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpConfig {
    /// The endpoints: each a path such as `/mcp`, and its server. Several may share a server, whose
    /// [scope](mcp_server::ServerBuilder::list_variant) then tells them apart by [`Parts`](hyper::http::request::Parts). `/health`
    /// and all paths that contain `/.well-known/` are reserved.
    pub endpoints: Vec<(String, Arc<Server>)>,
    /// The host's own pages: each a path, who is shown it, and the page. At the path of an endpoint it must be for
    /// browsers, and is the body of what `GET` and `HEAD` are refused with: a person reads there why.
    pub routes: Vec<(String, RouteClientKind, Arc<dyn Route>)>,
    /// Requires access tokens; `None` lets every client send messages.
    pub authorization: Option<Authorization>,
    /// The hosts, besides those of the loopback interface, that requests may be addressed to: `mcp.example.org`
    /// with any port, `mcp.example.org:8443` with that port only.
    pub allowed_hosts: Vec<String>,
    /// The origins, besides those of the loopback interface, whose web pages may call this server:
    /// `https://app.example.org`. Responses to them have CORS headers.
    pub allowed_origins: Vec<String>,
    /// The networks of proxies that say whom they pass requests on for, such as `10.0.0.0/8`, `2001:db8::/32` or
    /// `127.0.0.1`; `unix` is every peer of a Unix socket. Only their `Forwarded` and `X-Forwarded-For` headers are read.
    pub trusted_proxies: Vec<String>,
    /// The certificate to serve with; `None` serves plain HTTP. A [`Service`](crate::Service) in a host's own HTTP server
    /// does not use it.
    #[cfg(feature = "tls")]
    pub tls: Option<crate::tls::Tls>,
    /// The bounds on what a peer can make this server store or wait for.
    pub limits: HttpLimits,
    /// Where what is open is counted; pass a clone to read it.
    pub stats: TransportStats,
}

impl HttpConfig {
    /// Creates a configuration with one endpoint at `/mcp`, for hosts and origins of the loopback interface, with
    /// the default limits.
    #[must_use]
    pub fn new(server: Arc<Server>) -> Self {
        Self::routes_only().with_endpoint("/mcp", server)
    }

    /// Creates a configuration without an endpoint, for pages alone: what operators look at, on an address of its own.
    #[must_use]
    pub fn routes_only() -> Self {
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
        with_endpoint(path: impl Into<String>, server: Arc<Server>) { endpoints.push((path.into(), server)) }
        /// Adds a page of the host.
        with_route(path: impl Into<String>, access: RouteClientKind, route: Arc<dyn Route>) {
            routes.push((path.into(), access, route))
        }
        /// Requires access tokens.
        with_authorization(authorization: Authorization) { authorization = Some(authorization) }
        /// Allows requests to another host.
        with_allowed_host(host: impl Into<String>) { allowed_hosts.push(host.into()) }
        /// Allows requests from web pages of another origin.
        with_allowed_origin(origin: impl Into<String>) { allowed_origins.push(origin.into()) }
        /// Believes the proxies of another network, such as `10.0.0.0/8`.
        with_trusted_proxy(network: impl Into<String>) { trusted_proxies.push(network.into()) }
        /// Serves with a certificate.
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

/// Why a configuration is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// There is neither an endpoint nor a page.
    #[error("no endpoint is configured")]
    NoEndpoint,
    /// The path is not absolute, contains invalid characters, is reserved, or is that of an endpoint and of a page for
    /// everyone.
    #[error("invalid or reserved path {0:?}")]
    Path(String),
    /// Two endpoints, or two pages, have the same path.
    #[error("the path {0:?} is given more than once")]
    DuplicatePath(String),
    /// Not a host with an optional port.
    #[error("invalid host {0:?}, expected a name such as mcp.example.org or mcp.example.org:8443")]
    Host(String),
    /// Not a scheme, `://`, and a host with an optional port.
    #[error("invalid origin {0:?}, expected one such as https://app.example.org")]
    Origin(String),
    /// Neither a network nor an address.
    #[error(
        "invalid network {0:?}, expected one such as 10.0.0.0/8, 2001:db8::/32, 127.0.0.1 or unix"
    )]
    Proxy(String),
    /// A public URL with a path, no authorization server, one that is not a URL, or an invalid scope.
    #[error("invalid public URL, authorization server or scope {0:?}")]
    Authorization(String),
}
