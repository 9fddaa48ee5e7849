//! Identical requests that are under way at the same time are one request.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OnceCell;

/// The requests under way, by what identifies them.
#[derive(Debug)]
pub(crate) struct Flights<T> {
    under_way: Mutex<HashMap<String, Arc<OnceCell<T>>>>,
}

impl<T: Clone> Flights<T> {
    pub(crate) fn new() -> Self {
        Self {
            under_way: Mutex::new(HashMap::new()),
        }
    }

    /// Awaits `work`, or the work that someone else has started under the same key.
    ///
    /// Nothing is spawned: the first caller does the work, and if it goes away before the end, one of those waiting starts
    /// over with its own.
    pub(crate) async fn join(&self, key: &str, work: impl Future<Output = T>) -> T {
        let ticket = self.ticket(key);
        ticket.cell.get_or_init(|| work).await.clone()
    }

    fn ticket(&self, key: &str) -> Ticket<'_, T> {
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let cell = Arc::clone(under_way.entry(key.to_owned()).or_default());
        Ticket {
            flights: self,
            key: key.to_owned(),
            cell,
        }
    }
}

/// A caller's share in a request.
struct Ticket<'a, T> {
    flights: &'a Flights<T>,
    key: String,
    cell: Arc<OnceCell<T>>,
}

impl<T> Drop for Ticket<'_, T> {
    /// Ends the sharing when there is a result, so that the next caller asks anew, or when nobody waits any more.
    fn drop(&mut self) {
        let mut under_way = self
            .flights
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // One count is ours and one is the map's.
        let is_over = self.cell.initialized() || Arc::strong_count(&self.cell) <= 2;
        let is_ours = under_way
            .get(&self.key)
            .is_some_and(|cell| Arc::ptr_eq(cell, &self.cell));
        if is_over && is_ours {
            under_way.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests;
