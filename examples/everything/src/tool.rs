//! How the tools of this example are added: in one line.

use mcp_protocol::{Tool, ToolAnnotations};
use mcp_server::{HandlerFn, IntoToolResult, ToolRouter, tool_schema::Params};
use serde_json::Value;

/// Tools that change nothing, added by name, description and handler.
pub(crate) trait Pure<S> {
    /// Adds one.
    fn pure<P: Params + 'static, A: IntoToolResult<T>, K: 'static, T: 'static>(
        self,
        name: &str,
        description: &str,
        handler: impl HandlerFn<S, P, A, K>,
    ) -> Self;
}

impl<S: Send + Sync + 'static> Pure<S> for ToolRouter<S> {
    fn pure<P: Params + 'static, A: IntoToolResult<T>, K: 'static, T: 'static>(
        self,
        name: &str,
        description: &str,
        handler: impl HandlerFn<S, P, A, K>,
    ) -> Self {
        self.tool(name, description, ToolAnnotations::PURE, handler)
    }
}

/// A tool with a schema of its own.
pub(crate) fn with_schema(name: &str, description: &str, input_schema: Value) -> Tool {
    Tool::new(name, description, input_schema, ToolAnnotations::PURE)
}
