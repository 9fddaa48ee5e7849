//! What a server offers: sets of tools, resources and prompts, and completion of arguments.

mod resources;
mod tools;

use std::{future::Future, pin::Pin, sync::Arc};

use mcp_protocol::{Completion, completion::CompleteRequest, ui::View};

use crate::CallContext;

pub use self::{
    resources::{PromptError, PromptSet, ReadError, ResourceSet, SubscribeError},
    tools::{ToolReply, ToolSet},
};

/// A future on the heap.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Completes the arguments of prompts and the variables of resource templates. The arguments of tools are completed
/// in no revision.
#[doc(alias = "completion/complete")]
pub trait Completer: Send + Sync + 'static {
    /// The values that match the input so far; empty for an unknown argument.
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Completion>;
}

/// The sets of one server; those that are missing are not offered.
#[derive(Default)]
pub(crate) struct Sets {
    pub(crate) tools: Option<Arc<dyn ToolSet>>,
    pub(crate) resources: Option<Arc<dyn ResourceSet>>,
    pub(crate) prompts: Option<Arc<dyn PromptSet>>,
    pub(crate) completer: Option<Arc<dyn Completer>>,
    /// Read in every scope; listed after the resources.
    pub(crate) views: Vec<View>,
}
