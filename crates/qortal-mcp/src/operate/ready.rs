//! How the nodes are, for `/ready`.

use std::{sync::Arc, time::Duration};

use mcp_operate::{ReadyCheck, ReadyCheckResult};
use mcp_server::BoxFuture;
use qortal_client::{Circuit, Node, NodeError};
use qortal_tools::Object;
use qortal_types::Height;
use serde_json::{Value, json};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::nodes::node_name;
use crate::landing::NodeFacts;

/// How often the nodes are looked at: several times within what an alert waits for.
const LOOK: Duration = Duration::from_secs(15);

/// Asks the nodes now and then, so that the figures tell of one that does not answer while no client asks it, until `stopped`.
pub(crate) async fn watch(node: &Node, stopped: &CancellationToken) {
    let looking = async {
        loop {
            node.probe().await;
            sleep(LOOK).await;
        }
    };
    stopped.run_until_cancelled(looking).await;
}

/// Looks at the nodes.
#[derive(Debug)]
pub(crate) struct NodeCheck {
    pub(crate) facts: Arc<NodeFacts>,
    pub(crate) node: Node,
    /// Whether a server whose node is not ready is not, either.
    pub(crate) is_needed: bool,
}

impl ReadyCheck for NodeCheck {
    fn check(&self) -> BoxFuture<'_, ReadyCheckResult> {
        Box::pin(async {
            let health = self.facts.seen().await.health;
            let told = |key: &str| health.as_ref().ok()?.get(key).cloned();
            let verdict = told("verdict").unwrap_or_else(|| json!("no answer"));
            // One that lacks peers or is late answers all the same; one that synchronizes answers about the past.
            let is_ready = matches!(verdict.as_str(), Some("healthy" | "degraded"));
            let mut details = Object::new();
            details.insert("node".to_owned(), verdict);
            if let Some(reasons) = told("reasons") {
                details.insert("reasons".to_owned(), reasons);
            }
            details.insert("nodes".to_owned(), nodes(&self.node));
            let problem = (self.is_needed && !is_ready).then_some("node not ready");
            ReadyCheckResult::new(problem, details)
        })
    }
}

/// What the answers of each node have shown.
fn nodes(node: &Node) -> Value {
    let health = node.health();
    let rows = health.iter().enumerate().map(|(n, health)| {
        json!({
            "node": node_name(n, health.is_own),
            "circuit": match health.circuit {
                Circuit::Closed => "closed",
                _ => "open",
            },
            "height": health.height.map(Height::number),
            "blocksBehind": health.blocks_behind.unwrap_or(0),
            "inFlight": health.in_flight,
            "lastError": health.last_error.as_ref().and_then(NodeError::cause).map(|it| it.to_string()),
        })
    });
    rows.collect()
}
