//! The HTTP client for a collector. It runs on the program's runtime, although the exporter has its own thread.

use std::{future::Future, pin::Pin, time::Duration};

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use reqwest::{Client, redirect};
use tokio::runtime::Handle;

/// How long a collector may take; the exporter tries again.
const PATIENCE: Duration = Duration::from_secs(10);
/// A collector says little: what it did not take, and why.
const ANSWER_BYTES: usize = 64 << 10;

/// Sends to a collector.
#[derive(Debug)]
pub(super) struct Collector {
    client: Client,
    runtime: Handle,
}

impl Collector {
    /// # Errors
    /// Returns an error if there are no trusted root certificates.
    pub(super) fn new() -> reqwest::Result<Self> {
        // Fails if the process has already installed a provider, which is then used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .timeout(PATIENCE)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .build()?;
        Ok(Self {
            client,
            runtime: Handle::current(),
        })
    }
}

impl HttpClient for Collector {
    fn send_bytes<'a, 'b>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        let client = self.client.clone();
        // The exporter waits for it.
        let sent = self.runtime.spawn(send(client, request));
        Box::pin(async move { sent.await? })
    }
}

async fn send(client: Client, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let mut answer = client.execute(request.try_into()?).await?;
    let mut response = Response::builder().status(answer.status());
    if let Some(headers) = response.headers_mut() {
        headers.clone_from(answer.headers());
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        if body.len() + chunk.len() > ANSWER_BYTES {
            return Err("the response of the collector is too large".into());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(response.body(body.into())?)
}

#[cfg(test)]
mod tests;
