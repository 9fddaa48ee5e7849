//! Sets of prompts.

use std::num::NonZeroUsize;

use mcp_protocol::{CacheHint, GetPromptResult, Object, Prompt};

use crate::{
    builder::{BuildError, build_error},
    context::{AskError, CallContext, ListVariant},
    provide::BoxFuture,
};

/// A set of prompts.
#[doc(alias = "prompts/list")]
#[doc(alias = "prompts/get")]
pub trait PromptSet: Send + Sync + 'static {
    /// The prompts to list in a scope, in order. Called when the scope is first used, and again after
    /// [`crate::ChangeNotifier::prompts_changed`].
    fn prompts(&self, scope: &ListVariant) -> Vec<Prompt>;

    /// Renders a prompt; `None` if the name is unknown. The arguments are strings, and include those that are listed as
    /// required.
    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>>;

    /// Checks the declarations when the server is built: by default that no name in the default scope is given twice.
    ///
    /// # Errors
    /// Returns the first one that is.
    fn check(&self) -> Result<(), BuildError> {
        build_error::check_prompts(&self.prompts(&ListVariant::default()))
    }

    /// The number of entries on a page; all if `None`.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// How long the list may be kept; by default an hour, or not at all if it can change.
    fn list_cache_hint(&self) -> Option<CacheHint> {
        None
    }
}

/// Why a prompt could not be rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PromptError {
    /// An argument has an invalid value; the text is for the client (-32602).
    #[error("{0}")]
    Argument(String),
    /// It failed otherwise; the text is for the client (-32603).
    #[error("{0}")]
    Failed(String),
}

/// For `?`: where the client is asked in the result, this error is not sent.
impl From<AskError> for PromptError {
    fn from(error: AskError) -> Self {
        Self::Failed(error.to_string())
    }
}
