//! Cache hints: the lifetime of a cached response, and whether it may be shared.

/// `ttlMs` and `cacheScope` of a list, of `server/discover` or of a resource
/// (2026-07-28 `server/utilities/caching`). Older revisions have neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheHint {
    /// The lifetime in milliseconds. 0 requests that the client does not cache.
    pub ttl_ms: u64,
    /// Whether the response is the same for every caller, so proxies may share it.
    pub public: bool,
}

impl CacheHint {
    /// A hint against caching and sharing.
    pub const NONE: Self = Self::private(0);

    /// Returns the hint for a response that is the same for every caller.
    #[must_use]
    pub const fn public(ttl_ms: u64) -> Self {
        Self {
            ttl_ms,
            public: true,
        }
    }

    /// Returns the hint for a response to this caller only.
    #[must_use]
    pub const fn private(ttl_ms: u64) -> Self {
        Self {
            ttl_ms,
            public: false,
        }
    }
}
