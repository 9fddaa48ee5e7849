//! The ways in which a server over HTTP admits clients, and the hosts that can take each.

use serde::Deserialize;

/// The way in which a server over HTTP admits clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpAuth {
    /// Every client that reaches the server may call.
    Open,
    /// Clients need a token that the operator issues, in the request header `Authorization`.
    Token,
    /// Clients sign in at an authorization server (OAuth).
    OAuth,
}

impl HttpAuth {
    /// All ways, the recommended one for a server on the internet first.
    pub const ALL: [Self; 3] = [Self::OAuth, Self::Token, Self::Open];
}

/// The steps by which a person adds a URL in the settings of a host.
#[derive(Debug, Deserialize)]
#[non_exhaustive]
pub struct ManualSetup {
    /// The steps for every server, one a line.
    pub add: String,
    /// The step for each way in; `None` if the host does not support it.
    open: Option<String>,
    token: Option<String>,
    oauth: Option<String>,
}

impl ManualSetup {
    /// Returns the step for a server with this access; `None` if the host cannot connect to it.
    #[must_use]
    pub fn step_for_access(&self, access: HttpAuth) -> Option<&str> {
        match access {
            HttpAuth::Open => self.open.as_deref(),
            HttpAuth::Token => self.token.as_deref(),
            HttpAuth::OAuth => self.oauth.as_deref(),
        }
    }
}
