//! The configuration of a [`Node`](crate::Node).

use std::{fmt, iter, sync::Arc, time::Duration};

use hyper::header::HeaderValue;
use thiserror::Error;
use url::Url;

use crate::{Connector, NodeObserver, options::options};

/// A node that does not accept a connection by then counts as unreachable.
const CONNECT: Duration = Duration::from_secs(3);
/// Enough for answers from memory or an index, even while the node synchronizes.
const QUICK: Duration = Duration::from_secs(10);
/// The Core itself has no time limit; some requests take it a minute.
const SLOW: Duration = Duration::from_secs(60);
/// The largest everyday answer, `/addresses/online` on the main network, has about 2 MB.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// The Core shares its database connections between the API and synchronizing.
const CONCURRENCY: usize = 8;
/// How long a public node is left alone after it could not be reached.
const COOL_DOWN: Duration = Duration::from_secs(60);
/// Public nodes are run by volunteers and serve others too.
const PUBLIC_CONCURRENCY: usize = 2;
/// At most ten requests in a second to one public node.
const PUBLIC_PAUSE: Duration = Duration::from_millis(100);
/// Blocks come about every minute; a node that synchronizes well is hardly ever more than a few behind.
const MAX_BLOCKS_BEHIND: u32 = 10;

/// Some thousand blocks or transactions: as far back as a long conversation refers.
const CACHE_BYTES: usize = 8 * 1024 * 1024;

/// About a day of blocks; a cautious choice, not a rule of the chain.
const CACHE_DEPTH: u32 = 1_440;

options! {
    /// The URLs of nodes, and limits.
    #[derive(Debug, Clone)]
    pub struct NodeConfig {
        /// The URL of the node, such as `http://127.0.0.1:12391`. The API key is sent only to this node.
        base_url: String,
        /// Other nodes of your own, in order of preference. Empty by default. They are trusted like the first node, and are queried
        /// about the chain when it does not respond, is behind, or takes longer than usual.
        own_nodes: Vec<OwnNode> => into with_own_nodes,
        /// URLs of public nodes to query while none of your own nodes can be reached. Empty by default.
        public_urls: Vec<String> => into with_public_urls,
        /// Time to skip a public node after it could not be reached. Your own nodes are probed each second instead.
        cool_down: Duration => with_cool_down,
        /// Maximum number of concurrent requests to each public node, 2 by default. At least 1.
        public_concurrency: usize => with_public_concurrency,
        /// Minimum time between the start of two requests to one public node, 100 ms by default.
        public_pause: Duration => with_public_pause,
        /// Number of blocks that a node may be behind before other nodes are preferred, 10 by default. With [`u32::MAX`], heights
        /// are not compared.
        max_blocks_behind: u32 => with_max_blocks_behind,
        /// The API key of the first node.
        api_key: Option<ApiKey> => into with_api_key,
        /// The timeouts of requests.
        timeouts: Timeouts => with_timeouts,
        /// The size limit of a response, in bytes.
        max_answer_bytes: usize => with_max_answer_bytes,
        /// Maximum number of concurrent requests to each node. At least 1.
        concurrency: usize => with_concurrency,
        /// Size of the response cache in bytes, 8 MiB by default. 0 disables it. The least recently used responses are evicted
        /// first.
        ///
        /// Immutable blocks and transactions are cached if one of your own nodes confirmed them [`cache_depth`](Self::cache_depth)
        /// or more blocks ago. Other responses are cached for [`cache_time`](Self::cache_time). Errors, responses from public
        /// nodes, and responses to POST requests or requests with an API key are never cached.
        cache_bytes: usize => with_cache_bytes,
        /// Time for which identical requests share a response that may change. Zero by default, which sends every request to the
        /// node.
        ///
        /// If the node is slow, the time is up to twice as long. For the same period after it, the first request refreshes the
        /// response while others get the stale one. A new block ends this: all responses that may have changed are removed.
        cache_time: Duration => with_cache_time,
        /// Number of blocks that must follow a block before it counts as immutable.
        cache_depth: u32 => with_cache_depth,
        /// The memory budget for responses and websockets. Without it, only [`max_answer_bytes`](Self::max_answer_bytes) and
        /// [`concurrency`](Self::concurrency) bound their memory.
        memory: Option<AnswerMemory> => into with_memory,
        /// The connector that opens connections to nodes. By default the operating system opens them.
        connector: Option<Connector> => into with_connector,
        /// The observer of each request to a node.
        observer: Option<NodeObserver> => into with_observer,
        /// The `User-Agent` header.
        user_agent: String => into with_user_agent,
    }
}

options! {
    /// One of the user's own nodes in addition to the first.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OwnNode {
        /// The URL of the node, such as `http://10.0.0.2:12391`.
        url: String,
        /// The node's API key, which is sent to no other node.
        api_key: Option<ApiKey> => into with_api_key,
    }
}

impl OwnNode {
    /// Creates a node without an API key.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            api_key: None,
        }
    }
}

options! {
    /// Timeouts of requests to a node.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Timeouts {
        /// Timeout for opening a connection.
        connect: Duration => with_connect,
        /// Timeout for the complete response to a [quick](crate::Tier::Quick) request.
        quick: Duration => with_quick,
        /// Timeout for the complete response to a [slow](crate::Tier::Slow) request.
        slow: Duration => with_slow,
    }
}

/// A callback that grants memory for one response or websocket. It is called with the total bytes as they grow, and returns `false`
/// when the memory is exhausted. Dropping it releases the memory it granted.
pub type MemoryGrant = Box<dyn FnMut(usize) -> bool + Send + Sync>;

/// The source of memory for the bytes of responses and websockets, and for the values parsed from them.
#[derive(Clone)]
pub struct AnswerMemory(pub(crate) Arc<dyn Fn() -> MemoryGrant + Send + Sync>);

impl AnswerMemory {
    /// Creates a source that calls `begin` for each response and each websocket.
    pub fn new(begin: impl Fn() -> MemoryGrant + Send + Sync + 'static) -> Self {
        Self(Arc::new(begin))
    }
}

impl fmt::Debug for AnswerMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnswerMemory")
    }
}

/// The API key of a node. It is redacted in `Debug` output.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// An error creating a [`Node`](crate::Node).
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A URL is not the base of an `http` or `https` URL, or has a query, a fragment or a password.
    #[error("invalid node URL {url:?}, expected one such as http://127.0.0.1:12391")]
    Url {
        /// The URL, without a password and a query.
        url: String,
    },
    /// This build does not support `https`.
    #[error(
        "{url:?} needs https, which this build does not support (feature \"tls\" of qortal-client)"
    )]
    NoTls {
        /// The URL.
        url: String,
    },
    /// The API key has characters that are not valid in a key.
    #[error("the API key must be visible ASCII characters without spaces")]
    ApiKey,
    /// A node is configured twice.
    #[error("the node {url:?} is configured twice")]
    Twice {
        /// The URL.
        url: String,
    },
    /// A setting is out of range.
    #[error("{setting} must be at least 1")]
    Zero {
        /// The name of the field.
        setting: &'static str,
    },
    /// The user agent has characters that a header cannot contain.
    #[error("the user agent must be printable ASCII")]
    UserAgent,
    /// The HTTP client cannot be set up.
    #[error("the HTTP client cannot be set up")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl NodeConfig {
    /// Creates a configuration with the URL of the node and default settings.
    #[must_use]
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            own_nodes: Vec::new(),
            public_urls: Vec::new(),
            cool_down: COOL_DOWN,
            public_concurrency: PUBLIC_CONCURRENCY,
            public_pause: PUBLIC_PAUSE,
            max_blocks_behind: MAX_BLOCKS_BEHIND,
            api_key: None,
            timeouts: Timeouts::default(),
            max_answer_bytes: MAX_ANSWER_BYTES,
            concurrency: CONCURRENCY,
            cache_bytes: CACHE_BYTES,
            cache_time: Duration::ZERO,
            cache_depth: CACHE_DEPTH,
            memory: None,
            connector: None,
            observer: None,
            user_agent: concat!("qortal-client/", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    /// Returns the URL and the key of each node, in the order of preference.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (&String, Option<&ApiKey>)> {
        let own = self.own_nodes.iter();
        let own = own.map(|it| (&it.url, it.api_key.as_ref()));
        let public = self.public_urls.iter().map(|url| (url, None));
        iter::once((&self.base_url, self.api_key.as_ref()))
            .chain(own)
            .chain(public)
    }

    /// Returns an error if a node could not be sent any request.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        for (limit, setting) in [
            (self.concurrency, "concurrency"),
            (self.public_concurrency, "public_concurrency"),
            (self.max_answer_bytes, "max_answer_bytes"),
        ] {
            if limit == 0 {
                return Err(ConfigError::Zero { setting });
            }
        }
        Ok(())
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: CONNECT,
            quick: QUICK,
            slow: SLOW,
        }
    }
}

impl ApiKey {
    /// Creates a key from the text of the node's `apikey.txt`. Surrounding whitespace is removed.
    ///
    /// # Errors
    ///
    /// Returns an error if the key is empty, or a character is not visible ASCII.
    pub fn new(key: &str) -> Result<Self, ConfigError> {
        let key = key.trim();
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ConfigError::ApiKey);
        }
        Ok(Self(key.to_owned()))
    }

    /// The value of a header, which is redacted wherever headers are shown.
    pub(crate) fn header(&self) -> Result<HeaderValue, ConfigError> {
        let mut value = HeaderValue::from_str(&self.0).map_err(|_| ConfigError::ApiKey)?;
        value.set_sensitive(true);
        Ok(value)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(redacted)")
    }
}

/// The URL of a node up to the path: valid, and without a slash at its end.
pub(crate) fn base_url(text: &str) -> Result<Arc<str>, ConfigError> {
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
    Ok(url.as_str().trim_end_matches('/').into())
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

#[cfg(test)]
mod tests;
