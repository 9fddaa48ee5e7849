//! What a server offers: the one trait that others implement.

use std::{collections::HashMap, future::Future, num::NonZeroUsize, pin::Pin};

use mcp_protocol::{CacheHint, CallToolResult, Object, Tool};

use crate::{ask::AskError, context::CallContext};

/// A future on the heap.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A set of tools.
pub trait ToolSet: Send + Sync + 'static {
    /// The tools to list, in the order to list them. Read when a client first asks, and again after
    /// [`crate::Changes::tools_changed`].
    fn tools(&self) -> Vec<Tool>;

    /// Starts a call; `None` if there is no such tool. A tool need not be listed to be callable.
    ///
    /// Bad arguments and failures are results with [`CallToolResult::is_error`] set. Dropping the
    /// future cancels the call, and a panic in it is an internal error of that call alone.
    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, CallToolResult>>;

    /// How many entries a page of the list has; all if there is no number, so that clients which read
    /// only the first page see every tool.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// How long the list may be kept; by default an hour, or not at all if it can change.
    fn cache_hint(&self) -> Option<CacheHint> {
        None
    }
}

/// What a handler that uses its context returns; a question without an answer is a failure of the tool.
pub type ToolOutcome = Result<CallToolResult, AskError>;

type Plain = dyn Fn(Object) -> BoxFuture<'static, CallToolResult> + Send + Sync;
type WithContext =
    dyn for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, ToolOutcome> + Send + Sync;

enum Handler {
    Plain(Box<Plain>),
    WithContext(Box<WithContext>),
}

/// A [`ToolSet`] of closures, for hosts with a handful of tools.
#[derive(Default)]
pub struct Toolbox {
    tools: Vec<Tool>,
    handlers: HashMap<String, Handler>,
}

impl Toolbox {
    /// No tools yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool; one of the same name is replaced.
    #[must_use]
    pub fn with<F, R>(self, tool: Tool, handler: F) -> Self
    where
        F: Fn(Object) -> R + Send + Sync + 'static,
        R: Future<Output = CallToolResult> + Send + 'static,
    {
        let handler = Box::new(move |arguments| Box::pin(handler(arguments)) as BoxFuture<'_, _>);
        self.with_handler(tool, Handler::Plain(handler))
    }

    /// Adds a tool that tells how far it is, or asks its client; one of the same name is replaced.
    #[must_use]
    pub fn with_context<F>(self, tool: Tool, handler: F) -> Self
    where
        F: for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, ToolOutcome>
            + Send
            + Sync
            + 'static,
    {
        self.with_handler(tool, Handler::WithContext(Box::new(handler)))
    }

    fn with_handler(mut self, tool: Tool, handler: Handler) -> Self {
        self.tools.retain(|it| it.name != tool.name);
        self.handlers.insert(tool.name.clone(), handler);
        self.tools.push(tool);
        self
    }
}

impl std::fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.tools.iter().map(|it| &it.name))
            .finish()
    }
}

impl ToolSet for Toolbox {
    fn tools(&self) -> Vec<Tool> {
        self.tools.clone()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, CallToolResult>> {
        self.handlers.get(name).map(|handler| match handler {
            Handler::Plain(handler) => handler(arguments),
            Handler::WithContext(handler) => {
                let outcome = handler(arguments, cx);
                Box::pin(async move { outcome.await.unwrap_or_else(CallToolResult::from) })
            }
        })
    }
}
