//! What clients watch: one watcher over one node, for all servers of the process.

use std::sync::Arc;

use mcp_server::Changes;
use qortal_tools::{Catalogue, Pace, Watcher};

/// Watches resources for the clients of all servers over one node.
#[derive(Debug, Clone)]
pub struct Live {
    pub(crate) watcher: Watcher,
    pub(crate) changes: Changes,
}

impl Live {
    /// Nothing is watched yet. Every server has the resources of every other, so that any catalogue will do.
    #[must_use]
    pub fn new(catalogue: Arc<Catalogue>) -> Self {
        Self::with_pace(catalogue, Pace::default())
    }

    /// The same at another pace.
    #[must_use]
    pub fn with_pace(catalogue: Arc<Catalogue>, pace: Pace) -> Self {
        let changes = Changes::new();
        let told = changes.clone();
        let tell = move |uri: &str| told.resource_updated(uri);
        let watcher = Watcher::with_pace(catalogue, tell, pace);
        Self { watcher, changes }
    }

    /// Ends what is watched and waits for it.
    pub async fn stop(&self) {
        self.watcher.stop().await;
    }
}
