//! Subscriptions of clients to resources of one node.

use std::sync::Arc;

use mcp_server::ChangeNotifier;
use qortal_tools::{Catalog, PollPolicy, Subscriptions};

/// The subscriptions to resources of one node, and the changes that they report.
#[derive(Debug, Clone)]
pub struct Live {
    pub(crate) subscriptions: Subscriptions,
    pub(crate) changes: ChangeNotifier,
}

impl Live {
    /// Creates the subscriptions. Resources do not depend on a selection, so any catalog of the node will do.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self::with_policy(catalog, PollPolicy::default())
    }

    /// Like [`new`](Self::new), with another poll policy.
    #[must_use]
    pub fn with_policy(catalog: Arc<Catalog>, policy: PollPolicy) -> Self {
        let changes = ChangeNotifier::new();
        let updated = changes.clone();
        let on_update = move |uri: &str| updated.resource_updated(uri);
        let subscriptions = Subscriptions::with_policy(catalog, on_update, policy);
        Self {
            subscriptions,
            changes,
        }
    }

    /// Ends all subscriptions and waits for their tasks.
    pub async fn stop(&self) {
        self.subscriptions.stop().await;
    }
}
