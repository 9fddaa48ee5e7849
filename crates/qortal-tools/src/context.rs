//! What a tool has at hand while it answers one call.

use std::sync::Arc;

use futures_util::future::try_join_all;
use qortal_client::{ApiError, Node, Page};
use qortal_types::Address;
use serde_json::Value;

use crate::{
    Object,
    catalog::Selection,
    declare::{AccountRef, Entry, Outcome},
    error::{Problem, ToolError},
    nearest,
    untrusted::Untrusted,
};

/// What all calls of a catalog share.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    pub(crate) node: Node,
    /// The nodes that may be compared, the configured one among them; each stands for itself alone.
    pub(crate) comparison: Arc<[Node]>,
    /// What is listed.
    pub(crate) selection: Arc<Selection>,
}

/// The surroundings, and the call that is being answered.
pub(crate) struct Context {
    pub(crate) node: Node,
    pub(crate) comparison: Arc<[Node]>,
    pub(crate) selection: Arc<Selection>,
    tool: &'static str,
    arguments: Object,
}

/// An account that a client named.
pub(crate) struct Account {
    pub(crate) address: Address,
    /// The registered name it was found by.
    pub(crate) resolved_from: Option<Untrusted>,
}

record! {
    /// The call that gets what this one left out.
    pub(crate) struct Next {
        /// The tool to call.
        tool: &'static str,
        /// Its arguments, ready to send.
        arguments: Object
    }
}

impl Context {
    pub(crate) fn new(surroundings: &Surroundings, tool: &'static str, arguments: Object) -> Self {
        let Surroundings {
            node,
            comparison,
            selection,
        } = surroundings.clone();
        Self {
            node,
            comparison,
            selection,
            tool,
            arguments,
        }
    }

    pub(crate) fn arguments(&self) -> &Object {
        &self.arguments
    }

    /// Calls another tool, as a client would.
    pub(crate) async fn call(
        &self,
        entry: &Entry,
        arguments: Object,
    ) -> Result<Outcome, ToolError> {
        let surroundings = Surroundings {
            node: self.node.clone(),
            comparison: Arc::clone(&self.comparison),
            selection: Arc::clone(&self.selection),
        };
        entry.call(&surroundings, arguments).await
    }

    /// The same call from `offset` on.
    pub(crate) fn next_from(&self, offset: u32) -> Next {
        self.next_with([("offset", offset.into())])
    }

    /// The same call with some arguments changed.
    pub(crate) fn next_with<const N: usize>(&self, changed: [(&str, Value); N]) -> Next {
        let mut arguments = self.arguments.clone();
        for (name, value) in changed {
            arguments.insert(name.to_owned(), value);
        }
        Next {
            tool: self.tool,
            arguments,
        }
    }

    /// The address behind what a client gave for one. A name costs one question to the node.
    ///
    /// Names are looked up by their reduced form, under which look-alikes are equal: a name that
    /// differs in more than case from the one registered is refused rather than guessed.
    pub(crate) async fn account(
        &self,
        parameter: &'static str,
        account: AccountRef,
    ) -> Result<Account, ToolError> {
        let name = match account {
            AccountRef::Address(address) => {
                return Ok(Account {
                    address,
                    resolved_from: None,
                });
            }
            AccountRef::Name(name) => name,
        };
        let wrong = |what: String| {
            ToolError::Arguments(vec![Problem {
                parameter: parameter.to_owned(),
                plain: "Invalid Qortal address.",
                what,
                accepted: "an address of 34 characters that starts with Q (or A), or a registered name exactly as registered, search_names finds names".to_owned(),
            }])
        };
        let shown = Value::from(name.as_str());
        let found = match self.node.name(name.as_str()).await {
            Ok(found) => found,
            Err(err) if err.is(ApiError::NAME_UNKNOWN) => {
                let nearest = nearest::name(&self.node, name.as_str()).await?;
                let nearest = nearest.map(|it| format!(" (the nearest is {})", Value::from(it)));
                return Err(wrong(format!(
                    "is {shown}, which is neither an address nor a registered name{}",
                    nearest.unwrap_or_default()
                )));
            }
            Err(err) => return Err(err.into()),
        };
        if found.name.to_lowercase() != name.as_str().to_lowercase() {
            return Err(wrong(format!(
                "is {shown}, which is only similar to the registered name {}",
                Value::from(found.name)
            )));
        }
        Ok(Account {
            address: found.owner,
            resolved_from: Some(found.name.into()),
        })
    }
}

impl Context {
    /// The addresses behind several, in their order. The client asks the node for at most eight names at once.
    pub(crate) async fn accounts(
        &self,
        parameter: &'static str,
        accounts: Vec<AccountRef>,
    ) -> Result<Vec<Account>, ToolError> {
        try_join_all(accounts.into_iter().map(|it| self.account(parameter, it))).await
    }
}

/// A list of which a part is answered.
pub(crate) struct Paged<T> {
    pub(crate) items: Vec<T>,
    pub(crate) truncated: bool,
    pub(crate) next: Option<Next>,
}

impl Context {
    /// The page to ask the node for when `limit` are wanted: one more, to know whether that is all.
    pub(crate) fn one_more(&self, limit: u32, offset: u32, reverse: bool) -> Page {
        Page {
            limit: limit.saturating_add(1),
            offset,
            reverse,
        }
    }

    /// Keeps `limit` of the items that were asked for with one more than that, so that the answer can
    /// say whether it is all, and makes the call for the rest.
    pub(crate) fn paged<T>(&self, mut items: Vec<T>, limit: u32, offset: u32) -> Paged<T> {
        let most = limit as usize;
        let truncated = items.len() > most;
        items.truncate(most);
        Paged {
            items,
            truncated,
            next: truncated.then(|| self.next_from(offset.saturating_add(limit))),
        }
    }

    /// Keeps as many items of a page as have `most` bytes together, and the first one whatever it has, so that the rest
    /// comes with the next page.
    pub(crate) fn within<T>(
        &self,
        most: usize,
        page: Paged<T>,
        offset: u32,
        bytes: impl Fn(&T) -> usize,
    ) -> Paged<T> {
        let mut sum = 0_usize;
        let fitting = page.items.iter().take_while(|it| {
            sum = sum.saturating_add(bytes(it));
            sum <= most
        });
        let kept = fitting.count().max(1);
        if kept >= page.items.len() {
            return page;
        }
        let limit = u32::try_from(kept).unwrap_or(u32::MAX);
        self.paged(page.items, limit, offset)
    }

    /// A page of a list that came whole, because the node cannot page it, and how many there are in all.
    pub(crate) fn page_of<T>(&self, items: Vec<T>, limit: u32, offset: u32) -> (u32, Paged<T>) {
        let total = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let rest = items.into_iter().skip(offset as usize).collect();
        (total, self.paged(rest, limit, offset))
    }
}
