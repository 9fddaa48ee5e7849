//! What a node's owner and its connections share.

use std::time::Duration;

use parking_lot::{Mutex, RwLock};
use tokio::sync::{Notify, watch};

use crate::{
    Exchange, Fault,
    fault::Faults,
    journal::Journal,
    processors::{Costs, Processors},
    wire::Listener,
    world::World,
};

/// Shared by the handle, the accept loop and the connections of one node.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) world: RwLock<World>,
    /// Where connections come from; none while the node refuses them.
    pub(crate) listener: Mutex<Option<Listener>>,
    /// Wakes the accept loop after the port was opened or closed.
    pub(crate) listener_changed: Notify,
    /// How much has happened, for those who tell of it.
    happened: watch::Sender<u64>,
    pub(crate) inner: Mutex<Inner>,
    costs: Option<Costs>,
    processors: Processors,
}

/// What is noted of requests, and what they meet.
#[derive(Debug, Default)]
pub(crate) struct Inner {
    pub(crate) faults: Faults,
    pub(crate) journal: Journal,
    /// How long answers are delayed.
    pub(crate) latency: Duration,
    /// Whether requests that should not have been made are remembered.
    pub(crate) is_strict: bool,
    pub(crate) unexpected: Vec<String>,
}

/// How many unexpected requests are remembered.
const UNEXPECTED_KEPT: usize = 100;

impl Shared {
    pub(crate) fn new(world: World, listener: Listener, is_strict: bool) -> Self {
        Self {
            costs: world.scenario.costs,
            world: RwLock::new(world),
            listener: Mutex::new(Some(listener)),
            listener_changed: Notify::new(),
            happened: watch::Sender::new(0),
            inner: Mutex::new(Inner {
                is_strict,
                ..Inner::default()
            }),
            processors: Processors::default(),
        }
    }

    /// Changes the world.
    pub(crate) fn change(&self, change: impl FnOnce(&mut World)) {
        change(&mut self.world.write());
        self.happened
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Wakes when something has happened.
    pub(crate) fn happened(&self) -> watch::Receiver<u64> {
        self.happened.subscribe()
    }

    /// Notes a request, and tells its place in the journal, the fault it meets, and how long its answer is to be delayed.
    pub(crate) fn arrival(&self, path: &str, exchange: Exchange) -> (u64, Option<Fault>, Duration) {
        let mut inner = self.inner.lock();
        let place = inner.journal.add(exchange);
        (place, inner.faults.take(path), inner.latency)
    }

    /// Notes how many rows were read for the request at a place of the journal, and waits as long as that takes.
    pub(crate) async fn read(&self, place: u64, rows: usize) {
        self.inner.lock().journal.read(place, rows);
        if let Some(costs) = self.costs {
            self.processors.work(costs, rows).await;
        }
    }

    /// Remembers a request that should not have been made, unless the node does not care.
    pub(crate) fn unexpected(&self, what: String) {
        let mut inner = self.inner.lock();
        if inner.is_strict && inner.unexpected.len() < UNEXPECTED_KEPT {
            inner.unexpected.push(what);
        }
    }
}
