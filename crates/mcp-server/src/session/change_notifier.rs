//! Notification of changes to lists, resources and tasks, for the clients that subscribe to them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::sync::broadcast;

/// Number of changes buffered for one client. A client that falls further behind is notified that everything has
/// changed.
const BACKLOG: usize = 64;

/// A handle for notifying clients of changes. Clones notify the same clients: a tool set keeps one clone and passes
/// another to [`crate::ServerBuilder::list_changed`].
#[derive(Debug, Clone)]
pub struct ChangeNotifier(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The number of list changes.
    generation: Arc<AtomicU64>,
    sender: broadcast::Sender<Change>,
}

/// A change that clients can be notified of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resources,
    Resource(Arc<str>),
    /// The user has finished with the URL of this ID.
    UrlOpened(Arc<str>),
    /// The task with this ID has changed.
    Task(Arc<str>),
}

impl ChangeNotifier {
    /// Creates a notifier without clients.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(Inner {
            generation: Arc::default(),
            sender: broadcast::Sender::new(BACKLOG),
        }))
    }

    /// Returns whether both notify the same clients.
    pub(crate) fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Notifies clients of a change to the list of tools.
    pub fn tools_changed(&self) {
        self.list_changed(Change::Tools);
    }

    /// Notifies clients of a change to the list of prompts.
    pub fn prompts_changed(&self) {
        self.list_changed(Change::Prompts);
    }

    /// Notifies clients of a change to the list of resources or templates.
    pub fn resources_changed(&self) {
        self.list_changed(Change::Resources);
    }

    /// Notifies subscribed clients of a change to the contents of a resource.
    pub fn resource_updated(&self, uri: &str) {
        self.notify(Change::Resource(uri.into()));
    }

    /// Notifies the client that was asked to open the URL with this ID: its user has finished. Only 2025-11-25 has this
    /// notification. See [`crate::ServerBuilder::url_elicitation_notifier`].
    pub fn elicitation_completed(&self, id: &str) {
        self.notify(Change::UrlOpened(id.into()));
    }

    pub(crate) fn task_changed(&self, id: &str) {
        self.notify(Change::Task(id.into()));
    }

    /// Returns the counter of list changes.
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
