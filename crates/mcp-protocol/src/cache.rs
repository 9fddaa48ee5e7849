//! How long a client may cache an answer, and who may share it.

/// `ttlMs` and `cacheScope` of a list, of `server/discover` or of a resource
/// (2026-07-28 `server/utilities/caching`). Older revisions have neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheHint {
    /// Milliseconds; 0 asks the client not to cache.
    pub ttl_ms: u64,
    /// Whether the answer is the same for every caller, so that proxies may share it.
    pub public: bool,
}

impl CacheHint {
    /// Neither cached nor shared.
    pub const NONE: Self = Self::private(0);

    /// An answer that is the same for every caller.
    #[must_use]
    pub const fn public(ttl_ms: u64) -> Self {
        Self {
            ttl_ms,
            public: true,
        }
    }

    /// An answer for this caller alone.
    #[must_use]
    pub const fn private(ttl_ms: u64) -> Self {
        Self {
            ttl_ms,
            public: false,
        }
    }
}
