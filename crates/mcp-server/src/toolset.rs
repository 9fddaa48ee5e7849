//! What a server offers: the one trait that others implement.

use std::{collections::HashMap, future::Future, pin::Pin};

use mcp_protocol::{CallToolResult, Object, Tool};

/// A future on the heap.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a call may use besides its arguments.
///
/// Empty today; a tool that takes it is ready for progress and cancellation news.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CallContext {}

/// A set of tools.
pub trait ToolSet: Send + Sync + 'static {
    /// The tools to list, in the order to list them. Read once, when the server is built.
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
}

type Handler = Box<dyn Fn(Object) -> BoxFuture<'static, CallToolResult> + Send + Sync>;

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
    pub fn with<F, R>(mut self, tool: Tool, handler: F) -> Self
    where
        F: Fn(Object) -> R + Send + Sync + 'static,
        R: Future<Output = CallToolResult> + Send + 'static,
    {
        self.tools.retain(|it| it.name != tool.name);
        self.handlers.insert(
            tool.name.clone(),
            Box::new(move |arguments| Box::pin(handler(arguments))),
        );
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
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, CallToolResult>> {
        self.handlers.get(name).map(|handler| handler(arguments))
    }
}
