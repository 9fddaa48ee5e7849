//! What has changed in what a server offers, for those who wait to hear of it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::sync::broadcast;

/// Changes that one listener may be behind; beyond that it is told that everything has changed.
const BEHIND: usize = 64;

/// Tells clients what has changed. Clones tell the same clients: a set of tools keeps one, and gives
/// one to [`crate::Builder::changes`].
#[derive(Debug, Clone)]
pub struct Changes(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Goes up when a list has changed.
    generation: AtomicU64,
    sender: broadcast::Sender<Change>,
}

/// Something that has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resources,
    Resource(Arc<str>),
}

impl Changes {
    /// Nothing has changed yet.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(Inner {
            generation: AtomicU64::new(0),
            sender: broadcast::Sender::new(BEHIND),
        }))
    }

    /// The list of tools is another one now.
    pub fn tools_changed(&self) {
        self.list_changed(Change::Tools);
    }

    /// The list of prompts is another one now.
    pub fn prompts_changed(&self) {
        self.list_changed(Change::Prompts);
    }

    /// The list of resources, or of templates, is another one now.
    pub fn resources_changed(&self) {
        self.list_changed(Change::Resources);
    }

    /// A resource holds something else now.
    pub fn resource_updated(&self, uri: &str) {
        self.tell(Change::Resource(uri.into()));
    }

    pub(crate) fn generation(&self) -> u64 {
        self.0.generation.load(Ordering::Acquire)
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.0.sender.subscribe()
    }

    fn list_changed(&self, change: Change) {
        self.0.generation.fetch_add(1, Ordering::AcqRel);
        self.tell(change);
    }

    fn tell(&self, change: Change) {
        // An error says that nobody listens.
        let _ = self.0.sender.send(change);
    }
}

impl Default for Changes {
    fn default() -> Self {
        Self::new()
    }
}
