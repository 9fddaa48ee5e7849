//! Requests to authorization servers: over HTTPS, without redirects, with a bound on time and size.

use std::{error::Error, future::Future, pin::Pin, time::Duration};

use oauth2::{AsyncHttpClient, HttpClientError, HttpRequest, HttpResponse, http, url::Url};
use reqwest::{Client, redirect};
use serde::de::DeserializeOwned;

const TIMEOUT: Duration = Duration::from_secs(30);
/// Metadata and tokens are small.
const RESPONSE_BYTES: usize = 256 << 10;

/// An error of any kind, for the person.
pub type AnyError = Box<dyn Error + Send + Sync>;

/// An HTTP client for metadata, registration and tokens.
#[derive(Debug, Clone)]
pub(crate) struct Http(Client);

impl Http {
    pub(crate) fn new() -> Result<Self, AnyError> {
        // Fails if the process has installed a provider already, which is then used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .timeout(TIMEOUT)
            .redirect(redirect::Policy::none());
        Ok(Self(client.build()?))
    }

    /// Reads the first of the documents that exists.
    pub(crate) async fn first<T: DeserializeOwned>(
        &self,
        urls: &[Url],
    ) -> Result<Option<T>, AnyError> {
        for url in urls {
            let request = http::Request::get(secure(url)?.as_str()).body(Vec::new())?;
            let response = self.call(request).await?;
            if response.status().is_success() {
                let read = serde_json::from_slice(response.body());
                return Ok(Some(read.map_err(|why| format!("{url}: {why}"))?));
            }
        }
        Ok(None)
    }

    /// Posts a JSON document.
    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        url: &Url,
        document: &serde_json::Value,
    ) -> Result<T, AnyError> {
        let request = http::Request::post(secure(url)?.as_str())
            .header(http::header::CONTENT_TYPE, "application/json")
            .body(document.to_string().into_bytes())?;
        let response = self.call(request).await?;
        match response.status().is_success() {
            true => Ok(serde_json::from_slice(response.body())?),
            false => Err(format!("{url} answers with status {}", response.status()).into()),
        }
    }
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = HttpClientError<reqwest::Error>;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Self::Error>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let request = request.try_into().map_err(Box::new)?;
            let mut response = self.0.execute(request).await.map_err(Box::new)?;
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(Box::new)? {
                if body.len() + chunk.len() > RESPONSE_BYTES {
                    let why = format!("a response of more than {RESPONSE_BYTES} bytes");
                    return Err(HttpClientError::Other(why));
                }
                body.extend_from_slice(&chunk);
            }
            let mut read = HttpResponse::new(body);
            *read.status_mut() = response.status();
            *read.headers_mut() = std::mem::take(response.headers_mut());
            Ok(read)
        })
    }
}

/// Returns a URL that keeps what is sent to it from others: `https`, or `http` on this machine.
pub(crate) fn secure(url: &Url) -> Result<&Url, AnyError> {
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_local => Ok(url),
        _ => Err(format!("{url} is not an https URL").into()),
    }
}
