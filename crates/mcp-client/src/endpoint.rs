//! Endpoints of servers over HTTP.

use std::{fmt, sync::Arc};

use hyper::Uri;

use crate::{
    ClientError, TokenSource,
    token::{Authorization, bearer},
};

/// The URL of a server over HTTP, and its authorization.
#[derive(Clone)]
pub struct Endpoint {
    pub(crate) uri: Uri,
    pub(crate) authorization: Authorization,
}

impl Endpoint {
    /// Creates an endpoint from a URL such as `http://127.0.0.1:8000/mcp`.
    ///
    /// # Errors
    /// Returns [`ClientError::Url`] unless the URL is absolute, has the scheme `http` (or `https`, with the feature
    /// `tls`) and contains no user name.
    pub fn new(url: &str) -> Result<Self, ClientError> {
        let expected = "expected a URL such as http://127.0.0.1:8000/mcp";
        let uri: Uri = match url.parse() {
            Ok(uri) => uri,
            Err(why) => {
                return Err(ClientError::Url(format!(
                    "invalid URL {url:?}: {why}, {expected}"
                )));
            }
        };
        let authority = uri.authority().map_or("", |it| it.as_str());
        let problem = match uri.scheme_str() {
            _ if authority.contains('@') => {
                "pass a token with Endpoint::with_bearer, not in the URL"
            }
            Some("http") => return Ok(Self::of(uri)),
            Some("https") if cfg!(feature = "tls") => return Ok(Self::of(uri)),
            Some("https") => "https needs the feature `tls` of this crate",
            Some(_) | None => expected,
        };
        Err(ClientError::Url(problem.to_owned()))
    }

    fn of(uri: Uri) -> Self {
        Self {
            uri,
            authorization: Authorization::None,
        }
    }

    /// Sets an access token to send with each request (RFC 6750 §2.1).
    ///
    /// # Errors
    /// Returns [`ClientError::Url`] if the token has characters that are not allowed in a header.
    pub fn with_bearer(mut self, token: &str) -> Result<Self, ClientError> {
        let header = bearer(token).map_err(|why| ClientError::Url(why.to_owned()))?;
        self.authorization = Authorization::Header(header);
        Ok(self)
    }

    /// Sets a source of access tokens, for tokens that expire or depend on the request.
    #[must_use]
    pub fn with_token_source(mut self, source: impl TokenSource) -> Self {
        self.authorization = Authorization::Source(Arc::new(source));
        self
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("uri", &self.uri)
            .field(
                "has_token",
                &!matches!(self.authorization, Authorization::None),
            )
            .finish()
    }
}
