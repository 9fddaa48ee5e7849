//! Configuration of access tokens, and the trait for verifying them.

use std::{borrow::Cow, error::Error, fmt, sync::Arc};

use mcp_server::{AuthInfo, BoxFuture};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The access token requirements of a server.
///
/// The server reads tokens from the `Authorization` header only, and verifies them with every request. While a
/// long-lived stream is open (`subscriptions/listen`, or `GET`), it verifies the token every five seconds. The stream
/// ends when the token is rejected or cannot be verified.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Authorization {
    /// The source of tokens for clients. `None` if the operator issues them.
    pub protected_resource: Option<ProtectedResource>,
    /// The scopes required of every token.
    pub scopes: Vec<String>,
    /// Alternative scopes, each for a part of the server's functions. If there are any, a token must have at least one of
    /// them. If it has none, the challenge names the first one for the client to request.
    pub alternative_scopes: Vec<String>,
    /// The verifier of tokens.
    pub token_verifier: Arc<dyn TokenVerifier>,
}

/// The authorization servers that issue tokens for this server.
///
/// A request without a token gets a challenge with the URL of the metadata below `/.well-known/`, which lists these
/// servers (RFC 9728). A token must have been issued for the endpoint that receives it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProtectedResource {
    /// The public URL of this server without a path: `https://mcp.example.org`. This URL and the path of an endpoint
    /// form the resource that tokens are issued for (RFC 8707).
    pub public_url: String,
    /// The authorization servers, at least one, such as `https://auth.example.org`.
    pub authorization_servers: Vec<String>,
}

impl Authorization {
    /// Requires tokens issued by `authorization_server` for a server at `public_url`, with any scopes.
    #[must_use]
    pub fn new(
        public_url: impl Into<String>,
        authorization_server: impl Into<String>,
        token_verifier: Arc<dyn TokenVerifier>,
    ) -> Self {
        Self {
            protected_resource: Some(ProtectedResource {
                public_url: public_url.into(),
                authorization_servers: vec![authorization_server.into()],
            }),
            ..Self::preshared_tokens(token_verifier)
        }
    }

    /// Requires tokens issued by the operator.
    ///
    /// The server publishes nothing below `/.well-known/`. A host that found metadata there would start an
    /// authorization flow that could not complete. [`AuthInfo::audiences`] is ignored.
    #[must_use]
    pub fn preshared_tokens(token_verifier: Arc<dyn TokenVerifier>) -> Self {
        Self {
            protected_resource: None,
            scopes: Vec::new(),
            alternative_scopes: Vec::new(),
            token_verifier,
        }
    }

    /// Requires this token, which the operator issues, as with [`preshared`](Self::preshared_tokens) tokens. It grants
    /// `grant`.
    ///
    /// ```
    /// use mcp_http::{Authorization, AuthInfo};
    ///
    /// let token = "correct horse battery staple";
    /// let authorization = Authorization::single_token(token, AuthInfo::for_subject("alice").with_scope("read"));
    /// ```
    #[must_use]
    pub fn single_token(token: &str, grant: AuthInfo) -> Self {
        Self::preshared_tokens(Arc::new(FixedToken {
            sha256: Sha256::digest(token).into(),
            grant,
        }))
    }

    /// Adds an authorization server. This has no effect on [`preshared`](Self::preshared_tokens) tokens.
    #[must_use]
    pub fn with_authorization_server(mut self, url: impl Into<String>) -> Self {
        if let Some(issuers) = &mut self.protected_resource {
            issuers.authorization_servers.push(url.into());
        }
        self
    }

    mcp_protocol::setters! {
        /// Adds a scope required of every token.
        with_scope(scope: impl Into<String>) { scopes.push(scope.into()) }
        /// Adds an alternative scope. A token must have at least one of these.
        with_any_of_scope(scope: impl Into<String>) { alternative_scopes.push(scope.into()) }
    }
}

/// A verifier of access tokens, for example by signature or by introspection (RFC 7662).
pub trait TokenVerifier: fmt::Debug + Send + Sync {
    /// Returns the grant of a token.
    ///
    /// # Errors
    /// Returns an error with the reason if the token is not accepted. The server logs the reason and responds with 401.
    /// It responds with 503 if the token cannot be verified now, or if verification takes longer than ten seconds.
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>>;
}

/// An error verifying a token.
///
/// ```
/// use mcp_http::VerifyError;
///
/// let err = VerifyError::unknown_token();
/// assert_eq!(err.to_string(), "the token is unknown");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The token is forged, revoked or unknown. The reason is only logged, and the response directs the client to
    /// request a new token.
    #[error("{0}")]
    Invalid(Cow<'static, str>),
    /// The token has expired. The response directs the client to request a new token.
    #[error("the token has expired")]
    Expired,
    /// The token has a fault that every token from the same source has, such as another audience. The client receives
    /// the reason, and is not directed to request a new token.
    #[error("{0}")]
    Unsuitable(Cow<'static, str>),
    /// The token cannot be verified at the moment.
    #[error("the token cannot be verified now")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}

impl VerifyError {
    /// Creates the error for a token that is in no list.
    #[must_use]
    pub const fn unknown_token() -> Self {
        Self::Invalid(Cow::Borrowed("the token is unknown"))
    }
}

/// A fixed token. The comparison is of digests in constant time, so its duration reveals nothing about the token.
#[derive(Debug)]
struct FixedToken {
    sha256: [u8; 32],
    grant: AuthInfo,
}

impl TokenVerifier for FixedToken {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>> {
        let presented: [u8; 32] = Sha256::digest(token).into();
        let is_it = bool::from(self.sha256.ct_eq(&presented));
        let grant = is_it.then(|| self.grant.clone());
        Box::pin(std::future::ready(
            grant.ok_or(VerifyError::unknown_token()),
        ))
    }
}
