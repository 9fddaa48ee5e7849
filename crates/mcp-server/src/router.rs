//! A set of tools made of handlers.

#[cfg(feature = "raw-tools")]
mod raw;
mod typed;

use std::{collections::HashMap, fmt, future::ready, sync::Arc};

use mcp_protocol::{CallToolResult, Object, Tool};

use crate::{
    AskError, BoxFuture, BuildError, CallContext, Grant, Scope, ToolReply, ToolSet, build_error,
};

/// What a handler that uses its context returns; a question without an answer is a failure of the tool.
pub type ToolOutcome = Result<CallToolResult, AskError>;

/// Answers the calls of one tool, and checks their arguments against the schema that the tool publishes.
///
/// Tools with a raw schema need none of this: [`ToolRouter::with`] checks them.
pub trait ToolHandler: Send + Sync + 'static {
    /// Answers one call. Bad arguments and failures are results with [`CallToolResult::is_error`] set.
    fn call<'a>(&'a self, arguments: Object, cx: &'a CallContext) -> BoxFuture<'a, ToolReply>;

    /// Checks what only the handler knows of the tool, when the server is built.
    ///
    /// # Errors
    /// With what is wrong with its schemas.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

/// A [`ToolSet`] of handlers: what a tool publishes is what is enforced, and each tool can be kept to some scopes.
#[derive(Default)]
#[must_use]
pub struct ToolRouter {
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
}

struct Entry {
    tool: Tool,
    handler: Box<dyn ToolHandler>,
    /// All of them have to accept a scope for the tool to exist there.
    visibility: Vec<Visibility>,
    /// What a caller must have been granted.
    required_scopes: Vec<String>,
}

type Visibility = Arc<dyn Fn(&Scope) -> bool + Send + Sync>;

impl Entry {
    fn is_visible(&self, scope: &Scope) -> bool {
        self.visibility.iter().all(|accepts| accepts(scope))
    }
}

impl ToolRouter {
    /// A router without tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool whose handler checks its arguments itself.
    pub fn with_handler(mut self, tool: Tool, handler: impl ToolHandler) -> Self {
        self.add(Entry {
            tool,
            handler: Box::new(handler),
            visibility: Vec::new(),
            required_scopes: Vec::new(),
        });
        self
    }

    /// Adds the tools of another router for the scopes that `accepts` returns `true` for. Elsewhere they are not
    /// listed, and calls of them are answered as calls of unknown tools.
    pub fn only_for(
        mut self,
        accepts: impl Fn(&Scope) -> bool + Send + Sync + 'static,
        tools: Self,
    ) -> Self {
        let accepts: Visibility = Arc::new(accepts);
        for mut entry in tools.entries {
            entry.visibility.push(Arc::clone(&accepts));
            self.add(entry);
        }
        self
    }

    /// Adds the tools of another router, for callers who have been granted `scope`. Everyone sees them; a call of anyone
    /// else is an error that names the scope, over HTTP with status 403 and a challenge, so that the client can ask its
    /// user for more access.
    pub fn requiring_scope(mut self, scope: impl Into<String>, tools: Self) -> Self {
        let scope = scope.into();
        for mut entry in tools.entries {
            entry.required_scopes.push(scope.clone());
            self.add(entry);
        }
        self
    }

    fn add(&mut self, entry: Entry) {
        // A name that is given twice is refused when the server is built.
        self.by_name
            .insert(entry.tool.name.clone(), self.entries.len());
        self.entries.push(entry);
    }
}

impl fmt::Debug for ToolRouter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.entries.iter().map(|it| &it.tool.name))
            .finish()
    }
}

impl ToolSet for ToolRouter {
    fn tools(&self, scope: &Scope) -> Vec<Tool> {
        let visible = self.entries.iter().filter(|it| it.is_visible(scope));
        visible.map(|it| it.tool.clone()).collect()
    }

    fn callable(&self) -> Vec<Tool> {
        self.entries.iter().map(|it| it.tool.clone()).collect()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        let entry = self.entries.get(*self.by_name.get(name)?)?;
        if !entry.is_visible(cx.scope()) {
            return None;
        }
        Some(match cx.require_scopes(&entry.required_scopes) {
            Ok(()) => entry.handler.call(arguments, cx),
            Err(lacking) => Box::pin(ready(CallToolResult::from(lacking).into())),
        })
    }

    fn check(&self) -> Result<(), BuildError> {
        build_error::check_tools(&self.callable())?;
        let mut required = self.entries.iter().flat_map(|it| &it.required_scopes);
        if let Some(scope) = required.find(|it| !Grant::is_scope(it)) {
            return Err(BuildError::AccessScope(scope.clone()));
        }
        self.entries.iter().try_for_each(|it| it.handler.check())
    }
}
