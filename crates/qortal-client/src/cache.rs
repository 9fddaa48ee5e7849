//! Answers that can never change, within a budget of bytes.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;

/// The overhead of an entry beside its bytes and its path: two entries of collections and two allocations.
const ENTRY_BYTES: usize = 128;

/// Keeps answers by their path until newer ones need the room.
#[derive(Debug)]
pub(crate) struct Cache {
    budget: usize,
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    answers: HashMap<Arc<str>, Bytes>,
    /// Oldest first.
    order: VecDeque<Arc<str>>,
    bytes: usize,
}

impl Cache {
    /// Creates a cache; a budget of 0 keeps nothing.
    pub(crate) fn new(budget: usize) -> Self {
        Self {
            budget,
            entries: Mutex::default(),
        }
    }

    pub(crate) fn get(&self, target: &str) -> Option<Bytes> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.answers.get(target).cloned()
    }

    /// Keeps a copy of an answer, unless the answer alone exceeds the budget.
    pub(crate) fn insert(&self, target: &Arc<str>, body: &[u8]) {
        let size = size(target, body);
        if size > self.budget {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.answers.contains_key(target) {
            return;
        }
        while entries.bytes + size > self.budget {
            let Some(oldest) = entries.order.pop_front() else {
                break;
            };
            if let Some(body) = entries.answers.remove(&oldest) {
                entries.bytes -= self::size(&oldest, &body);
            }
        }
        entries.bytes += size;
        entries.order.push_back(Arc::clone(target));
        // The buffer of an answer is up to twice as large as the answer.
        entries
            .answers
            .insert(Arc::clone(target), Bytes::copy_from_slice(body));
    }
}

fn size(target: &str, body: &[u8]) -> usize {
    ENTRY_BYTES + target.len() + body.len()
}

#[cfg(test)]
mod tests;
