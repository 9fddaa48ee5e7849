//! `X-Request-ID`: identifies a request in the logs of clients, proxies and this server.

use std::{
    collections::hash_map::RandomState,
    fmt::Write,
    hash::{BuildHasher, Hasher},
    sync::atomic::{AtomicU64, Ordering},
};

use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};

use crate::header;

pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is taken over: ids end up in logs.
const MAX_LEN: usize = 128;

/// Generates ids for requests without one.
#[derive(Debug)]
pub(crate) struct RequestIds {
    /// Random, so that the ids of two processes behind one load balancer differ.
    prefix: String,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        let prefix = RandomState::new().build_hasher().finish();
        Self {
            prefix: format!("{prefix:016x}-"),
            next: AtomicU64::new(1),
        }
    }

    /// Returns the client's id if it is 1 to 128 visible ASCII characters, else a new one.
    pub(crate) fn of(&self, headers: &HeaderMap) -> HeaderValue {
        if let Ok(Some(value)) = header::single_value(headers, &X_REQUEST_ID)
            && (1..=MAX_LEN).contains(&value.len())
            && value.iter().all(u8::is_ascii_graphic)
            && let Some(value) = headers.get(X_REQUEST_ID)
        {
            return value.clone();
        }
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        // Of this very capacity: a longer one would be kept in a second allocation.
        let mut id = String::with_capacity(self.prefix.len() + hex_len(n));
        id.push_str(&self.prefix);
        // Writing to a string does not fail.
        let _written = write!(id, "{n:x}");
        HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("unnamed"))
    }
}

/// How many hexadecimal digits a number has.
fn hex_len(n: u64) -> usize {
    n.checked_ilog2().map_or(1, |bits| bits as usize / 4 + 1)
}
