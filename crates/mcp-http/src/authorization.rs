//! The configuration of access tokens, and the verifier that the host supplies.

use std::{borrow::Cow, error::Error, fmt, sync::Arc};

use mcp_server::{AuthInfo, BoxFuture};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Requires an access token.
///
/// Tokens are read from the `Authorization` header only, and verified with every request. While a stream without an end of its
/// own is open (`subscriptions/listen`, or `GET`), its token is verified every five seconds, and the stream ends when it is
/// refused or cannot be verified.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Authorization {
    /// Where clients get a token; `None` if the operator hands tokens out.
    pub protected_resource: Option<ProtectedResource>,
    /// The scopes that every token must have.
    pub scopes: Vec<String>,
    /// Scopes of which a token must have one, if there are any: each is for a part of what the server does. A client whose
    /// token has none is told to ask for the first one.
    pub alternative_scopes: Vec<String>,
    /// Verifies the tokens.
    pub token_verifier: Arc<dyn TokenVerifier>,
}

/// The authorization servers that issue tokens for this server.
///
/// A request without a token is answered with a challenge that leads to the metadata below `/.well-known/`, which
/// name them (RFC 9728). A token must have been issued for the endpoint it is used at.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProtectedResource {
    /// The public URL of this server, without a path: `https://mcp.example.org`. Followed by the path of an
    /// endpoint it is the resource that tokens are issued for (RFC 8707).
    pub public_url: String,
    /// The authorization servers, at least one: `https://auth.example.org`.
    pub authorization_servers: Vec<String>,
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
            protected_resource: Some(ProtectedResource {
                public_url: public_url.into(),
                authorization_servers: vec![authorization_server.into()],
            }),
            ..Self::preshared_tokens(token_verifier)
        }
    }

    /// Requires tokens that the operator hands out.
    ///
    /// Nothing is published below `/.well-known/`: hosts that find metadata there start an authorization flow, which
    /// could not end. [`AuthInfo::audiences`] is not looked at.
    #[must_use]
    pub fn preshared_tokens(token_verifier: Arc<dyn TokenVerifier>) -> Self {
        Self {
            protected_resource: None,
            scopes: Vec::new(),
            alternative_scopes: Vec::new(),
            token_verifier,
        }
    }

    /// Requires this one token, which the operator hands out as [`preshared`](Self::preshared_tokens) ones are, for what `grant` says.
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

    /// Names another authorization server; without effect on [`preshared`](Self::preshared_tokens) tokens.
    #[must_use]
    pub fn with_authorization_server(mut self, url: impl Into<String>) -> Self {
        if let Some(issuers) = &mut self.protected_resource {
            issuers.authorization_servers.push(url.into());
        }
        self
    }

    mcp_protocol::setters! {
        /// Requires a scope.
        with_scope(scope: impl Into<String>) { scopes.push(scope.into()) }
        /// Adds a scope of which a token must have one.
        with_alternative_scope(scope: impl Into<String>) { alternative_scopes.push(scope.into()) }
    }
}

/// Verifies access tokens, by their signature or by introspection (RFC 7662).
pub trait TokenVerifier: fmt::Debug + Send + Sync {
    /// Returns the grant of a token.
    ///
    /// # Errors
    /// Fails if the token is not accepted, with the reason, which is logged. The response is 401, or 503 if the token cannot
    /// be verified now or this takes longer than ten seconds.
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>>;
}

/// The reason that a token is not accepted.
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
    /// The token is forged, revoked or unknown. Only the log has this reason: the client is asked to request a new token.
    #[error("{0}")]
    Invalid(Cow<'static, str>),
    /// The token has expired. The client is asked to request a new token.
    #[error("the token has expired")]
    Expired,
    /// Every token that the client gets in the same way has this fault, such as another audience. The client receives the
    /// reason, and is not asked to request a new token.
    #[error("{0}")]
    Unsuitable(Cow<'static, str>),
    /// The token cannot be verified now.
    #[error("the token cannot be verified now")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}

impl VerifyError {
    /// Creates the error of a token that is in no list.
    #[must_use]
    pub const fn unknown_token() -> Self {
        Self::Invalid(Cow::Borrowed("the token is unknown"))
    }
}

/// One token. Digests are compared, in constant time, so that the time it takes tells nothing of it.
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
