//! Completions of prompt arguments and template variables for MCP clients.

use mcp_protocol::{Completion, Reference, completion::CompleteRequest};
use mcp_server::{BoxFuture, Completer};

use crate::completion::Completions;

impl Completer for Completions {
    fn complete<'a>(&'a self, request: &'a CompleteRequest) -> BoxFuture<'a, Completion> {
        Box::pin(async move {
            let CompleteRequest {
                reference,
                argument,
                value,
                settled,
                ..
            } = request;
            let is_known = match reference {
                Reference::Prompt(name) => self.has_prompt_argument(name, argument),
                Reference::Resource(template) => self.has_template_variable(template, argument),
            };
            if !is_known {
                return Completion::default();
            }
            let found = Self::complete(self, argument, value, settled).await;
            Completion {
                values: found.values,
                total: found.total,
            }
        })
    }
}
