//! Client authentication of HTTP servers, and host support for each method.

use serde::Deserialize;

/// The client authentication of an HTTP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpAuth {
    /// No authentication: every client with network access may call the server.
    Open,
    /// A token from the operator, in the `Authorization` request header.
    Token,
    /// Sign-in at an authorization server (OAuth).
    OAuth,
}

impl HttpAuth {
    /// All methods. The recommended one for a server on the internet comes first.
    pub const ALL: [Self; 3] = [Self::OAuth, Self::Token, Self::Open];
}

/// The steps to add a URL in a host's settings by hand.
#[derive(Debug, Deserialize)]
#[non_exhaustive]
pub struct ManualSetup {
    /// The steps for every server, one per line.
    pub add: String,
    /// The step for each authentication method. `None` if the host does not support it.
    open: Option<String>,
    token: Option<String>,
    oauth: Option<String>,
}

impl ManualSetup {
    /// Returns the step for a server with this authentication, or `None` if the host cannot connect to it.
    #[must_use]
    pub fn step_for_access(&self, access: HttpAuth) -> Option<&str> {
        match access {
            HttpAuth::Open => self.open.as_deref(),
            HttpAuth::Token => self.token.as_deref(),
            HttpAuth::OAuth => self.oauth.as_deref(),
        }
    }
}
