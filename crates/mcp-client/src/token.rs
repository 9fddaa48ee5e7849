//! Sources of access tokens.

use std::{error::Error, sync::Arc};

use hyper::header::HeaderValue;

use crate::{Challenge, ClientError, handler::BoxFuture};

/// A source of access tokens, for [`Endpoint::with_token_source`](crate::Endpoint::with_token_source).
///
/// Every request sends the token that [`TokenSource::token`] returns. If the endpoint responds with status 401 or 403,
/// the client calls it again with the [`Challenge`], and sends the request again with the new token.
///
/// ```
/// use std::{error::Error, sync::Mutex};
///
/// use mcp_client::{Challenge, TokenSource};
///
/// /// Keeps a token until the server rejects it.
/// struct Cached(Mutex<Option<String>>);
///
/// impl TokenSource for Cached {
///     async fn token(
///         &self,
///         challenge: Option<&Challenge>,
///     ) -> Result<Option<String>, Box<dyn Error + Send + Sync>> {
///         if let Some(challenge) = challenge {
///             let token = format!("a token with {:?}", challenge.scopes);
///             *self.0.lock().unwrap() = Some(token);
///         }
///         Ok(self.0.lock().unwrap().clone())
///     }
/// }
/// ```
pub trait TokenSource: Send + Sync + 'static {
    /// Returns the access token to send, or `None` to send none.
    ///
    /// A challenge means that the endpoint has just rejected the previous token. If the method then returns `None` or
    /// the same token, the request fails with [`ClientError::Status`]. The time this method takes counts toward
    /// [`ClientLimits::request_timeout`](crate::ClientLimits::request_timeout).
    ///
    /// # Errors
    /// Returns an error if no token can be obtained. The request then fails with [`ClientError::Token`].
    fn token(
        &self,
        challenge: Option<&Challenge>,
    ) -> impl Future<Output = Result<Option<String>, Box<dyn Error + Send + Sync>>> + Send;
}

/// A type-erased token source.
pub(crate) trait AnyTokenSource: Send + Sync {
    fn header<'a>(
        &'a self,
        challenge: Option<&'a Challenge>,
    ) -> BoxFuture<'a, Result<Option<HeaderValue>, ClientError>>;
}

impl<T: TokenSource> AnyTokenSource for T {
    fn header<'a>(
        &'a self,
        challenge: Option<&'a Challenge>,
    ) -> BoxFuture<'a, Result<Option<HeaderValue>, ClientError>> {
        Box::pin(async move {
            let token = self.token(challenge).await.map_err(ClientError::Token)?;
            let header = token.map(|it| bearer(&it)).transpose();
            header.map_err(|why| ClientError::Token(why.into()))
        })
    }
}

/// The authorization of requests.
#[derive(Clone, Default)]
pub(crate) enum Authorization {
    #[default]
    None,
    Header(HeaderValue),
    Source(Arc<dyn AnyTokenSource>),
}

impl Authorization {
    /// Returns the header of a request. After a challenge, it must differ from the previous header, or the request
    /// fails.
    pub(crate) async fn header(
        &self,
        challenge: Option<&Challenge>,
    ) -> Result<Option<HeaderValue>, ClientError> {
        match self {
            Self::None => Ok(None),
            Self::Header(header) => Ok(Some(header.clone())),
            Self::Source(source) => source.header(challenge).await,
        }
    }
}

/// Returns the header for a token (RFC 6750 §2.1).
///
/// # Errors
/// Returns an error if the token has characters that are not allowed in a header.
pub(crate) fn bearer(token: &str) -> Result<HeaderValue, &'static str> {
    let header = HeaderValue::try_from(format!("Bearer {token}"));
    let mut header = header.map_err(|_| "a token must be visible ASCII")?;
    header.set_sensitive(true);
    Ok(header)
}
