//! What a server offers: sets of tools, resources and prompts, and completion of arguments.

mod completer;
mod prompts;
mod resources;
mod tools;

use std::{future::Future, pin::Pin, sync::Arc};

pub use self::{
    completer::Completer,
    prompts::{PromptError, PromptSet},
    resources::{ReadError, ResourceSet, SubscribeError},
    tools::ToolSet,
};

/// A future on the heap.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The sets of one server; those that are missing are not offered.
#[derive(Default)]
pub(crate) struct Sets {
    pub(crate) tools: Option<Arc<dyn ToolSet>>,
    pub(crate) resources: Option<Arc<dyn ResourceSet>>,
    pub(crate) prompts: Option<Arc<dyn PromptSet>>,
    pub(crate) completer: Option<Arc<dyn Completer>>,
}
