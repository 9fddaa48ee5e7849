//! `/ready` and `/metrics`.

use std::{sync::Arc, time::Duration};

use mcp_http::{Audience, Bytes, Page, Response, Usage, Visit};
use mcp_server::{BoxFuture, MemoryBudget, Server};
use qortal_client::{Circuit, Node, NodeError};
use qortal_types::Height;
use serde_json::{Value, json};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{
    Metrics,
    metrics::{Current, node_name},
};
use crate::landing::{NodeFacts, Row};

/// What the pages tell of.
#[derive(Debug)]
pub(crate) struct Operated {
    pub(crate) facts: Arc<NodeFacts>,
    pub(crate) node: Node,
    /// What is measured, if anything is.
    pub(crate) metrics: Option<Arc<Metrics>>,
    pub(crate) memory: MemoryBudget,
    pub(crate) usage: Usage,
    pub(crate) server: Arc<Server>,
    /// Cancelled when the server is asked to stop.
    pub(crate) leaving: CancellationToken,
    /// Whether a server whose node is not ready is not, either.
    pub(crate) needs_node: bool,
}

/// What everyone may see who reaches the server.
pub(crate) fn public_pages(operated: &Arc<Operated>) -> Vec<Row> {
    vec![row(
        "/ready",
        ReadyPage(Arc::clone(operated), Detail::Status),
    )]
}

/// What only the operator reaches.
pub(crate) fn management_pages(operated: &Arc<Operated>) -> Vec<Row> {
    let ready = row("/ready", ReadyPage(Arc::clone(operated), Detail::Nodes));
    let metrics = operated.metrics.clone().map(|metrics| {
        let operated = Arc::clone(operated);
        row("/metrics", MetricsPage { operated, metrics })
    });
    std::iter::once(ready).chain(metrics).collect()
}

/// How often the nodes are looked at: several times within what an alert waits for.
const LOOK: Duration = Duration::from_secs(15);

/// Asks the nodes now and then, so that the figures tell of one that does not answer while no client asks it, until `stopped`.
pub(crate) async fn watch(node: &Node, stopped: &CancellationToken) {
    let looking = async {
        loop {
            node.look().await;
            sleep(LOOK).await;
        }
    };
    stopped.run_until_cancelled(looking).await;
}

fn row(path: &str, page: impl Page + 'static) -> Row {
    // Load balancers and monitors name each replica by its address.
    (path.to_owned(), Audience::Probes, Arc::new(page))
}

/// How much a page tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Whether the server is ready.
    Status,
    /// Also how each node is.
    Nodes,
}

/// Whether the server is to be sent requests.
#[derive(Debug)]
struct ReadyPage(Arc<Operated>, Detail);

impl ReadyPage {
    async fn response(&self) -> Response<Bytes> {
        let Self(operated, detail) = self;
        let is_draining = operated.leaving.is_cancelled();
        let health = match operated.needs_node || *detail == Detail::Nodes {
            true => operated.facts.seen().await.health,
            false => None,
        };
        let verdict = health.as_ref().and_then(|it| it.get("verdict")).cloned();
        // One that lacks peers or is late answers all the same; one that synchronizes answers about the past.
        let is_node_ready = verdict
            .as_ref()
            .and_then(Value::as_str)
            .is_some_and(|it| matches!(it, "healthy" | "degraded"));
        let (status, word) = match (is_draining, operated.needs_node && !is_node_ready) {
            (true, _) => (503, "draining"),
            (false, true) => (503, "node not ready"),
            (false, false) => (200, "ready"),
        };
        let mut body = json!({"status": word});
        if *detail == Detail::Nodes
            && let Some(body) = body.as_object_mut()
        {
            let verdict = verdict.unwrap_or_else(|| json!("no answer"));
            body.insert("node".to_owned(), verdict);
            if let Some(reasons) = health.as_ref().and_then(|it| it.get("reasons")) {
                body.insert("reasons".to_owned(), reasons.clone());
            }
            body.insert("nodes".to_owned(), nodes(&operated.node));
        }
        answer(status, "application/json", body.to_string())
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
                Circuit::HalfOpen => "half open",
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

impl Page for ReadyPage {
    fn render<'a>(&'a self, _: &'a Visit) -> BoxFuture<'a, Response<Bytes>> {
        Box::pin(self.response())
    }
}

/// The figures.
#[derive(Debug)]
struct MetricsPage {
    operated: Arc<Operated>,
    metrics: Arc<Metrics>,
}

impl Page for MetricsPage {
    fn render<'a>(&'a self, _: &'a Visit) -> BoxFuture<'a, Response<Bytes>> {
        let Self { operated, metrics } = self;
        let current = Current {
            node: operated.node.clone(),
            memory: operated.memory.clone(),
            usage: operated.usage.clone(),
            load: operated.server.load(),
            is_draining: operated.leaving.is_cancelled(),
        };
        let response = match metrics.text(&current) {
            Ok(text) => answer(200, "text/plain; version=0.0.4; charset=utf-8", text),
            Err(err) => {
                tracing::error!(%err, "the figures cannot be written");
                answer(
                    500,
                    "text/plain; charset=utf-8",
                    "the figures cannot be written\n",
                )
            }
        };
        Box::pin(async { response })
    }
}

fn answer(status: u16, content_type: &'static str, body: impl Into<Bytes>) -> Response<Bytes> {
    let response = Response::builder()
        .status(status)
        .header("Content-Type", content_type)
        .header("Cache-Control", "no-store")
        .body(body.into());
    // The status and the headers are constants.
    response.unwrap_or_else(|_| Response::default())
}
