//! A byte-bounded response cache that also coalesces identical requests in flight.
//!
//! It stores immutable responses, and for a short time responses that many callers request.
//!
//! A crate such as quick_cache would replace only the eviction order. It has no counterpart for the rest: each entry first reserves
//! memory in the program's budget, new events about a resource remove the entries below its path, and a late caller does not share
//! a failure.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use message_buffer::ORDINARY_BYTES;
use parking_lot::Mutex;
use qortal_types::Height;
use tokio::{sync::OnceCell, time::Instant};

use crate::{
    AnswerMemory, MemoryGrant, NodeConfig, NodeError,
    call::{Request, RequestKey},
    transport::Received,
};

/// Who joins a request that began so much earlier does not share its failure, which says little of what the nodes would answer now.
const EARLIER: Duration = Duration::from_millis(100);

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
    /// Shortest time for which a response that may change is cached. The longest time is twice as long. Zero caches only immutable
    /// responses.
    time: Duration,
    /// The number of blocks that must follow before a response counts as immutable.
    depth: u32,
    memory: Option<AnswerMemory>,
    state: Mutex<State>,
    /// The highest block that one's own nodes stated. 0 if none.
    tip: AtomicU32,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// Cache statistics, for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CacheUsage {
    /// The number of requests answered from the cache.
    pub hits: u64,
    /// The number of cacheable requests that were sent to a node.
    pub misses: u64,
    /// The number of cached responses.
    pub entries: usize,
    /// The size of the cached responses, in bytes.
    pub bytes: usize,
}

/// What came of a request.
type Outcome = Result<Received, NodeError>;

/// What is known of a request that is about to be made.
enum Found<'a> {
    /// The answer.
    Answer(Received),
    /// It is to be made, with everyone who makes it meanwhile.
    InFlight(InFlight<'a>),
}

/// A caller's share in a request. Nothing is spawned: the first caller drives the request, and if it is dropped before the end,
/// one of those waiting starts over with its own.
struct InFlight<'a> {
    cache: &'a Cache,
    key: RequestKey,
    flight: Arc<Flight>,
}

/// One request of many callers.
struct Flight {
    begun: Instant,
    outcome: OnceCell<Outcome>,
}

/// When a request began: what is kept must not be older than the last block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generation(u64);

#[derive(Default)]
struct State {
    in_flight: HashMap<RequestKey, Arc<Flight>>,
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
    },
}

impl Cache {
    /// Creates a cache; a budget of 0 keeps nothing.
    pub(crate) fn new(config: &NodeConfig) -> Self {
        Self {
            budget: config.cache_bytes,
            time: config.cache_time,
            depth: config.cache_depth,
            memory: config.memory.clone(),
            state: Mutex::default(),
            tip: AtomicU32::new(0),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// The answer to a request: one that is kept, that of another caller who is asking the same, or that of `ask`.
    pub(crate) async fn get<F: Future<Output = Outcome>>(
        &self,
        request: &Request,
        ask: impl Fn() -> F,
    ) -> Outcome {
        let start = Instant::now();
        let is_of_then = |outcome: &Outcome| match outcome {
            Ok(received) => received.status >= 500,
            Err(error) => error.is_unavailable() || error.is_overload(),
        };
        match self.share(request, &ask).await {
            (outcome, begun) if is_of_then(&outcome) && begun + EARLIER <= start => {
                self.share(request, &ask).await.0
            }
            (outcome, _) => outcome,
        }
    }

    /// What came of a request, and when it began.
    async fn share<F: Future<Output = Outcome>>(
        &self,
        request: &Request,
        ask: impl Fn() -> F,
    ) -> (Outcome, Instant) {
        let shared = match self.find(request.key(), request.is_cacheable()) {
            Found::Answer(received) => return (Ok(received), Instant::now()),
            Found::InFlight(it) => it,
        };
        let ask_and_keep = async || {
            let (generation, start) = (self.generation(), Instant::now());
            let received = ask().await?;
            let is_good = received.source.is_own && received.status == 200;
            if is_good && request.is_cacheable() {
                self.keep_recent(&shared.key, &received, generation, start.elapsed());
            }
            Ok(received)
        };
        let Flight { begun, outcome } = &*shared.flight;
        let outcome = outcome.get_or_init(ask_and_keep).await;
        (outcome.clone(), *begun)
    }

    /// Returns a usable response. A response is fresh for a time, and for the same period after that it is stale: one caller
    /// refreshes it, and all others get the stale response.
    fn find(&self, key: RequestKey, is_cacheable: bool) -> Found<'_> {
        let may_be_kept = is_cacheable && self.budget > 0 && !self.time.is_zero();
        let mut state = self.state.lock();
        if may_be_kept {
            let kept = state.find(&key);
            let count = if kept.is_some() {
                &self.hits
            } else {
                &self.misses
            };
            count.fetch_add(1, Ordering::Relaxed);
            if let Some(received) = kept {
                return Found::Answer(received);
            }
        }
        let flight = state.in_flight.entry(key.clone()).or_insert_with(|| {
            Arc::new(Flight {
                begun: Instant::now(),
                outcome: OnceCell::new(),
            })
        });
        Found::InFlight(InFlight {
            cache: self,
            key,
            flight: Arc::clone(flight),
        })
    }

    /// An answer that can never change.
    pub(crate) fn find_immutable(&self, key: &RequestKey) -> Option<Received> {
        let found = self.state.lock().immutable(key)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(found)
    }

    /// For a request that begins now.
    fn generation(&self) -> Generation {
        Generation(self.state.lock().generation)
    }

    /// Caches a response for a short time, unless there was a new block since its request began. `cost` is the duration of the
    /// request.
    fn keep_recent(
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
        };
        self.keep(key, received, life, Some(begun));
    }

    /// Keeps an answer about a block if so many follow that it can never change.
    pub(crate) fn keep_if_deep(&self, key: &RequestKey, received: &Received, height: Height) {
        let tip = self.tip.load(Ordering::Relaxed);
        let is_deep = height.number() > 0 && height.number().saturating_add(self.depth) <= tip;
        if is_deep && received.source.is_own {
            self.keep_forever(key, received);
        }
    }

    /// Caches an immutable response.
    fn keep_forever(&self, key: &RequestKey, received: &Received) {
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
        let mut state = self.state.lock();
        if begun.is_some_and(|it| it != Generation(state.generation)) {
            return;
        }
        state.remove(key);
        while state.bytes + bytes > self.budget && state.remove_least_used() {}
        let all = state.bytes + bytes;
        if !state.grow_to(all, self.memory.as_ref()) {
            return;
        }
        state.insert(key, received, bytes, life);
    }

    /// The highest block that one's own nodes stated.
    pub(crate) fn tip(&self) -> Option<Height> {
        let tip = self.tip.load(Ordering::Relaxed);
        (tip > 0).then(|| Height::new(tip))
    }

    /// Notes a height that one's own node stated. A new block ends what is kept for a moment.
    pub(crate) fn saw_height(&self, height: Height) {
        let before = self.tip.fetch_max(height.number(), Ordering::Relaxed);
        // The first height that is known is no news.
        if before != 0 && before < height.number() {
            self.forget_recent();
        }
    }

    /// Forgets what may have changed with a new block.
    pub(crate) fn forget_recent(&self) {
        self.forget_below("");
    }

    /// Forgets what may have changed of one resource, whose paths begin so.
    pub(crate) fn forget_below(&self, path: &str) {
        let mut state = self.state.lock();
        state.generation += 1;
        state.forget_below(path);
    }

    pub(crate) fn usage(&self) -> CacheUsage {
        let state = self.state.lock();
        CacheUsage {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            entries: state.answers.len(),
            bytes: state.bytes,
        }
    }
}

impl State {
    /// Returns a usable response, or `None` if this caller should refresh it.
    fn find(&mut self, key: &RequestKey) -> Option<Received> {
        let entry = self.answers.get(key)?;
        if let Life::Recent { since, fresh } = entry.life {
            let age = since.elapsed();
            if age >= fresh.saturating_mul(2) {
                self.remove(key);
                return None;
            }
            if age >= fresh && !self.in_flight.contains_key(key) {
                return None;
            }
        }
        let received = entry.received.clone();
        self.touch(key);
        Some(received)
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

    fn forget_below(&mut self, path: &str) {
        let is_changed = |key: &RequestKey, entry: &Entry| {
            matches!(entry.life, Life::Recent { .. }) && key.0.starts_with(path)
        };
        for (_, entry) in self.answers.extract_if(|key, entry| is_changed(key, entry)) {
            self.bytes -= entry.bytes;
            self.order.remove(&entry.last_use);
        }
    }

    /// Whether there is memory for so many bytes in all.
    fn grow_to(&mut self, bytes: usize, memory: Option<&AnswerMemory>) -> bool {
        let Some(memory) = memory else {
            return true;
        };
        let grant = self.grant.get_or_insert_with(|| (memory.0)());
        grant(bytes)
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("answers", &self.answers.len())
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl Drop for InFlight<'_> {
    /// Ends the sharing when there is a result, so that the next caller sends a new request, or when this caller was the
    /// last one.
    fn drop(&mut self) {
        let mut state = self.cache.state.lock();
        // One count is this share's and one is the map's.
        let is_over = self.flight.outcome.initialized() || Arc::strong_count(&self.flight) <= 2;
        let is_ours = state
            .in_flight
            .get(&self.key)
            .is_some_and(|flight| Arc::ptr_eq(flight, &self.flight));
        if is_over && is_ours {
            state.in_flight.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests;
