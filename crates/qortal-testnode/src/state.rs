//! What a node's owner and its connections share.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard},
    time::Duration,
};

use tokio::sync::{Notify, watch};

use crate::{
    Event, Exchange, Fault,
    answer::Answer,
    fault::Faults,
    journal::Journal,
    processors::{Costs, Processors},
    wire::Listener,
    world::World,
};

/// Shared by the handle, the accept loop and the connections of one node.
#[derive(Debug)]
pub(crate) struct Shared {
    world: RwLock<World>,
    /// Where connections come from; none while the node refuses them.
    pub(crate) listener: Mutex<Option<Listener>>,
    /// Wakes the accept loop after the port was opened or closed.
    pub(crate) listener_changed: Notify,
    /// How much has happened, for those who tell of it.
    happened: watch::Sender<u64>,
    inner: Mutex<Inner>,
    costs: Option<Costs>,
    processors: Processors,
}

#[derive(Debug, Default)]
struct Inner {
    faults: Faults,
    journal: Journal,
    latency: Duration,
    strict: bool,
    unexpected: Vec<String>,
    answers: Answers,
}

/// Answers that never change, by target and accepted media types.
#[derive(Debug, Default)]
struct Answers {
    by_request: HashMap<(String, Option<String>), Answer>,
    bytes: usize,
}

/// How much memory the kept answers may take.
const ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// How many unexpected requests are remembered.
const UNEXPECTED_KEPT: usize = 100;

impl Shared {
    pub(crate) fn new(world: World, listener: Listener, strict: bool) -> Self {
        let costs = world.scenario.costs;
        let inner = Inner {
            strict,
            ..Inner::default()
        };
        Self {
            world: RwLock::new(world),
            listener: Mutex::new(Some(listener)),
            listener_changed: Notify::new(),
            happened: watch::Sender::new(0),
            inner: Mutex::new(inner),
            costs,
            processors: Processors::default(),
        }
    }

    /// The world as it is now.
    pub(crate) fn world(&self) -> RwLockReadGuard<'_, World> {
        // A handler that panics reads only, so what a poisoned lock guards is whole.
        self.world.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets something happen.
    pub(crate) fn happen(&self, event: &Event) {
        self.change(|world| world.happen(event));
    }

    /// Lets a minute go by on a chain that goes on by itself.
    pub(crate) fn tick(&self) {
        self.change(World::tick);
    }

    /// Changes the world; no answer from before is kept.
    fn change(&self, change: impl FnOnce(&mut World)) {
        let mut world = self.world.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut world);
        self.inner().answers = Answers::default();
        drop(world);
        self.happened
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Wakes when something has happened.
    pub(crate) fn happened(&self) -> watch::Receiver<u64> {
        self.happened.subscribe()
    }

    /// Notes that a websocket is no more.
    pub(crate) fn socket_closed(&self, target: &str) {
        self.inner().journal.add(Exchange {
            method: "CLOSE".to_owned(),
            target: target.to_owned(),
            accept: None,
            has_api_key: false,
            trace_parent: None,
            rows_read: 0,
        });
    }

    /// Notes a request, and tells its place in the journal, the fault it meets, and how long its answer is to be delayed.
    pub(crate) fn arrival(&self, path: &str, exchange: Exchange) -> (u64, Option<Fault>, Duration) {
        let mut inner = self.inner();
        let place = inner.journal.add(exchange);
        (place, inner.faults.take(path), inner.latency)
    }

    /// Notes how many rows were read for the request at a place of the journal, and waits as long as that takes.
    pub(crate) async fn read(&self, place: u64, rows: usize) {
        self.inner().journal.read(place, rows);
        if let Some(costs) = self.costs {
            self.processors.work(costs, rows).await;
        }
    }

    /// Remembers a request that should not have been made, unless the node does not care.
    pub(crate) fn unexpected(&self, what: String) {
        let mut inner = self.inner();
        if inner.strict && inner.unexpected.len() < UNEXPECTED_KEPT {
            inner.unexpected.push(what);
        }
    }

    pub(crate) fn take_unexpected(&self) -> Vec<String> {
        std::mem::take(&mut self.inner().unexpected)
    }

    pub(crate) fn be_lenient(&self) {
        let mut inner = self.inner();
        inner.strict = false;
        inner.unexpected.clear();
    }

    pub(crate) fn kept_answer(&self, key: &(String, Option<String>)) -> Option<Answer> {
        self.inner().answers.by_request.get(key).cloned()
    }

    /// Keeps an answer while there is room.
    pub(crate) fn keep_answer(&self, key: (String, Option<String>), answer: &Answer) {
        let answers = &mut self.inner().answers;
        let key_bytes = key.0.len() + key.1.as_ref().map_or(0, String::len);
        let bytes = answers.bytes + answer.body.len() + key_bytes + size_of::<Answer>();
        if bytes <= ANSWER_BYTES && answers.by_request.insert(key, answer.clone()).is_none() {
            answers.bytes = bytes;
        }
    }

    pub(crate) fn add_fault(&self, pattern: &str, fault: Fault, times: Option<usize>) {
        self.inner().faults.add(pattern, fault, times);
    }

    pub(crate) fn clear_faults(&self) {
        self.inner().faults.clear();
    }

    pub(crate) fn set_latency(&self, latency: Duration) {
        self.inner().latency = latency;
    }

    pub(crate) fn request_count(&self) -> u64 {
        self.inner().journal.total()
    }

    pub(crate) fn exchanges(&self) -> Vec<Exchange> {
        self.inner().journal.exchanges()
    }

    pub(crate) fn listener(&self) -> MutexGuard<'_, Option<Listener>> {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Nothing panics while the lock is held, so what a poisoned lock guards is whole.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
