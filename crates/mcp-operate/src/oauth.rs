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
pub use discovery::{IssuerError, IssuerUrl};
use fault::TokenFault;
use jwt::Head;
use keys::Keys;

/// The authorization server that issues tokens for this one.
///
/// Its keys are found by its metadata, and kept current while [`run`](Self::run) does.
#[derive(Debug)]
pub struct Issuer {
    discovery: Discovery,
    keys: Keys,
    expected: Expected,
}

impl Issuer {
    /// Creates the verifier of tokens from the server at a URL, for `audiences`, or for the endpoints by their URLs, of which
    /// the first covers the others. Requests for its keys carry `user_agent`.
    ///
    /// # Errors
    /// Fails if there are no certificates to trust.
    pub fn new(
        issuer: &IssuerUrl,
        audiences: &[String],
        endpoints: Vec<String>,
        user_agent: &str,
    ) -> Result<Self, IssuerError> {
        Ok(Self {
            discovery: Discovery::new(issuer, user_agent)?,
            keys: Keys::default(),
            expected: Expected::new(issuer.as_str(), audiences, endpoints),
        })
    }

    /// Sets the scopes that this server distinguishes: Microsoft Entra ID writes `read` into a token for the scope
    /// `api://ID/read`, which is granted then.
    #[must_use]
    pub fn with_full_scope_names(mut self, scopes: Vec<String>) -> Self {
        self.expected = self.expected.with_full_scope_names(scopes);
        self
    }

    /// Keeps its keys current until `stop`.
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
