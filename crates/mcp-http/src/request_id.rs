//! `X-Request-ID`: a name for one exchange, to find it again in logs.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    sync::atomic::{AtomicU64, Ordering},
};

use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};

use crate::header;

pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ones are not repeated: they would end up in logs.
const LONGEST: usize = 128;

/// Names exchanges that come without a name.
#[derive(Debug)]
pub(crate) struct RequestIds {
    /// Random, so that two processes behind one load balancer do not name alike.
    prefix: u64,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        Self {
            prefix: RandomState::new().build_hasher().finish(),
            next: AtomicU64::new(1),
        }
    }

    /// The client's name for the exchange if it is 1 to 128 visible ASCII characters, else a new one.
    pub(crate) fn of(&self, headers: &HeaderMap) -> HeaderValue {
        if let Ok(Some(value)) = header::single_value(headers, &X_REQUEST_ID)
            && (1..=LONGEST).contains(&value.len())
            && value.iter().all(u8::is_ascii_graphic)
            && let Some(value) = headers.get(X_REQUEST_ID)
        {
            return value.clone();
        }
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{:016x}-{n:x}", self.prefix);
        HeaderValue::try_from(name).unwrap_or(HeaderValue::from_static("unnamed"))
    }
}
