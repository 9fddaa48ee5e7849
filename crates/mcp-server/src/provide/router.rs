//! Sets of tools, resources and prompts built from handlers.

mod answer;
mod error;
mod handler;
mod prompts;
#[cfg(feature = "raw-tools")]
mod raw;
mod resources;
mod template;
mod typed;

use std::{collections::HashMap, fmt, future::ready, sync::Arc};

use mcp_protocol::{CallToolResult, Object, Tool};

use crate::{
    builder::{BuildError, build_error},
    context::{AskError, AuthInfo, CallContext, ListVariant},
    provide::{BoxFuture, ToolReply, ToolSet},
};

pub(super) use self::handler::Async2;
pub use self::{
    answer::IntoToolResult,
    error::HandlerError,
    handler::HandlerFn,
    prompts::{IntoPromptResult, PromptRouter},
    resources::{IntoResourceResult, ResourceRouter},
};

/// The result of a tool handler that uses its context. A server request without a response is a failure of the tool.
pub type ToolHandlerResult = Result<CallToolResult, AskError>;

/// A handler of calls to one tool. It validates their arguments against the published schema.
///
/// Tools with a raw schema do not need a `ToolHandler`: `ToolRouter::raw_tool` (feature `raw-tools`) validates their
/// arguments.
pub trait ToolHandler: Send + Sync + 'static {
    /// Handles one call. Invalid arguments and failures are results with [`CallToolResult::is_error`] set.
    fn call<'a>(&'a self, arguments: Object, cx: &'a CallContext) -> BoxFuture<'a, ToolReply>;

    /// Checks the handler's declarations when the server is built.
    ///
    /// # Errors
    /// Returns an error if the tool's schemas are invalid.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

/// A [`ToolSet`] of handlers. Published schemas are enforced, and each tool can be restricted to some list variants.
///
/// Handlers may be methods of a state. They share it without cloning:
///
/// ```
/// use std::sync::{Arc, atomic::{AtomicU64, Ordering}};
///
/// use mcp_protocol::ToolAnnotations;
/// use mcp_server::ToolRouter;
/// use mcp_server::tool_schema::NoParams;
///
/// #[derive(Default)]
/// struct Counter(AtomicU64);
///
/// impl Counter {
///     async fn count(&self, _: NoParams) -> String {
///         format!("{} calls", self.0.fetch_add(1, Ordering::Relaxed) + 1)
///     }
/// }
///
/// let tools = ToolRouter::with_state(Arc::new(Counter::default()))
///     .tool("count", "Count the calls.", ToolAnnotations::LOOKUP, Counter::count);
/// # drop(tools);
/// ```
#[must_use]
pub struct ToolRouter<S = ()> {
    state: Arc<S>,
    entries: Vec<Entry<Tool, dyn ToolHandler>>,
    by_name: HashMap<String, usize>,
}

/// A declaration and its handler.
struct Entry<D, H: ?Sized> {
    declared: D,
    handler: Box<H>,
    /// Conditions on the list variant. The entry exists only where all of them return `true`.
    visibility: Vec<Condition>,
    /// Scopes that callers of a tool need.
    required_scopes: Vec<String>,
}

type Condition = Arc<dyn Fn(&ListVariant) -> bool + Send + Sync>;

impl<D: Clone, H: ?Sized> Entry<D, H> {
    fn new(declared: D, handler: Box<H>) -> Self {
        Self {
            declared,
            handler,
            visibility: Vec::new(),
            required_scopes: Vec::new(),
        }
    }

    fn only_for(mut self, accepts: &Condition) -> Self {
        self.visibility.push(Arc::clone(accepts));
        self
    }

    fn is_visible(&self, scope: &ListVariant) -> bool {
        self.visibility.iter().all(|accepts| accepts(scope))
    }

    fn listed(&self, scope: &ListVariant) -> Option<D> {
        self.is_visible(scope).then(|| self.declared.clone())
    }
}

impl ToolRouter {
    /// Creates a router without tools, for handlers without state.
    pub fn new() -> Self {
        Self::with_state(Arc::default())
    }
}

impl Default for ToolRouter {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> ToolRouter<S> {
    /// Creates a router without tools. Handlers may be methods of `state`.
    pub fn with_state(state: Arc<S>) -> Self {
        Self {
            state,
            entries: Vec::new(),
            by_name: HashMap::new(),
        }
    }

    /// Adds a tool whose handler validates its own arguments.
    pub fn with_handler(mut self, tool: Tool, handler: impl ToolHandler) -> Self {
        self.add(Entry::new(tool, Box::new(handler)));
        self
    }

    /// Adds the tools of another router, for the list variants selected by `accepts`. In other variants, the tools are
    /// not listed, and calls to them fail like calls to unknown tools.
    pub fn merge_for_variants(
        mut self,
        accepts: impl Fn(&ListVariant) -> bool + Send + Sync + 'static,
        tools: ToolRouter<impl Sized>,
    ) -> Self {
        let accepts: Condition = Arc::new(accepts);
        let entries = tools.entries.into_iter();
        entries.for_each(|it| self.add(it.only_for(&accepts)));
        self
    }

    /// Adds the tools of another router, for callers with this access scope. The tools are listed for everyone. Calls
    /// from other callers fail with an error naming the scope. Over HTTP, the error has status 403 and a challenge. The
    /// client can then ask its user for more access.
    pub fn merge_requiring_scope(
        mut self,
        scope: impl Into<String>,
        tools: ToolRouter<impl Sized>,
    ) -> Self {
        let scope = scope.into();
        for mut entry in tools.entries {
            entry.required_scopes.push(scope.clone());
            self.add(entry);
        }
        self
    }

    /// Adds the tools of another router. Its handlers may have a different state.
    pub fn merge(mut self, tools: ToolRouter<impl Sized>) -> Self {
        tools.entries.into_iter().for_each(|it| self.add(it));
        self
    }

    fn add(&mut self, entry: Entry<Tool, dyn ToolHandler>) {
        // A name that is given twice is refused when the server is built.
        let name = entry.declared.name.clone();
        self.by_name.insert(name, self.entries.len());
        self.entries.push(entry);
    }
}

impl<S> fmt::Debug for ToolRouter<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.entries.iter().map(|it| &it.declared.name);
        f.debug_list().entries(names).finish()
    }
}

impl<S: Send + Sync + 'static> ToolSet for ToolRouter<S> {
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        let entries = self.entries.iter();
        entries.filter_map(|it| it.listed(scope)).collect()
    }

    fn tools_in_any_variant(&self) -> Vec<Tool> {
        self.entries.iter().map(|it| it.declared.clone()).collect()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        let entry = self.entries.get(*self.by_name.get(name)?)?;
        if !entry.is_visible(cx.list_variant()) {
            return None;
        }
        Some(match cx.require_scopes(&entry.required_scopes) {
            Ok(()) => entry.handler.call(arguments, cx),
            Err(lacking) => Box::pin(ready(CallToolResult::from(lacking).into())),
        })
    }

    fn check(&self) -> Result<(), BuildError> {
        build_error::check_tools(&self.tools_in_any_variant())?;
        let mut required = self.entries.iter().flat_map(|it| &it.required_scopes);
        if let Some(scope) = required.find(|it| !AuthInfo::is_valid_scope(it)) {
            return Err(BuildError::AccessScope(scope.clone()));
        }
        self.entries.iter().try_for_each(|it| it.handler.check())
    }
}
