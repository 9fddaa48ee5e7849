//! How many requests were made for one caller.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

/// Counts the requests of the clients that [`Node::counted_by`](crate::Node::counted_by) returns. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct RequestCounter {
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    begun: AtomicU32,
    ended: AtomicU32,
}

impl RequestCounter {
    /// Returns how many requests have begun.
    #[must_use]
    pub fn begun(&self) -> u32 {
        self.counts.begun.load(Ordering::Relaxed)
    }

    /// Returns how many of them have ended: were answered, failed, or were dropped.
    #[must_use]
    pub fn ended(&self) -> u32 {
        self.counts.ended.load(Ordering::Relaxed)
    }

    /// Counts a request as begun now, and as ended when the guard is dropped.
    pub(crate) fn begin(&self) -> RequestGuard {
        self.counts.begun.fetch_add(1, Ordering::Relaxed);
        RequestGuard(Arc::clone(&self.counts))
    }
}

/// A request in progress.
#[derive(Debug)]
pub(crate) struct RequestGuard(Arc<Counts>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}
