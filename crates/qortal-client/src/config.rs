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
    /// The addresses of nodes, and limits.
    #[derive(Debug, Clone)]
    pub struct NodeConfig {
        /// The URL of the node, such as `http://127.0.0.1:12391`; the API key is sent only to it.
        base_url: String,
        /// Other nodes of one's own, in the order of preference; empty by default. They are trusted as the first one is: asked about
        /// the chain when that one does not answer, is behind, or takes longer than is usual.
        own_nodes: Vec<OwnNode> => into with_own_nodes,
        /// URLs of nodes to query while one's own cannot be reached; empty by default.
        public_urls: Vec<String> => into with_public_urls,
        /// How long a public node that could not be reached is skipped. One's own nodes are probed each second instead.
        cool_down: Duration => with_cool_down,
        /// How many requests are sent to each public node concurrently, 2 by default; at least 1.
        public_concurrency: usize => with_public_concurrency,
        /// The time between the beginnings of two requests to one public node, 100 ms by default.
        public_pause: Duration => with_public_pause,
        /// How many blocks a node may be behind the others before those are preferred, 10 by default. [`u32::MAX`] allows any
        /// number; heights are then not compared.
        max_blocks_behind: u32 => with_max_blocks_behind,
        /// The API key of the first node.
        api_key: Option<ApiKey> => into with_api_key,
        /// How long to wait.
        timeouts: Timeouts => with_timeouts,
        /// The size limit of an answer, in bytes.
        max_answer_bytes: usize => with_max_answer_bytes,
        /// How many requests are sent to each node concurrently; at least 1.
        concurrency: usize => with_concurrency,
        /// How many bytes of answers are kept, 8 MiB by default; 0 keeps none. Those that were not used for the longest time make room.
        ///
        /// Blocks and transactions are immutable, and kept, if one's own node confirmed them [`cache_depth`](Self::cache_depth)
        /// blocks ago or earlier; other answers for [`cache_time`](Self::cache_time). Errors, answers of public nodes, and what was
        /// asked with an API key or by POST, are never kept.
        cache_bytes: usize => with_cache_bytes,
        /// How long an answer that may change is given to everyone who asks the same, zero by default: each asks the node.
        ///
        /// If the node takes long for it, up to twice as long. After that one caller asks again, and the others get the earlier answer
        /// once more for the same time. A new block ends it: all that may have changed is forgotten.
        cache_time: Duration => with_cache_time,
        /// How many blocks must follow a block before it counts as immutable.
        cache_depth: u32 => with_cache_depth,
        /// Where answers and websockets get their memory; without it they are bounded by
        /// [`max_answer_bytes`](Self::max_answer_bytes) and [`concurrency`](Self::concurrency) alone.
        memory: Option<AnswerMemory> => into with_memory,
        /// Opens the connections to nodes; the system does without it.
        connector: Option<Connector> => into with_connector,
        /// Is told of each request to a node.
        observer: Option<NodeObserver> => into with_observer,
        /// The `User-Agent` header.
        user_agent: String => into with_user_agent,
    }
}

options! {
    /// One of the user's own nodes beside the first.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OwnNode {
        /// Its URL, such as `http://10.0.0.2:12391`.
        url: String,
        /// Its own API key, which is sent to no other node.
        api_key: Option<ApiKey> => into with_api_key,
    }
}

impl OwnNode {
    /// A node without an API key.
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
        /// For a connection.
        connect: Duration => with_connect,
        /// For the whole answer to a [quick](crate::Tier::Quick) request.
        quick: Duration => with_quick,
        /// For the whole answer to a [slow](crate::Tier::Slow) request.
        slow: Duration => with_slow,
    }
}

/// Grants memory for one answer or websocket: it is called with the bytes in all, as they grow, and returns `false` when there is no
/// more. What it granted is given back when it is dropped.
pub type MemoryGrant = Box<dyn FnMut(usize) -> bool + Send + Sync>;

/// Where answers and websockets get the memory for their bytes, and for the values they are read into.
#[derive(Clone)]
pub struct AnswerMemory(pub(crate) Arc<dyn Fn() -> MemoryGrant + Send + Sync>);

impl AnswerMemory {
    /// Calls `begin` for each answer and each websocket.
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

/// Why a [`Node`](crate::Node) cannot be created.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// An address is not the beginning of an `http` or `https` URL, or has a query, a fragment or a password.
    #[error("{url:?} is not the address of a node, which looks like http://127.0.0.1:12391")]
    Url {
        /// The URL, without a password and a query.
        url: String,
    },
    /// This build cannot speak `https`.
    #[error(
        "{url:?} needs https, which this build does not have (feature \"tls\" of qortal-client)"
    )]
    NoTls {
        /// The URL.
        url: String,
    },
    /// The API key has characters that cannot be part of a key.
    #[error("the API key must be visible ASCII characters without spaces")]
    ApiKey,
    /// A node is configured twice.
    #[error("{url:?} is configured twice")]
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

    /// Fails if a node could not be sent any request.
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
    /// Takes the key as in the node's `apikey.txt`; surrounding whitespace is dropped.
    ///
    /// # Errors
    ///
    /// Fails if nothing is left, or a character is not visible ASCII.
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
