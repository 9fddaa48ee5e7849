//! One HTTP exchange, the only module that uses the HTTP library.

use std::{error::Error, fmt, str, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Request as HttpRequest, Uri,
    body::Body as _,
    header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT},
};
use hyper_util::{
    client::legacy::Client,
    rt::{TokioExecutor, TokioTimer},
};
use message_buffer::BoundedBuffer;
use qortal_types::Height;

use crate::{
    AnswerMemory, ConfigError, Endpoint, KeyUse, MemoryGrant, Method, NodeConfig, NodeError,
    NodeErrorKind,
    call::Request,
    connector::Connect,
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

/// The address and the target do not make a URL.
pub(crate) const NO_URL: NodeErrorKind = NodeErrorKind::BadParameter {
    name: "path and query",
    problem: "do not make a URL",
};

/// Sends requests and reads answers under a byte limit.
#[derive(Debug)]
pub(crate) struct Transport {
    client: Client<Connect, Full<Bytes>>,
    user_agent: HeaderValue,
    max_answer_bytes: usize,
    memory: Option<AnswerMemory>,
}

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
    Network(Box<dyn Error + Send + Sync>),
    /// The response exceeds a limit, or the address and the target do not make a URL.
    Other(NodeErrorKind),
}

impl Failure {
    /// The failure of a request to this endpoint.
    pub(crate) fn of(self, endpoint: Endpoint) -> NodeError {
        match self {
            Self::Network(error) => NodeError::unreachable(endpoint, error),
            Self::Other(kind) => NodeError::new(endpoint, kind),
        }
    }
}

impl Transport {
    pub(crate) fn new(config: &NodeConfig) -> Result<Self, ConfigError> {
        config.check()?;
        let user_agent =
            HeaderValue::from_str(&config.user_agent).map_err(|_| ConfigError::UserAgent)?;
        // No redirects, no proxies, and nothing is sent again that a node may have seen.
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(config.concurrency)
            .build(Connect::new(config)?);
        Ok(Self {
            client,
            user_agent,
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
        let uri = format!("{}{}", upstream.base, request.target);
        let uri = Uri::try_from(uri).map_err(|_| Failure::Other(NO_URL))?;
        let mut sent = match request.endpoint.method() {
            Method::Get | Method::Socket => HttpRequest::get(uri),
            Method::Post => HttpRequest::post(uri),
        }
        .header(ACCEPT, ACCEPTED)
        .header(USER_AGENT, self.user_agent.clone());
        let key_use = match &upstream.api_key {
            Some(api_key) if request.endpoint.access().needs_key() => {
                sent = sent.header(API_KEY, api_key.clone());
                KeyUse::Sent
            }
            Some(_) => KeyUse::Withheld,
            None => KeyUse::NotConfigured,
        };
        if let Some(parent) = &request.trace_parent
            && upstream.is_own
        {
            sent = sent.header(TRACE_PARENT, parent.clone());
        }
        let body = match &request.body {
            Some(json) => {
                sent = sent.header(CONTENT_TYPE, "application/json");
                Full::from(json.clone())
            }
            None => Full::default(),
        };
        let sent = sent.body(body).map_err(|_| Failure::Other(NO_URL))?;
        let mut response = self.client.request(sent).await.map_err(network)?;
        let status = response.status().as_u16();
        let content_type = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        // A refusal is read as a whole.
        let up_to = request.up_to.filter(|_| response.status().is_success());
        let limit = self.max_answer_bytes;
        let announced = response
            .body()
            .size_hint()
            .exact()
            .map_or(Ok(0), usize::try_from);
        if up_to.is_none() && announced.map_or(true, |bytes| bytes > limit) {
            return Err(Failure::Other(NodeErrorKind::TooLarge { limit }));
        }
        let wanted = up_to.unwrap_or(limit).min(limit);
        let mut memory = self.memory.as_ref().map(|it| (it.0)());
        let mut body = BoundedBuffer::new(announced.unwrap_or(usize::MAX), wanted);
        let mut is_complete = true;
        while let Some(frame) = response.frame().await {
            // What is no data is a trailer.
            let Ok(chunk) = frame.map_err(network)?.into_data() else {
                continue;
            };
            let room = wanted - body.len();
            let bytes = body.len() + chunk.len();
            if memory.as_mut().is_some_and(|grants| !grants(bytes)) {
                return Err(Failure::Other(NodeErrorKind::NoMemory));
            }
            is_complete = chunk.len() <= room;
            if !is_complete && up_to.is_none() {
                return Err(Failure::Other(NodeErrorKind::TooLarge { limit }));
            }
            let chunk = chunk.get(..room).unwrap_or(&chunk);
            body.extend(chunk)
                .map_err(|_| Failure::Other(NodeErrorKind::NoMemory))?;
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
            source: upstream.source(),
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

impl Received {
    /// Whether this is a page of HTML instead of an answer of the Core, none of which begins like one. Published data is anything.
    pub(crate) fn is_page(&self, endpoint: Endpoint) -> bool {
        let is_data = matches!(
            endpoint,
            Endpoint::ResourceRaw | Endpoint::ResourceRawWithIdentifier
        );
        !is_data && self.body.trim_ascii_start().starts_with(b"<")
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

fn network(error: impl Error + Send + Sync + 'static) -> Failure {
    Failure::Network(Box::new(error))
}

/// What was granted for something else than bytes.
pub(crate) struct Granted(#[expect(dead_code, reason = "it acts on drop")] Option<MemoryGrant>);

impl Granted {
    /// Asks for so many bytes in all, or `None` if there is no memory for them.
    pub(crate) fn ask(memory: Option<&AnswerMemory>, bytes: usize) -> Option<Self> {
        let Some(memory) = memory else {
            return Some(Self(None));
        };
        let mut grant = (memory.0)();
        grant(bytes).then_some(Self(Some(grant)))
    }
}

impl fmt::Debug for Granted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Granted")
    }
}

/// The bytes, which keep what was granted until the last use of them has ended.
fn hold(bytes: Bytes, grant: Option<MemoryGrant>) -> Bytes {
    match grant {
        Some(grant) => Bytes::from_owner(GrantedBytes {
            bytes,
            _grant: grant,
        }),
        None => bytes,
    }
}

struct GrantedBytes {
    bytes: Bytes,
    _grant: MemoryGrant,
}

impl AsRef<[u8]> for GrantedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
