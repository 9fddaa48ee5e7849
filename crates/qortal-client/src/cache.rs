//! Answers that are kept within a budget of bytes: what can never change, and for a moment what many callers ask for.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use paged_buffer::ORDINARY_BYTES;
use tokio::time::Instant;

use crate::{AnswerMemory, MemoryGrant, call::RequestKey, transport::Received};

/// The overhead of an entry beside its bytes and its path: two entries of collections and their allocations.
const ENTRY_BYTES: usize = 256;

/// No answer takes more than this part of the budget, so that a large one does not displace all others.
const LARGEST_PART: usize = 4;

/// An answer is kept ten times as long as the node took for it, within bounds: then the node spends no more than a tenth of
/// its time on it.
const TIMES_ITS_COST: u32 = 10;

/// What the answers of one node, and of others that are trusted as much, are kept in.
#[derive(Debug)]
pub(crate) struct Cache {
    budget: usize,
    /// How long an answer that may change is kept, at least; at most twice as long. Zero keeps only what cannot change.
    time: Duration,
    memory: Option<AnswerMemory>,
    entries: Mutex<Entries>,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// How the cache was used, for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CacheUsage {
    /// Requests that were answered from the cache.
    pub hits: u64,
    /// Requests that it could have answered, and that were sent.
    pub misses: u64,
    /// The answers that it keeps.
    pub entries: usize,
    /// The bytes that they take.
    pub bytes: usize,
}

/// What is known of a request that is about to be made.
#[derive(Debug)]
pub(crate) enum Found<'a> {
    /// The answer.
    Answer(Received),
    /// This caller is to ask, and others get the earlier answer until it is told.
    Due(Refresh<'a>),
    /// Nothing.
    Nothing,
}

/// Held by the one caller that asks for an answer again. When it is dropped, another one may.
#[derive(Debug)]
pub(crate) struct Refresh<'a> {
    cache: &'a Cache,
    key: RequestKey,
}

/// When a request began: what is kept must not be older than the last block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generation(u64);

#[derive(Default)]
struct Entries {
    answers: HashMap<RequestKey, Entry>,
    /// The keys by when they were last used.
    order: BTreeMap<u64, RequestKey>,
    uses: u64,
    bytes: usize,
    /// Counts how often recent answers were forgotten.
    generation: u64,
    grant: Option<MemoryGrant>,
}

struct Entry {
    received: Received,
    bytes: usize,
    last_use: u64,
    life: Life,
}

/// How long an answer is kept.
#[derive(Clone, Copy)]
enum Life {
    /// It can never change.
    Forever,
    Recent {
        since: Instant,
        fresh: Duration,
        is_being_refreshed: bool,
    },
}

impl Cache {
    /// Creates a cache; a budget of 0 keeps nothing.
    pub(crate) fn new(budget: usize, time: Duration, memory: Option<AnswerMemory>) -> Self {
        Self {
            budget,
            time,
            memory,
            entries: Mutex::default(),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// Looks for an answer that may be given now. An answer is fresh for a time; for as long again it is given to everyone
    /// but the one caller who asks anew.
    pub(crate) fn find(&self, key: &RequestKey) -> Found<'_> {
        if self.budget == 0 || self.time.is_zero() {
            return Found::Nothing;
        }
        let found = match self.entries().find(key) {
            Lookup::Answer(received) => Found::Answer(received),
            Lookup::Due => Found::Due(Refresh {
                cache: self,
                key: key.clone(),
            }),
            Lookup::Nothing => Found::Nothing,
        };
        let count = match found {
            Found::Answer(_) => &self.hits,
            Found::Due(_) | Found::Nothing => &self.misses,
        };
        count.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// An answer that can never change.
    pub(crate) fn find_immutable(&self, key: &RequestKey) -> Option<Received> {
        let found = self.entries().immutable(key)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(found)
    }

    /// For a request that begins now.
    pub(crate) fn generation(&self) -> Generation {
        Generation(self.entries().generation)
    }

    /// Keeps an answer for a moment, unless there was a new block since its request began. `cost` is how long the node took.
    pub(crate) fn keep_recent(
        &self,
        key: &RequestKey,
        received: &Received,
        begun: Generation,
        cost: Duration,
    ) {
        if self.time.is_zero() {
            return;
        }
        let longest = self.time.saturating_mul(2);
        let fresh = cost
            .saturating_mul(TIMES_ITS_COST)
            .clamp(self.time, longest);
        let life = Life::Recent {
            since: Instant::now(),
            fresh,
            is_being_refreshed: false,
        };
        self.keep(key, received, life, Some(begun));
    }

    /// Keeps an answer that can never change.
    pub(crate) fn keep_forever(&self, key: &RequestKey, received: &Received) {
        self.keep(key, received, Life::Forever, None);
    }

    fn keep(&self, key: &RequestKey, received: &Received, life: Life, begun: Option<Generation>) {
        let bytes = ENTRY_BYTES + key.0.len() + received.body.len();
        if bytes > self.budget / LARGEST_PART {
            return;
        }
        let mut received = received.clone();
        // The buffer of a small answer is up to twice as large as the answer; a large one has pages of its own.
        if received.body.len() <= ORDINARY_BYTES {
            received.body = Bytes::copy_from_slice(&received.body);
        }
        let mut entries = self.entries();
        if begun.is_some_and(|it| it != Generation(entries.generation)) {
            return;
        }
        entries.remove(key);
        while entries.bytes + bytes > self.budget && entries.remove_least_used() {}
        let all = entries.bytes + bytes;
        if !entries.grow_to(all, self.memory.as_ref()) {
            return;
        }
        entries.insert(key, received, bytes, life);
    }

    /// Forgets what may have changed with a new block.
    pub(crate) fn forget_recent(&self) {
        let mut entries = self.entries();
        entries.generation += 1;
        entries.forget(|_| true);
    }

    /// Forgets what may have changed of one resource, whose paths begin so.
    pub(crate) fn forget_below(&self, path: &str) {
        let mut entries = self.entries();
        entries.generation += 1;
        entries.forget(|key| key.0.starts_with(path));
    }

    pub(crate) fn usage(&self) -> CacheUsage {
        let entries = self.entries();
        CacheUsage {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            entries: entries.answers.len(),
            bytes: entries.bytes,
        }
    }

    fn entries(&self) -> std::sync::MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Lookup {
    Answer(Received),
    Due,
    Nothing,
}

impl Entries {
    fn find(&mut self, key: &RequestKey) -> Lookup {
        let Some(entry) = self.answers.get_mut(key) else {
            return Lookup::Nothing;
        };
        if let Life::Recent {
            since,
            fresh,
            is_being_refreshed,
        } = &mut entry.life
        {
            let age = since.elapsed();
            if age >= fresh.saturating_mul(2) {
                self.remove(key);
                return Lookup::Nothing;
            }
            if age >= *fresh && !*is_being_refreshed {
                *is_being_refreshed = true;
                return Lookup::Due;
            }
        }
        let received = entry.received.clone();
        self.touch(key);
        Lookup::Answer(received)
    }

    fn immutable(&mut self, key: &RequestKey) -> Option<Received> {
        let entry = self.answers.get(key)?;
        let received = match entry.life {
            Life::Forever => entry.received.clone(),
            Life::Recent { .. } => return None,
        };
        self.touch(key);
        Some(received)
    }

    /// Makes an answer the last to be removed.
    fn touch(&mut self, key: &RequestKey) {
        self.uses += 1;
        if let Some(entry) = self.answers.get_mut(key)
            && let Some(key) = self.order.remove(&entry.last_use)
        {
            entry.last_use = self.uses;
            self.order.insert(self.uses, key);
        }
    }

    fn insert(&mut self, key: &RequestKey, received: Received, bytes: usize, life: Life) {
        self.uses += 1;
        self.bytes += bytes;
        self.order.insert(self.uses, key.clone());
        let entry = Entry {
            received,
            bytes,
            last_use: self.uses,
            life,
        };
        self.answers.insert(key.clone(), entry);
    }

    fn remove(&mut self, key: &RequestKey) {
        if let Some(entry) = self.answers.remove(key) {
            self.bytes -= entry.bytes;
            self.order.remove(&entry.last_use);
        }
    }

    /// Whether there was one.
    fn remove_least_used(&mut self) -> bool {
        let Some((_, key)) = self.order.pop_first() else {
            return false;
        };
        self.remove(&key);
        true
    }

    fn forget(&mut self, is_changed: impl Fn(&RequestKey) -> bool) {
        let changed = self
            .answers
            .iter()
            .filter(|(key, entry)| matches!(entry.life, Life::Recent { .. }) && is_changed(key));
        let changed: Vec<_> = changed.map(|(key, _)| key.clone()).collect();
        for key in changed {
            self.remove(&key);
        }
    }

    /// Whether there is memory for so many bytes in all.
    fn grow_to(&mut self, bytes: usize, memory: Option<&AnswerMemory>) -> bool {
        let Some(memory) = memory else {
            return true;
        };
        let grant = self.grant.get_or_insert_with(|| memory.begin());
        grant(bytes)
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entries")
            .field("answers", &self.answers.len())
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl Drop for Refresh<'_> {
    fn drop(&mut self) {
        let mut entries = self.cache.entries();
        if let Some(entry) = entries.answers.get_mut(&self.key)
            && let Life::Recent {
                is_being_refreshed, ..
            } = &mut entry.life
        {
            *is_being_refreshed = false;
        }
    }
}

#[cfg(test)]
mod tests;
