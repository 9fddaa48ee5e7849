//! Access tokens that an OAuth 2.1 authorization server issues: JWT (RFC 9068), verified with the server's own keys.

mod claims;
mod discovery;
mod fault;
mod jwt;
mod keys;

use std::time::SystemTime;

use mcp_http::{TokenVerifier, VerifyError};
use mcp_server::{AuthInfo, BoxFuture};
use tokio_util::sync::CancellationToken;

use claims::Expected;
use discovery::Discovery;
pub use discovery::{IssuerBuildError, IssuerUrl};
use fault::TokenFault;
use jwt::Head;
use keys::Keys;

/// An authorization server that issues access tokens for this server.
///
/// The server's keys are discovered through its metadata, and refreshed while [`run`](Self::run) runs.
#[derive(Debug)]
pub struct Issuer {
    discovery: Discovery,
    keys: Keys,
    expected: Expected,
}

impl Issuer {
    /// Creates a verifier for tokens from the server at `issuer`.
    ///
    /// A token must be meant for one of `audiences`, or for one of the endpoint URLs. The first endpoint covers the others.
    /// Requests for the keys carry `user_agent`.
    ///
    /// # Errors
    /// Returns an error if there are no trusted root certificates.
    pub fn new(
        issuer: &IssuerUrl,
        audiences: &[String],
        endpoints: Vec<String>,
        user_agent: &str,
    ) -> Result<Self, IssuerBuildError> {
        Ok(Self {
            discovery: Discovery::new(issuer, user_agent)?,
            keys: Keys::default(),
            expected: Expected::new(issuer.as_str(), audiences, endpoints),
        })
    }

    /// Sets the scopes that this server recognizes.
    ///
    /// Microsoft Entra ID writes `read` into a token for the scope `api://ID/read`. With this setting, such a token is granted the
    /// full scope.
    #[must_use]
    pub fn with_expanded_scopes(mut self, scopes: Vec<String>) -> Self {
        self.expected = self.expected.with_expanded_scopes(scopes);
        self
    }

    /// Keeps the keys current until `stop` is cancelled.
    pub async fn run(&self, stop: &CancellationToken) {
        self.keys.run(|| self.discovery.keys(), stop).await;
    }
}

impl TokenVerifier for Issuer {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>> {
        Box::pin(async move {
            let head = Head::read(token)?;
            let found = self.keys.find(&head).await;
            let found = found.map_err(|err| VerifyError::Unavailable(err.into()))?;
            let key = found.ok_or_else(|| TokenFault::UnknownKey(head.key_name()))?;
            let claims = head.claims(token, &key)?;
            Ok(self.expected.grant(claims, SystemTime::now())?)
        })
    }
}
