//! Answers that can never change, within a budget of bytes.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use bytes::Bytes;

/// Keeps answers by their path until newer ones need the room.
#[derive(Debug)]
pub(crate) struct Cache {
    budget: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    answers: HashMap<String, Bytes>,
    /// Oldest first.
    order: VecDeque<String>,
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
        if self.budget == 0 {
            return None;
        }
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .answers
            .get(target)
            .cloned()
    }

    /// Keeps an answer unless it alone is over the budget.
    pub(crate) fn keep(&self, target: &str, body: &Bytes) {
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
        kept.order.push_back(target.to_owned());
        kept.answers.insert(target.to_owned(), body.clone());
    }
}

/// The key is held twice.
fn size(target: &str, body: &Bytes) -> usize {
    2 * target.len() + body.len()
}

#[cfg(test)]
mod tests;
