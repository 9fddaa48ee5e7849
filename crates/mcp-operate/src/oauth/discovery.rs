//! Discovery of an authorization server's keys through its metadata (RFC 8414) or OpenID Connect Discovery.

use std::time::Duration;

use reqwest::{Client, Url, redirect};
use serde_json::Value;

use super::{jwt::accepted, keys::Key};

/// How long one answer of the server may take.
const PATIENCE: Duration = Duration::from_secs(4);
/// The most bytes of an answer: documents have a few thousand.
const MOST_BYTES: usize = 256 << 10;
/// Where metadata are, with the path of the issuer after it.
const INSERTED: [&str; 2] = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
];

/// The URL of an authorization server, as written in its tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuerUrl {
    text: String,
    url: Url,
    /// Whether plain HTTP is spoken with it, on this machine.
    is_local: bool,
}

/// An error creating a client for an authorization server. It shows no URL, which could be a misplaced secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IssuerBuildError {
    /// The URL is invalid.
    #[error(
        "the URL of the authorization server must begin with https://, or http:// on this machine, and have no query"
    )]
    Url,
    /// The HTTP client cannot be created.
    #[error("the HTTP client for the authorization server cannot be created")]
    Client(#[source] reqwest::Error),
}

/// Why the keys could not be fetched.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    #[error("{url} does not answer")]
    Unreachable {
        url: Url,
        #[source]
        source: reqwest::Error,
    },
    /// What is wrong with an answer.
    #[error("{0}")]
    Unusable(String),
}

impl IssuerUrl {
    /// Parses a URL.
    ///
    /// # Errors
    /// Returns an error if the URL begins with neither `https://` nor `http://` and a loopback host, or has a query, a fragment or
    /// a user.
    pub fn new(text: &str) -> Result<Self, IssuerBuildError> {
        let url = Url::parse(text).map_err(|_| IssuerBuildError::Url)?;
        let is_plain = url.query().is_none() && url.fragment().is_none();
        let is_anonymous = url.username().is_empty() && url.password().is_none();
        if !is_allowed(&url, true) || !is_plain || !is_anonymous {
            return Err(IssuerBuildError::Url);
        }
        Ok(Self {
            text: text.to_owned(),
            is_local: url.scheme() == "http",
            url,
        })
    }

    /// Returns the URL, unchanged, for the exact comparison with tokens.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The places of its metadata, the likeliest first.
    fn places(&self) -> Vec<Url> {
        let path = self.url.path().trim_end_matches('/');
        let at = |path: String| {
            let mut url = self.url.clone();
            url.set_path(&path);
            url
        };
        let inserted = INSERTED.iter().map(|it| at(format!("{it}{path}")));
        let [_, openid] = INSERTED;
        let appended = (!path.is_empty()).then(|| at(format!("{path}{openid}")));
        inserted.chain(appended).collect()
    }
}

/// Whether keys may come from a URL.
fn is_allowed(url: &Url, allows_http: bool) -> bool {
    match url.scheme() {
        "https" => url.has_host(),
        "http" => {
            allows_http && matches!(url.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"))
        }
        _ => false,
    }
}

/// Asks an authorization server for its keys.
#[derive(Debug)]
pub(super) struct Discovery {
    client: Client,
    issuer: IssuerUrl,
}

impl Discovery {
    pub(super) fn new(issuer: &IssuerUrl, user_agent: &str) -> Result<Self, IssuerBuildError> {
        // Fails if the process has already installed a provider, which is then used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .user_agent(user_agent)
            .timeout(PATIENCE)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            // A connection every ten minutes is not worth keeping.
            .pool_max_idle_per_host(0);
        let builder = if issuer.is_local {
            // A machine without certificates can still ask itself.
            builder.tls_certs_only([])
        } else {
            builder
        };
        Ok(Self {
            client: builder.build().map_err(IssuerBuildError::Client)?,
            issuer: issuer.clone(),
        })
    }

    /// Fetches the metadata, and then the keys.
    pub(super) async fn keys(&self) -> Result<Vec<Key>, FetchError> {
        let metadata = self.metadata().await?;
        let place = metadata.get("jwks_uri").and_then(Value::as_str);
        let place = place.and_then(|it| Url::parse(it).ok());
        let url = place.filter(|it| is_allowed(it, self.issuer.is_local));
        let url = url.ok_or_else(no_place)?;
        let keys = Key::of_set(&self.get(&url).await?);
        if keys.is_empty() {
            return unusable(format!("{url} has no key for {}", accepted()));
        }
        Ok(keys)
    }

    /// The first metadata that are there and of this issuer (RFC 8414 §3.3); else the first error.
    async fn metadata(&self) -> Result<Value, FetchError> {
        let mut first = None;
        for url in self.issuer.places() {
            let read = self.get(&url).await.and_then(|metadata| {
                let issuer = metadata.get("issuer").and_then(Value::as_str);
                if issuer == Some(self.issuer.as_str()) {
                    return Ok(metadata);
                }
                unusable(format!("the metadata at {url} belongs to another issuer"))
            });
            match read {
                Ok(metadata) => return Ok(metadata),
                // It will not answer elsewhere.
                Err(err @ FetchError::Unreachable { .. }) => return Err(err),
                Err(err) => {
                    first.get_or_insert(err);
                }
            }
        }
        Err(first.unwrap_or_else(no_place))
    }

    async fn get(&self, url: &Url) -> Result<Value, FetchError> {
        let unreachable = |err: reqwest::Error| FetchError::Unreachable {
            url: url.clone(),
            source: err.without_url(),
        };
        let request = self.client.get(url.clone());
        let request = request.header("Accept", "application/json");
        let mut response = request.send().await.map_err(unreachable)?;
        let status = response.status().as_u16();
        if status != 200 {
            return unusable(format!("{url} returned the status {status}"));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if body.len() + chunk.len() > MOST_BYTES {
                let what = format!("the response of {url} has more than {MOST_BYTES} bytes");
                return unusable(what);
            }
            body.extend_from_slice(&chunk);
        }
        match serde_json::from_slice(&body) {
            Ok(value @ Value::Object(_)) => Ok(value),
            _ => unusable(format!("the response of {url} is not a JSON object")),
        }
    }
}

fn unusable<T>(what: String) -> Result<T, FetchError> {
    Err(FetchError::Unusable(what))
}

fn no_place() -> FetchError {
    let what = "the metadata has no jwks_uri that begins with https://";
    FetchError::Unusable(what.to_owned())
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    #[test]
    fn metadata_are_looked_for_with_the_path_inserted_and_then_appended() {
        for (issuer, expected) in [
            (
                "https://auth.example.org",
                &[
                    "https://auth.example.org/.well-known/oauth-authorization-server",
                    "https://auth.example.org/.well-known/openid-configuration",
                ][..],
            ),
            (
                "https://auth.example.org/a/b/",
                &[
                    "https://auth.example.org/.well-known/oauth-authorization-server/a/b",
                    "https://auth.example.org/.well-known/openid-configuration/a/b",
                    "https://auth.example.org/a/b/.well-known/openid-configuration",
                ],
            ),
        ] {
            let issuer = IssuerUrl::new(issuer).unwrap();
            let places = issuer.places();
            let places: Vec<_> = places.iter().map(Url::as_str).collect();
            assert_eq!(places, expected);
        }
    }

    #[test]
    fn keys_come_by_https_or_from_this_machine() {
        for (url, is_allowed) in [
            ("https://auth.example.org/tenant", true),
            ("http://auth.example.org", false),
            ("http://127.0.0.1:9000/a", true),
            ("http://[::1]:9000", true),
            ("http://localhost", true),
            ("http://localhost.example.org", false),
            ("http://127.0.0.1.example.org", false),
            ("https://alice:secret@auth.example.org", false),
            ("https://auth.example.org?a", false),
            ("https://auth.example.org#a", false),
            ("file:///etc/passwd", false),
            ("auth.example.org", false),
        ] {
            assert_eq!(IssuerUrl::new(url).is_ok(), is_allowed, "{url}");
        }
    }

    /// Whether an answer of so many bytes is read.
    async fn is_read(bytes: usize) -> bool {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let issuer = IssuerUrl::new(&url).unwrap();
        let discovery = Discovery::new(&issuer, "test").unwrap();
        let answering = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 1024]).await.unwrap();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {bytes}\r\n\r\n");
            let answer = format!("{head}{{{}}}", " ".repeat(bytes - 2));
            // Who has read enough closes the connection.
            let _ = stream.write_all(answer.as_bytes()).await;
        };
        tokio::join!(discovery.get(&issuer.url), answering)
            .0
            .is_ok()
    }

    #[tokio::test]
    async fn an_answer_is_read_to_its_limit() {
        assert!(is_read(MOST_BYTES).await);
        assert!(!is_read(MOST_BYTES + 1).await);
    }
}
