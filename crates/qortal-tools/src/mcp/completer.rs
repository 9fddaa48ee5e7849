//! How the arguments of prompts and the variables of templates go on, as MCP asks for it.

use std::sync::Arc;

use mcp_protocol::{Completion, Reference, completion::CompleteRequest};
use mcp_server::{BoxFuture, CallContext, Completer};

use crate::{catalog::Catalog, suggest::Suggestions};

/// The values that fit what has been typed, as MCP has them.
#[derive(Debug)]
pub struct Suggester(pub Suggestions);

impl Suggester {
    /// Over the node of a catalog.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self(Suggestions::new(catalog))
    }
}

impl Completer for Suggester {
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        Box::pin(async move {
            let is_known = match &request.reference {
                Reference::Prompt(name) => self.0.is_blank_of(name, &request.argument),
                Reference::Resource(uri) => self.0.is_variable_of(uri, &request.argument),
                _ => false,
            };
            if !is_known {
                return Completion::default();
            }
            let found = self
                .0
                .values(&request.argument, &request.value, &request.context)
                .await;
            let mut completion = Completion::new(found.values);
            completion.total = found.total;
            completion
        })
    }
}
