//! One HTTP exchange: the only place that knows the HTTP library.

use std::{str, sync::Arc, time::Duration};

use bytes::Bytes;
use paged_buffer::Buffer;
use qortal_types::Height;
use reqwest::{
    Client, ClientBuilder, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue},
    redirect,
};

use crate::{
    ApiError, Config, ConfigError, Endpoint, KeyUse, Method, answer,
    call::Request,
    memory::{AnswerMemory, hold},
    upstream::{Source, Upstream},
};

/// The header that the Core reads the key from (class `Security`).
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Where a request says which trace it is part of (W3C Trace Context).
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");

/// The Core closes a connection that has been idle for 30 seconds; a request must not race with that.
const IDLE: Duration = Duration::from_secs(20);

/// Every other value makes some endpoints of the Core fail with 500: it chooses the format by the type of the result.
const ACCEPTED: HeaderValue = HeaderValue::from_static("*/*");

/// Sends requests and reads answers under a byte limit.
#[derive(Debug)]
pub(crate) struct Transport {
    client: Client,
    max_answer_bytes: usize,
    memory: Option<AnswerMemory>,
}

/// The URL of a node up to the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseUrl(Arc<str>);

/// An HTTP response.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
    /// Whether the body is the whole answer.
    pub(crate) is_complete: bool,
    pub(crate) content_type: Option<String>,
    /// Which node sent it.
    pub(crate) source: Source,
    pub(crate) key_use: KeyUse,
}

/// Why there is no usable response.
#[derive(Debug)]
pub(crate) enum Failure {
    /// There was no connection, or it was lost.
    Network(reqwest::Error),
    /// The response exceeds the size limit.
    TooLarge { limit: usize },
    /// There is no memory for the response.
    NoMemory,
    /// The address and the target do not make a URL.
    Target,
}

impl Transport {
    pub(crate) fn new(config: &Config) -> Result<Self, ConfigError> {
        if config.max_answer_bytes == 0 {
            return Err(ConfigError::Zero {
                setting: "max_answer_bytes",
            });
        }
        let user_agent =
            HeaderValue::from_str(&config.user_agent).map_err(|_| ConfigError::UserAgent)?;
        let builder = Client::builder()
            .user_agent(user_agent)
            .connect_timeout(config.timeouts.connect)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .tcp_nodelay(true)
            .pool_max_idle_per_host(config.concurrency)
            .pool_idle_timeout(IDLE);
        let client = with_certificates(builder, config)
            .build()
            .map_err(|error| ConfigError::Client(error.into()))?;
        Ok(Self {
            client,
            max_answer_bytes: config.max_answer_bytes,
            memory: config.memory.clone(),
        })
    }

    /// Sends the request and reads the whole answer. The caller sets the deadline.
    pub(crate) async fn exchange(
        &self,
        upstream: &Upstream,
        request: &Request,
    ) -> Result<Received, Failure> {
        let url = Url::parse(&format!("{}{}", upstream.base.0, request.target))
            .map_err(|_| Failure::Target)?;
        let mut builder = match request.endpoint.method() {
            Method::Get | Method::Socket => self.client.get(url),
            Method::Post => self.client.post(url),
        };
        builder = builder.header(ACCEPT, ACCEPTED);
        let key_use = match &upstream.api_key {
            Some(api_key) if request.endpoint.access().needs_key() => {
                builder = builder.header(API_KEY, api_key.clone());
                KeyUse::Sent
            }
            Some(_) => KeyUse::Withheld,
            None => KeyUse::NotConfigured,
        };
        if let Some(parent) = &request.trace_parent
            && upstream.is_own
        {
            builder = builder.header(TRACE_PARENT, parent.clone());
        }
        builder = match &request.body {
            Some(json) => builder
                .header(CONTENT_TYPE, "application/json")
                .body(json.clone()),
            None => builder,
        };
        let mut response = builder.send().await.map_err(network)?;
        let status = response.status().as_u16();
        let content_type = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        // A refusal is read as a whole.
        let up_to = request.up_to.filter(|_| response.status().is_success());
        let limit = self.max_answer_bytes;
        let announced = response.content_length().map_or(Ok(0), usize::try_from);
        if up_to.is_none() && announced.map_or(true, |bytes| bytes > limit) {
            return Err(Failure::TooLarge { limit });
        }
        let wanted = up_to.unwrap_or(limit).min(limit);
        let mut memory = self.memory.as_ref().map(AnswerMemory::begin);
        let mut body = Buffer::new(announced.unwrap_or(usize::MAX), wanted);
        let mut is_complete = true;
        while let Some(chunk) = response.chunk().await.map_err(network)? {
            let room = wanted - body.len();
            let bytes = body.len() + chunk.len();
            if memory.as_mut().is_some_and(|grants| !grants(bytes)) {
                return Err(Failure::NoMemory);
            }
            is_complete = chunk.len() <= room;
            if !is_complete && up_to.is_none() {
                return Err(Failure::TooLarge { limit });
            }
            let chunk = chunk.get(..room).unwrap_or(&chunk);
            body.extend(chunk).map_err(|_| Failure::NoMemory)?;
            if !is_complete {
                break;
            }
        }
        let mut body = body.freeze();
        if let (Some(api_key), KeyUse::Sent) = (&upstream.api_key, key_use) {
            body = without_key(body, api_key.as_bytes());
        }
        Ok(Received {
            status,
            body: hold(body, memory),
            is_complete,
            content_type,
            source: Source::of(upstream),
            key_use,
        })
    }
}

/// A key that a node, or a proxy before it, repeats is shown to no one. A shorter one is no key of a Core, and could be a word.
fn without_key(body: Bytes, key: &[u8]) -> Bytes {
    const SHORTEST: usize = 8;
    const INSTEAD: &[u8] = b"(API key)";
    let find = |body: &[u8]| body.windows(key.len()).position(|it| it == key);
    if key.len() < SHORTEST || find(&body).is_none() {
        return body;
    }
    let (mut rest, mut clean) = (body.as_ref(), Vec::with_capacity(body.len()));
    while let Some((before, after)) = find(rest).and_then(|at| rest.split_at_checked(at)) {
        clean.extend_from_slice(before);
        clean.extend_from_slice(INSTEAD);
        rest = after.get(key.len()..).unwrap_or_default();
    }
    clean.extend_from_slice(rest);
    clean.into()
}

/// How a node, or what is in front of it, says that it cannot answer anything now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outage {
    /// A proxy does not reach the node, or the node's server is overloaded.
    Down,
    /// The Core has to synchronize its chain or its clock first.
    NotReady,
    /// An error of the server without a word of the Core, or a page. Some endpoints answer so to some arguments; it is an outage
    /// if others do too.
    Suspected,
}

impl Received {
    /// Whether another node might answer instead.
    pub(crate) fn outage(&self, endpoint: Endpoint) -> Option<Outage> {
        let is_gateway = matches!(self.status, 502..=504);
        match (self.status, answer::code(&self.body)) {
            (502..=504, None) => Some(Outage::Down),
            (500..=599, None) => Some(Outage::Suspected),
            // Of a network that wants a login first, or of another server at this address.
            (200..=299, None) if self.is_page(endpoint) => Some(Outage::Suspected),
            (_, Some(ApiError::BLOCKCHAIN_NEEDS_SYNC | ApiError::NO_TIME_SYNC)) if is_gateway => {
                Some(Outage::NotReady)
            }
            (_, None | Some(_)) => None,
        }
    }

    /// Whether this is a page of HTML instead of an answer of the Core, none of which begins like one. Published data is anything.
    pub(crate) fn is_page(&self, endpoint: Endpoint) -> bool {
        let is_data = matches!(
            endpoint,
            Endpoint::ResourceRaw | Endpoint::ResourceRawWithIdentifier
        );
        !is_data && self.body.trim_ascii_start().starts_with(b"<")
    }

    /// The same answer from another place than it says.
    pub(crate) fn from(self, source: Source) -> Self {
        Self { source, ..self }
    }

    /// A good answer of the configured node.
    #[cfg(test)]
    pub(crate) fn good(body: impl Into<Bytes>) -> Self {
        Self {
            status: 200,
            body: body.into(),
            is_complete: true,
            content_type: None,
            source: Source {
                url: "http://node".into(),
                position: 0,
                is_own: true,
                reason: None,
                behind: None,
            },
            key_use: KeyUse::NotConfigured,
        }
    }

    /// The height in an answer that is nothing else.
    pub(crate) fn height(&self) -> Option<Height> {
        if self.status != 200 {
            return None;
        }
        str::from_utf8(&self.body).ok()?.trim().parse().ok()
    }
}

impl BaseUrl {
    /// Validates the URL of a node and drops its trailing slash.
    pub(crate) fn parse(text: &str) -> Result<Self, ConfigError> {
        let refused = || ConfigError::Url {
            url: without_secrets(text),
        };
        let url = Url::parse(text).map_err(|_| refused())?;
        let is_plain = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
            && url.host().is_some();
        match url.scheme() {
            "http" if is_plain => {}
            "https" if is_plain && cfg!(feature = "tls") => {}
            "https" if is_plain => {
                return Err(ConfigError::NoTls {
                    url: text.to_owned(),
                });
            }
            _ => return Err(refused()),
        }
        Ok(Self(url.as_str().trim_end_matches('/').into()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

/// Loads the certificates of the system if a URL needs them.
#[cfg(feature = "tls")]
fn with_certificates(builder: ClientBuilder, config: &Config) -> ClientBuilder {
    use std::iter::once;
    // Fails if the process has already installed a provider, which is then used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let is_https = |url: &String| {
        url.get(..6)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
    };
    let own = config.own_nodes.iter().map(|it| &it.url);
    if once(&config.base_url)
        .chain(own)
        .chain(&config.public_urls)
        .any(is_https)
    {
        builder
    } else {
        // A machine without certificates must still be able to query its own node.
        builder.tls_certs_only([])
    }
}

#[cfg(not(feature = "tls"))]
fn with_certificates(builder: ClientBuilder, _config: &Config) -> ClientBuilder {
    builder
}

/// Errors do not contain the URL, which contains the arguments.
fn network(error: reqwest::Error) -> Failure {
    Failure::Network(error.without_url())
}

/// A wrong URL as an error may show it: without what stands before an `@` or after a `?` or `#`, which may be a
/// password or a key, and nothing of a word that may be one.
fn without_secrets(text: &str) -> String {
    /// A key of the Core has 22 characters.
    const SHORTEST_SECRET: usize = 12;
    let is_word = !text.contains([':', '.', '/']);
    if is_word && text.len() >= SHORTEST_SECRET {
        return "…".to_owned();
    }
    let (base, after) = match text.find(['?', '#']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let host = base
        .rsplit_once('@')
        .map_or_else(|| base.to_owned(), |(_, host)| format!("…@{host}"));
    match after.chars().next() {
        Some(separator) => format!("{host}{separator}…"),
        None => host,
    }
}
