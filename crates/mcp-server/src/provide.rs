//! The features that a server offers: sets of tools, resources and prompts, and argument completion.

mod joined;
mod layer;
mod outline;
mod prompts;
mod resources;
mod router;
mod tools;

use std::{future::Future, pin::Pin, sync::Arc};

use mcp_protocol::{CompleteRequest, Completion, Resource, ui::View};

use crate::{
    context::{CallContext, ListVariant},
    skills::{self, Skill},
};

pub(crate) use self::{joined::Joined, layer::Layers, tools::ToolFacts};
pub use self::{
    layer::{Call, CallKind, Layer, LayerReply, Next},
    outline::LazyTool,
    prompts::{PromptError, PromptSet},
    resources::{ReadResourceError, ResourceSet, SubscribeError},
    router::{
        HandlerError, HandlerFn, IntoPromptResult, IntoResourceResult, IntoToolResult,
        PromptRouter, ResourceRouter, ToolHandler, ToolHandlerResult, ToolRouter,
    },
    tools::{ToolReply, ToolSet},
};

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A source of completions for the arguments of prompts and the variables of resource templates. No revision supports
/// completion of tool arguments.
#[doc(alias = "completion/complete")]
pub trait Completer: Send + Sync + 'static {
    /// Returns the values matching the input so far, or none for an unknown argument.
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Completion>;
}

/// The sets of one server. Features without a set are not offered.
#[derive(Default)]
pub(crate) struct Sets {
    pub(crate) tools: Option<Arc<dyn ToolSet>>,
    pub(crate) resources: Option<Arc<dyn ResourceSet>>,
    pub(crate) prompts: Option<Arc<dyn PromptSet>>,
    pub(crate) completer: Option<Arc<dyn Completer>>,
    /// The views of every list variant, listed after the resources.
    pub(crate) views: Vec<View>,
    /// The skills of every list variant, listed after the views.
    pub(crate) skills: Vec<Skill>,
}

impl Sets {
    pub(crate) fn has_resources(&self) -> bool {
        self.resources.is_some() || !self.views.is_empty() || !self.skills.is_empty()
    }

    /// Returns the resources to list in a list variant.
    pub(crate) fn listed_resources(&self, scope: &ListVariant) -> Vec<Resource> {
        let set = self.resources.as_ref();
        let mut listed = set.map_or_else(Vec::new, |it| it.resources(scope));
        listed.extend(self.views.iter().map(View::to_resource));
        listed.extend(skills::listed(&self.skills));
        listed
    }
}
