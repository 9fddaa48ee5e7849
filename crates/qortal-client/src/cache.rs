//! Answers that can never change, within a budget of bytes.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;

/// What an answer costs beside its bytes and its path: two entries of collections and two allocations.
const ENTRY_BYTES: usize = 128;

/// Keeps answers by their path until newer ones need the room.
#[derive(Debug)]
pub(crate) struct Cache {
    budget: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    answers: HashMap<Arc<str>, Bytes>,
    /// Oldest first.
    order: VecDeque<Arc<str>>,
    bytes: usize,
}

impl Cache {
    /// With a budget of 0 nothing is kept.
    pub(crate) fn new(budget: usize) -> Self {
        Self {
            budget,
            kept: Mutex::default(),
        }
    }

    pub(crate) fn find(&self, target: &str) -> Option<Bytes> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.answers.get(target).cloned()
    }

    /// Keeps a copy of an answer, unless the answer alone exceeds the budget.
    pub(crate) fn keep(&self, target: &str, body: &[u8]) {
        let size = size(target, body);
        if size > self.budget {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.answers.contains_key(target) {
            return;
        }
        while kept.bytes + size > self.budget {
            let Some(oldest) = kept.order.pop_front() else {
                break;
            };
            if let Some(body) = kept.answers.remove(&oldest) {
                kept.bytes -= self::size(&oldest, &body);
            }
        }
        kept.bytes += size;
        let target: Arc<str> = target.into();
        kept.order.push_back(Arc::clone(&target));
        // The buffer of an answer is up to twice as large as the answer.
        kept.answers.insert(target, Bytes::copy_from_slice(body));
    }
}

fn size(target: &str, body: &[u8]) -> usize {
    ENTRY_BYTES + target.len() + body.len()
}

#[cfg(test)]
mod tests;
