//! The list of all tools, which of them a server lists, and how texts name the others.

mod cursor;
mod instructions;
mod listed;
mod pages;
mod selection;
mod walk;

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use qortal_client::{Node, RequestCounter};

pub use self::{
    instructions::instructions,
    listed::UnknownName,
    pages::{PageOfRows, Pages},
    selection::{OutputSchemas, Selection, Surface},
    walk::Place,
};
use crate::{
    Object,
    context::{Context, SharedContext},
    declare::{Entry, Family, Outcome},
    error::ToolError,
    family,
    progress::{Report, reporting},
    question::{self, Question},
};

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
                drawings: Arc::new(qortal_charts::Drawings::default()),
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
    /// use qortal_client::{Config, Node};
    /// use qortal_testnode::{Scenario, TestNode};
    /// use qortal_tools::{Catalog, Object, Selection};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let simulated = TestNode::start_lenient(Scenario::recorded()).await?;
    /// let catalog = Catalog::new(Node::new(Config::new(simulated.url()))?, &Selection::default())?;
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

    /// Answers one call, and reports its progress once a second. A call that has ended by then is not reported.
    ///
    /// # Errors
    ///
    /// As [`Catalog::call`].
    pub async fn call_reporting(
        &self,
        entry: &Entry,
        arguments: Object,
        report: &Report<'_>,
    ) -> Result<Outcome, ToolError> {
        reported(self.shared.clone(), entry, arguments, report).await
    }

    /// Answers one call of a caller with its own selection, to whom progress is reported if it asked for that, as part of a trace if that is known; errors as
    /// [`Catalog::call`].
    #[cfg(feature = "mcp")]
    pub(crate) async fn call_listing(
        &self,
        selection: Arc<Selection>,
        entry: &Entry,
        arguments: Object,
        report: Option<&Report<'_>>,
        trace_parent: Option<String>,
    ) -> Result<Outcome, ToolError> {
        let mut shared = SharedContext {
            selection,
            ..self.shared.clone()
        };
        if let Some(trace_parent) = trace_parent {
            shared.node = shared.node.traced_by(&trace_parent);
        }
        match report {
            Some(report) => reported(shared, entry, arguments, report).await,
            None => entry.call(shared, arguments).await,
        }
    }

    /// The context of a call of `tool` without arguments.
    pub(crate) fn context(&self, tool: &'static str) -> Context {
        Context::new(self.shared.clone(), tool, Object::new())
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

pub(crate) const CALL_TOOL: &str = "call_tool";
const REMARK: &str = " (through call_tool)";

impl Selection {
    /// What a listed tool does, for models.
    #[must_use]
    pub fn description(&self, entry: &Entry) -> Cow<'static, str> {
        self.reachable(entry.description)
    }

    /// A text with a remark after the first mention of each tool that is not listed.
    #[must_use]
    pub fn reachable<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if !text.contains('_') {
            return text.into();
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut reached = String::new();
        let mut rest = text;
        while let Some(place) = rest.find(is_part) {
            let (before, from) = rest.split_at(place);
            let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            reached.push_str(before);
            // Names of one word are words of other sentences too.
            let is_new = word.contains('_') && !reached.contains(word);
            reached.push_str(word);
            if is_new && self.hides(word) {
                reached.push_str(REMARK);
            }
            rest = after;
        }
        reached.push_str(rest);
        if reached.len() == text.len() {
            text.into()
        } else {
            reached.into()
        }
    }

    /// Whether there is such a tool, and it is not listed, and `call_tool` is.
    pub(crate) fn hides(&self, tool: &str) -> bool {
        let mut is_listed = false;
        let mut can_call = false;
        for entry in self.listed() {
            is_listed |= entry.name == tool;
            can_call |= entry.name == CALL_TOOL;
        }
        can_call && !is_listed && Catalog::entries().any(|it| it.name == tool)
    }
}
