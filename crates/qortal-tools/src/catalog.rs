//! The list of all tools, the tools a server lists, and references between tools.

mod cursor;
mod instructions;
mod listed;
mod pages;
mod reach;
mod selection;
mod walk;

use std::{collections::HashMap, sync::Arc};

use qortal_client::{Node, RequestCounter};
use qortal_types::Address;
use tool_schema::{Param, Problem};

pub(crate) use self::cursor::CursorKind;
pub use self::{
    instructions::instructions,
    listed::UnknownName,
    pages::{PageOfRows, Pages},
    reach::CALL_TOOL,
    selection::{OutputSchemas, Selection, Surface},
    walk::Place,
};
use crate::{
    Object,
    context::{Context, SharedContext},
    declare::{AccountRef, Entry, Family, Outcome},
    error::ToolError,
    family,
    question::{self, Question},
    support::progress::{Report, reporting},
};

/// Options of one call, for [`Catalog::call_with`].
#[derive(Default)]
#[non_exhaustive]
pub struct CallOptions<'a> {
    /// The tools listed to this caller, if it has its own selection.
    pub selection: Option<Arc<Selection>>,
    /// The callback that receives progress once a second. Calls shorter than that report nothing.
    pub report: Option<&'a Report<'a>>,
    /// The W3C trace context for requests to the node.
    pub trace_parent: Option<String>,
}

impl std::fmt::Debug for CallOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallOptions")
            .field("selection", &self.selection)
            .field("trace_parent", &self.trace_parent)
            .finish_non_exhaustive()
    }
}

/// All tools over one node.
#[derive(Debug, Clone)]
pub struct Catalog {
    shared: SharedContext,
    by_name: HashMap<&'static str, &'static Entry>,
}

impl Catalog {
    /// Returns all families in listing order.
    #[must_use]
    pub fn families() -> &'static [&'static Family] {
        family::ALL
    }

    /// Returns all tools in listing order.
    pub fn entries() -> impl Iterator<Item = &'static Entry> + Clone {
        Self::families().iter().flat_map(|family| family.tools)
    }

    /// Creates a catalog over `node`. It lists `selection` unless a caller brings its own.
    ///
    /// # Errors
    ///
    /// Returns an error for the first unknown name in the selection.
    pub fn new(node: Node, selection: &Selection) -> Result<Self, UnknownName> {
        selection.check()?;
        Ok(Self {
            shared: SharedContext {
                comparison: Arc::from([node.own_only()]),
                node,
                selection: Arc::new(selection.clone()),
                node_note: None,
                whole_pages: false,
                chooses_limit: false,
                #[cfg(feature = "charts")]
                drawings: Arc::new(qortal_charts::ChartCache::default()),
            },
            by_name: Self::entries().map(|it| (it.name, it)).collect(),
        })
    }

    /// Sets the nodes that `compare_nodes` queries, including the configured one.
    ///
    /// Pass each without fallback nodes and without an API key, so that it answers for itself. Only the first
    /// [`MOST_COMPARED`](Self::MOST_COMPARED) are kept. An empty list changes nothing.
    #[must_use]
    pub fn with_comparison_nodes(mut self, nodes: Vec<Node>) -> Self {
        if !nodes.is_empty() {
            self.shared.comparison = nodes.into_iter().take(Self::MOST_COMPARED).collect();
        }
        self
    }

    /// Sets the note on the node in the answer of `get_server_config`, such as "simulated".
    #[must_use]
    pub fn with_node_note(mut self, note: impl Into<String>) -> Self {
        self.shared.node_note = Some(note.into().into());
        self
    }

    /// Maximum number of nodes compared. Each costs a separate search.
    pub const MOST_COMPARED: usize = 8;

    /// Returns the node queried by the tools.
    #[must_use]
    pub const fn node(&self) -> &Node {
        &self.shared.node
    }

    /// Returns the selection listed to callers that bring none.
    #[must_use]
    pub const fn selection(&self) -> &Arc<Selection> {
        &self.shared.selection
    }

    /// Returns the common questions of users, with the calls for their answers.
    pub fn questions() -> impl Iterator<Item = &'static Question> + Clone {
        question::all()
    }

    /// Returns the tool with this name, listed or not.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&'static Entry> {
        self.by_name.get(name).copied()
    }

    /// Calls a tool. Dropping the future cancels its requests to the node.
    ///
    /// ```
    /// use qortal_client::{Node, NodeConfig};
    /// use qortal_testnode::{Scenario, TestNode};
    /// use qortal_tools::{Catalog, Object, Selection};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let simulated = TestNode::start_lenient(Scenario::recorded()).await?;
    /// let catalog = Catalog::new(Node::new(NodeConfig::new(simulated.url()))?, &Selection::default())?;
    /// let tool = catalog.entry("get_balance").ok_or("no such tool")?;
    ///
    /// let mut arguments = Object::new();
    /// arguments.insert("address".to_owned(), "chloe".into());
    /// let outcome = catalog.call(tool, arguments).await?;
    /// assert_eq!(outcome.structure()["balance"], "999956.13999452");
    ///
    /// // Errors are sentences a model can act upon.
    /// let error = catalog.call(tool, Object::new()).await.unwrap_err();
    /// assert!(error.to_string().starts_with("Missing argument. `address` is required."));
    /// simulated.stop().await;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the arguments are invalid, if they name something that the chain does not have, or if the
    /// node does not respond.
    pub async fn call(&self, entry: &Entry, arguments: Object) -> Result<Outcome, ToolError> {
        entry.call(self.shared.clone(), arguments).await
    }

    /// Calls a tool with options.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Catalog::call`].
    pub async fn call_with(
        &self,
        entry: &Entry,
        arguments: Object,
        options: CallOptions<'_>,
    ) -> Result<Outcome, ToolError> {
        let mut shared = self.shared.clone();
        if let Some(selection) = options.selection {
            shared.selection = selection;
        }
        if let Some(trace_parent) = options.trace_parent {
            shared.node = shared.node.traced_by(&trace_parent);
        }
        match options.report {
            Some(report) => reported(shared, entry, arguments, report).await,
            None => entry.call(shared, arguments).await,
        }
    }

    /// Returns the address of an account identified by its address, its public key or a registered name. A name takes
    /// one request to the node.
    ///
    /// # Errors
    ///
    /// Returns an error if the account does not exist or the node does not respond.
    pub async fn address_of(&self, account: &str) -> Result<Address, ToolError> {
        const PARAMETER: &str = "account";
        let account = AccountRef::read(&account.into())
            .map_err(|err| ToolError::Arguments(vec![Problem::new(PARAMETER, err)]))?;
        let cx = Context::new(self.shared.clone(), "resolve_identity", Object::new());
        Ok(cx.account(PARAMETER, account).await?.address)
    }
}

async fn reported(
    shared: SharedContext,
    entry: &Entry,
    arguments: Object,
    report: &Report<'_>,
) -> Result<Outcome, ToolError> {
    let requests = RequestCounter::default();
    let shared = shared.counted_by(&requests);
    reporting(entry.call(shared, arguments), &requests, report).await
}
