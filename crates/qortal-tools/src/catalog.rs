//! The list of all tools, which of them a server lists, and how texts name the others.

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
    /// The tools that are listed to this caller, if it has a selection of its own.
    pub selection: Option<Arc<Selection>>,
    /// The receiver of progress, once a second. A call that has ended by then is not reported.
    pub report: Option<&'a Report<'a>>,
    /// The W3C trace context that the requests to the node carry.
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
    /// All families, in the order they are listed.
    #[must_use]
    pub fn families() -> &'static [&'static Family] {
        family::ALL
    }

    /// All tools, in the order they are listed.
    pub fn entries() -> impl Iterator<Item = &'static Entry> + Clone {
        Self::families().iter().flat_map(|family| family.tools)
    }

    /// The tools over `node`; `selection` is listed unless a caller chooses another.
    ///
    /// # Errors
    ///
    /// Fails with the first unknown name in the selection.
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

    /// Sets the nodes that `compare_nodes` asks, including the configured one.
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

    /// Sets what `get_server_config` says of the node in its notes, such as that it is simulated.
    #[must_use]
    pub fn with_node_note(mut self, note: impl Into<String>) -> Self {
        self.shared.node_note = Some(note.into().into());
        self
    }

    /// The most nodes that are compared: each costs a separate search.
    pub const MOST_COMPARED: usize = 8;

    /// The node that the tools ask.
    #[must_use]
    pub const fn node(&self) -> &Node {
        &self.shared.node
    }

    /// Which tools are listed to callers that choose none themselves.
    #[must_use]
    pub const fn selection(&self) -> &Arc<Selection> {
        &self.shared.selection
    }

    /// What people ask, with the calls that answer it.
    pub fn questions() -> impl Iterator<Item = &'static Question> + Clone {
        question::all()
    }

    /// The tool with this name, listed or not.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&'static Entry> {
        self.by_name.get(name).copied()
    }

    /// Answers one call. Dropping the future drops the requests to the node.
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
    /// // What is wrong is said in words that a model can act upon.
    /// let error = catalog.call(tool, Object::new()).await.unwrap_err();
    /// assert!(error.to_string().starts_with("Missing argument. `address` is required."));
    /// simulated.stop().await;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the arguments are invalid, if the chain does not have what they name, and if the node does
    /// not answer.
    pub async fn call(&self, entry: &Entry, arguments: Object) -> Result<Outcome, ToolError> {
        entry.call(self.shared.clone(), arguments).await
    }

    /// Answers one call with options.
    ///
    /// # Errors
    ///
    /// As [`Catalog::call`].
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

    /// Returns the address of an account that is named by its address, its public key or a registered name. A name takes one request
    /// to the node.
    ///
    /// # Errors
    ///
    /// Fails if there is no such account, and if the node does not answer.
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
