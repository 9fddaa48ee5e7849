//! A complete MCP server for one node.

use std::sync::Arc;

use mcp_protocol::ServerInfo;
use mcp_server::{ChangeNotifier, MemoryBudget, Server, ServerBuilder, ServerLimits};
use qortal_client::AnswerMemory;
use qortal_tools::{Catalog, instructions};

use super::{Prompts, Resources, Tools, views};
use crate::{Completions, PollInterval, Subscriptions};

/// The clients' subscriptions to resources of one node, and the notifier of their changes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ResourceUpdates {
    /// Subscriptions to resources.
    pub subscriptions: Subscriptions,
    /// Notifier of changed resources.
    pub changes: ChangeNotifier,
}

impl ResourceUpdates {
    /// Creates the subscriptions. Resources do not depend on a selection, so any catalog of the node works.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self::with_policy(catalog, PollInterval::default())
    }

    /// Creates the subscriptions with a custom poll policy.
    #[must_use]
    pub fn with_policy(catalog: Arc<Catalog>, policy: PollInterval) -> Self {
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

/// Returns a server with the catalog's tools, resources, prompts, completions, views and instructions. It notifies clients of changes.
#[must_use]
pub fn server(
    server_info: ServerInfo,
    catalog: Arc<Catalog>,
    live: &ResourceUpdates,
) -> ServerBuilder {
    server_without_sets(server_info, &catalog, live)
        .tools(Tools::new(Arc::clone(&catalog)))
        .resources(Resources::new(Arc::clone(&catalog)).with_subscriptions(&live.subscriptions))
        .prompts(Prompts::new(Arc::clone(&catalog)))
        .completer(Completions::new(catalog))
}

/// Returns the same server without tools, resources, prompts and completions, for callers that add their own sets.
#[must_use]
pub fn server_without_sets(
    server_info: ServerInfo,
    catalog: &Arc<Catalog>,
    live: &ResourceUpdates,
) -> ServerBuilder {
    let listed = Arc::clone(catalog.selection());
    let server = Server::builder(server_info);
    let shown = views().iter().filter(|_| listed.views).cloned();
    let server = shown.fold(server, ServerBuilder::view);
    server
        .instructions_by_variant(move |scope| {
            instructions(scope.data().as_ref().unwrap_or(&listed))
        })
        .resource_updates(&live.changes)
}

/// Returns the limits of a server for one node.
#[must_use]
pub fn limits() -> ServerLimits {
    // Each subscription costs the node one request per block, or one per poll.
    ServerLimits::default()
        .with_subscriptions_per_client(10)
        .with_subscriptions(1_000)
}

/// Returns the memory that responses of the node draw from, which is the budget of client messages. The parsed values take about as much
/// again.
#[must_use]
pub fn answer_memory(budget: &MemoryBudget) -> AnswerMemory {
    let budget = budget.clone();
    AnswerMemory::new(move || {
        let mut reserved = budget.empty_reservation();
        Box::new(move |bytes| reserved.try_grow_to(bytes.saturating_mul(2)))
    })
}
