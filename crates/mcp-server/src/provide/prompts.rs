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
    /// Returns the prompts to list in a list variant, in order. Called when the variant is first used, and again after
    /// [`crate::ChangeNotifier::prompts_changed`].
    fn prompts(&self, scope: &ListVariant) -> Vec<Prompt>;

    /// Renders a prompt, or returns `None` if the name is unknown. The arguments are strings and include all required
    /// ones.
    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>>;

    /// Checks the declarations when the server is built. By default, checks the default list variant for duplicate
    /// names.
    ///
    /// # Errors
    /// Returns an error for the first duplicate name.
    fn check(&self) -> Result<(), BuildError> {
        build_error::check_prompts(&self.prompts(&ListVariant::default()))
    }

    /// Returns the number of entries on a page, or `None` for all of them.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// Returns the cache lifetime of the list for clients. By default, one hour, or no caching if the list can change.
    fn list_cache_hint(&self) -> Option<CacheHint> {
        None
    }
}

/// An error rendering a prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PromptError {
    /// An argument has an invalid value. The client receives this message with the code -32602.
    #[error("{0}")]
    Argument(String),
    /// The prompt failed for another reason. The client receives this message with the code -32603.
    #[error("{0}")]
    Failed(String),
}

/// Supports `?`. If the server request is part of the result, this error is not sent.
impl From<AskError> for PromptError {
    fn from(error: AskError) -> Self {
        Self::Failed(error.to_string())
    }
}
