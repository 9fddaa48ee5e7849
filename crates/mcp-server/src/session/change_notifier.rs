//! Changes to what a server offers, for the clients that subscribe to them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::sync::broadcast;

/// Changes buffered for one client; a client that falls further behind is notified that everything has changed.
const BACKLOG: usize = 64;

/// Notifies clients of changes. Clones notify the same clients: a set of tools keeps one, and gives
/// one to [`crate::ServerBuilder::list_changed`].
#[derive(Debug, Clone)]
pub struct ChangeNotifier(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Incremented when a list has changed.
    generation: Arc<AtomicU64>,
    sender: broadcast::Sender<Change>,
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resources,
    Resource(Arc<str>),
    /// A user is done with a URL.
    UrlOpened(Arc<str>),
    /// The task of this id.
    Task(Arc<str>),
}

impl ChangeNotifier {
    /// A notifier without clients.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(Inner {
            generation: Arc::default(),
            sender: broadcast::Sender::new(BACKLOG),
        }))
    }

    /// Whether it notifies the same clients.
    pub(crate) fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The list of tools has changed.
    pub fn tools_changed(&self) {
        self.list_changed(Change::Tools);
    }

    /// The list of prompts has changed.
    pub fn prompts_changed(&self) {
        self.list_changed(Change::Prompts);
    }

    /// The list of resources or of templates has changed.
    pub fn resources_changed(&self) {
        self.list_changed(Change::Resources);
    }

    /// The contents of a resource have changed.
    pub fn resource_updated(&self, uri: &str) {
        self.notify(Change::Resource(uri.into()));
    }

    /// The user is done with the URL of this id. The client that was asked to open it is notified, in 2025-11-25; see
    /// [`crate::ServerBuilder::url_elicitation_notifier`].
    pub fn elicitation_completed(&self, id: &str) {
        self.notify(Change::UrlOpened(id.into()));
    }

    pub(crate) fn task_changed(&self, id: &str) {
        self.notify(Change::Task(id.into()));
    }

    /// Returns the counter of changes of lists.
    pub(crate) fn generation(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.0.generation)
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.0.sender.subscribe()
    }

    fn list_changed(&self, change: Change) {
        self.0.generation.fetch_add(1, Ordering::AcqRel);
        self.notify(change);
    }

    fn notify(&self, change: Change) {
        // It fails without receivers.
        let _ = self.0.sender.send(change);
    }
}

impl Default for ChangeNotifier {
    fn default() -> Self {
        Self::new()
    }
}
