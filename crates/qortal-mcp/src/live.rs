//! What clients watch: one watcher over one node, for all servers of the process.

use std::sync::Arc;

use mcp_server::ChangeNotifier;
use qortal_tools::{Catalog, Pace, Watcher};

/// Watches resources for the clients of all servers over one node.
#[derive(Debug, Clone)]
pub struct Live {
    pub(crate) watcher: Watcher,
    pub(crate) changes: ChangeNotifier,
}

impl Live {
    /// Nothing is watched yet. Every server has the resources of every other, so that any catalog will do.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self::with_pace(catalog, Pace::default())
    }

    /// The same at another pace.
    #[must_use]
    pub fn with_pace(catalog: Arc<Catalog>, pace: Pace) -> Self {
        let changes = ChangeNotifier::new();
        let told = changes.clone();
        let tell = move |uri: &str| told.resource_updated(uri);
        let watcher = Watcher::with_pace(catalog, tell, pace);
        Self { watcher, changes }
    }

    /// Ends what is watched and waits for it.
    pub async fn stop(&self) {
        self.watcher.stop().await;
    }
}
