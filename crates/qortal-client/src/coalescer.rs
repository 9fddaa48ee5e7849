//! Coalesces identical requests that are in flight at the same time.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OnceCell;

/// The requests in flight, by key.
#[derive(Debug)]
pub(crate) struct RequestCoalescer<K, T> {
    in_flight: Mutex<HashMap<K, Arc<OnceCell<T>>>>,
}

impl<K: Clone + Eq + Hash, T: Clone> RequestCoalescer<K, T> {
    pub(crate) fn new() -> Self {
        Self {
            in_flight: Mutex::new(HashMap::new()),
        }
    }

    /// Awaits `request`, or the one that another caller has started under the same key.
    ///
    /// Nothing is spawned: the first caller drives the request, and if it is dropped before the end, one of those waiting
    /// starts over with its own.
    pub(crate) async fn join(&self, key: K, request: impl Future<Output = T>) -> T {
        let share = self.share(key);
        share.cell.get_or_init(|| request).await.clone()
    }

    fn share(&self, key: K) -> Share<'_, K, T> {
        let mut in_flight = self
            .in_flight
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let cell = Arc::clone(in_flight.entry(key.clone()).or_default());
        Share {
            coalescer: self,
            key,
            cell,
        }
    }
}

/// A caller's share in a request.
struct Share<'a, K: Eq + Hash, T> {
    coalescer: &'a RequestCoalescer<K, T>,
    key: K,
    cell: Arc<OnceCell<T>>,
}

impl<K: Eq + Hash, T> Drop for Share<'_, K, T> {
    /// Ends the sharing when there is a result, so that the next caller sends a new request, or when this caller was the
    /// last one.
    fn drop(&mut self) {
        let mut in_flight = self
            .coalescer
            .in_flight
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // One count is this share's and one is the map's.
        let is_over = self.cell.initialized() || Arc::strong_count(&self.cell) <= 2;
        let is_ours = in_flight
            .get(&self.key)
            .is_some_and(|cell| Arc::ptr_eq(cell, &self.cell));
        if is_over && is_ours {
            in_flight.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests;
