//! Completions of prompt arguments and template variables for MCP clients.

use mcp_protocol::{Completion, Reference, completion::CompleteRequest};
use mcp_server::{BoxFuture, CallContext, Completer};

use crate::Completions;

impl Completer for Completions {
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        Box::pin(async move {
            let CompleteRequest {
                reference,
                argument,
                value,
                context,
                ..
            } = request;
            let is_known = match reference {
                Reference::Prompt(name) => self.has_prompt_argument(name, argument),
                Reference::Resource(template) => self.has_template_variable(template, argument),
                _ => false,
            };
            if !is_known {
                return Completion::default();
            }
            let found = Self::complete(self, argument, value, context).await;
            let mut completion = Completion::new(found.values);
            completion.total = found.total;
            completion
        })
    }
}
