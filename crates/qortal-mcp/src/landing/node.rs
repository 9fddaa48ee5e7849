//! What the page says of the node: asked at most once in ten seconds, however many look at it.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use qortal_client::Node;
use qortal_tools::{Catalog, Object, ToolError};
use tokio::{
    sync::OnceCell,
    time::{Instant, timeout_at},
};

use crate::doctor::NodeFault;

/// How long an answer is shown.
const FRESH: Duration = Duration::from_secs(10);
/// How long a page waits for the node.
const PATIENCE: Duration = Duration::from_secs(1);
/// The tool that judges the node.
const TOOL: &str = "get_node_health";

/// The node, as it was lately.
#[derive(Debug)]
pub(crate) struct NodeFacts {
    catalog: Arc<Catalog>,
    url: String,
    uses_public_nodes: bool,
    latest: Mutex<Option<Arc<Check>>>,
}

/// One look at the node, which all visitors of these seconds share.
#[derive(Debug)]
struct Check {
    began: Instant,
    found: OnceCell<Result<Object, NodeFault>>,
}

/// What was found, and how long ago.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The answer of the tool, or why there was none in time.
    pub(crate) health: Result<Object, NodeFault>,
    pub(crate) age: Duration,
}

impl NodeFacts {
    pub(crate) fn new(catalog: &Arc<Catalog>, node: &Node) -> Self {
        Self {
            catalog: Arc::clone(catalog),
            url: node.url().to_owned(),
            uses_public_nodes: node.health().iter().any(|it| !it.is_own),
            latest: Mutex::new(None),
        }
    }

    /// The node as it was within the last ten seconds. Returns within one second.
    pub(crate) async fn seen(&self) -> Seen {
        let check = self.check();
        let deadline = check.began + PATIENCE;
        let asked = check.found.get_or_init(|| self.ask(deadline));
        let found = match timeout_at(deadline, asked).await {
            Ok(found) => found.clone(),
            // The visitor who asked has gone, or is about to note the same.
            Err(_) => check
                .found
                .get()
                .cloned()
                .unwrap_or_else(|| Err(self.late())),
        };
        Seen {
            health: found,
            age: check.began.elapsed(),
        }
    }

    /// The latest check, or a new one. One that its visitors have left is not waited for.
    fn check(&self) -> Arc<Check> {
        let mut latest = self.latest.lock();
        let lasts = |it: &Check| {
            if it.found.initialized() {
                FRESH
            } else {
                PATIENCE
            }
        };
        if let Some(check) = &*latest
            && check.began.elapsed() < lasts(check)
        {
            return Arc::clone(check);
        }
        let (began, found) = (Instant::now(), OnceCell::new());
        Arc::clone(latest.insert(Arc::new(Check { began, found })))
    }

    async fn ask(&self, deadline: Instant) -> Result<Object, NodeFault> {
        let tool = self.catalog.entry(TOOL).ok_or_else(|| self.late())?;
        let asked = self.catalog.call(tool, Object::new());
        match timeout_at(deadline, asked).await {
            Ok(Ok(outcome)) => Ok(outcome.structure()),
            Ok(Err(ToolError::Node(err))) => {
                Err(NodeFault::new(&self.url, &err, self.uses_public_nodes))
            }
            Ok(Err(_)) | Err(_) => Err(self.late()),
        }
    }

    fn late(&self) -> NodeFault {
        NodeFault::late(&self.url, PATIENCE, self.uses_public_nodes)
    }
}
