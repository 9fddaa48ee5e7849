//! Sources of the access tokens of a client.

use std::{error::Error, sync::Arc};

use hyper::header::HeaderValue;

use crate::{Challenge, ClientError, handler::BoxFuture};

/// A source of access tokens. [`Endpoint::with_token_source`](crate::Endpoint::with_token_source) takes one.
///
/// Every request sends the token that [`TokenSource::token`] returns. If the endpoint answers with status 401 or 403, the client asks
/// the source again, with the [`Challenge`], and sends the request again with the new token.
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
    /// Returns the token to send, `None` to send none. With a challenge, the endpoint has just rejected the last one: `None`, or the same
    /// token again, ends the request with [`ClientError::Status`]. The time that this takes counts toward
    /// [`ClientLimits::request_timeout`](crate::ClientLimits::request_timeout).
    ///
    /// # Errors
    /// The request fails with [`ClientError::Token`].
    fn token(
        &self,
        challenge: Option<&Challenge>,
    ) -> impl Future<Output = Result<Option<String>, Box<dyn Error + Send + Sync>>> + Send;
}

/// A source of any type.
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

/// The means by which requests are authorized.
#[derive(Clone, Default)]
pub(crate) enum Authorization {
    #[default]
    None,
    Header(HeaderValue),
    Source(Arc<dyn AnyTokenSource>),
}

impl Authorization {
    /// The header of a request. After a challenge it is another than before, or the request fails.
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

/// The header of a token (RFC 6750 §2.1).
///
/// # Errors
/// If the token has characters that no header can have.
pub(crate) fn bearer(token: &str) -> Result<HeaderValue, &'static str> {
    let header = HeaderValue::try_from(format!("Bearer {token}"));
    let mut header = header.map_err(|_| "a token is visible ASCII")?;
    header.set_sensitive(true);
    Ok(header)
}
