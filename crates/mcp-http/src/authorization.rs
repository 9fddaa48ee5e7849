//! The configuration of access tokens, the verifier that the host supplies, and what a token grants.

use std::{error::Error, fmt, sync::Arc};

use mcp_protocol::Object;
use mcp_server::BoxFuture;

/// Requires an access token that was issued for this server.
///
/// A request without one is answered with a challenge that leads to the metadata below `/.well-known/`, which
/// name the authorization servers. Tokens are read from the `Authorization` header only, and verified with
/// every request.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Authorization {
    /// The public URL of this server, without a path: `https://mcp.example.org`. Followed by the path of an
    /// endpoint it is the resource that tokens are issued for (RFC 8707).
    pub public_url: String,
    /// The authorization servers, at least one: `https://auth.example.org`.
    pub authorization_servers: Vec<String>,
    /// The scopes that every token must have.
    pub scopes: Vec<String>,
    /// Verifies the tokens.
    pub token_verifier: Arc<dyn TokenVerifier>,
}

impl Authorization {
    /// Requires tokens for a server at `public_url` that `authorization_server` has issued, with any scopes.
    #[must_use]
    pub fn new(
        public_url: impl Into<String>,
        authorization_server: impl Into<String>,
        token_verifier: Arc<dyn TokenVerifier>,
    ) -> Self {
        Self {
            public_url: public_url.into(),
            authorization_servers: vec![authorization_server.into()],
            scopes: Vec::new(),
            token_verifier,
        }
    }

    /// Names another authorization server.
    #[must_use]
    pub fn with_authorization_server(mut self, url: impl Into<String>) -> Self {
        self.authorization_servers.push(url.into());
        self
    }

    /// Requires a scope.
    #[must_use]
    pub fn with_scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }
}

/// Verifies access tokens, by their signature or by introspection (RFC 7662).
pub trait TokenVerifier: fmt::Debug + Send + Sync {
    /// Returns what a token grants; `None` if it is forged, expired or unknown.
    ///
    /// # Errors
    /// Fails if the token cannot be verified now. The request is then answered with 503, as it is if this takes
    /// longer than ten seconds.
    fn verify<'a>(
        &'a self,
        token: &'a str,
    ) -> BoxFuture<'a, Result<Option<Grant>, Box<dyn Error + Send + Sync>>>;
}

/// What a token grants, and to whom.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Grant {
    /// The user or client it was issued to (`sub`), if it names one.
    pub subject: Option<String>,
    /// The resources it was issued for (`aud`); the URL of the endpoint must be among them.
    pub audiences: Vec<String>,
    /// The scopes it has (`scope`), with all that they imply.
    pub scopes: Vec<String>,
    /// All claims of the token, or of the introspection response, as far as the host needs them.
    pub claims: Object,
}

impl Grant {
    /// Creates a grant for a resource: the [`Authorization::public_url`] with the path of an endpoint.
    #[must_use]
    pub fn new(audience: impl Into<String>) -> Self {
        Self {
            audiences: vec![audience.into()],
            ..Self::default()
        }
    }

    /// Sets the user or client.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// Adds a resource.
    #[must_use]
    pub fn with_audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// Adds a scope.
    #[must_use]
    pub fn with_scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// Sets the claims.
    #[must_use]
    pub fn with_claims(mut self, claims: Object) -> Self {
        self.claims = claims;
        self
    }
}
