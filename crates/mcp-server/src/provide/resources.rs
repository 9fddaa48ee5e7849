//! Sets of resources.

use std::num::NonZeroUsize;

use mcp_protocol::{CacheHint, ReadResourceResult, Resource, ResourceTemplate};

use crate::{
    builder::{BuildError, build_error},
    context::{AskError, CallContext, ListVariant},
    provide::BoxFuture,
    session::SubscriptionGuard,
};

/// A set of resources.
///
/// ```
/// use mcp_protocol::{ReadResourceResult, Resource};
/// use mcp_server::{BoxFuture, CallContext, ReadResourceError, ResourceSet, ListVariant};
///
/// struct Notes(Vec<String>);
///
/// impl ResourceSet for Notes {
///     fn resources(&self, _: &ListVariant) -> Vec<Resource> {
///         let numbers = 0..self.0.len();
///         numbers.map(|it| Resource::new(format!("note:{it}"), format!("Note {it}"), "A note.")).collect()
///     }
///
///     fn read<'a>(
///         &'a self,
///         uri: &'a str,
///         _: &'a CallContext,
///     ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
///         let number = uri.strip_prefix("note:").and_then(|it| it.parse::<usize>().ok());
///         let note = number.and_then(|it| self.0.get(it)).ok_or(ReadResourceError::NotFound);
///         Box::pin(async move { Ok(ReadResourceResult::text(uri, "text/plain", note?)) })
///     }
/// }
/// ```
#[doc(alias = "resources/list")]
#[doc(alias = "resources/templates/list")]
#[doc(alias = "resources/read")]
#[doc(alias = "resources/subscribe")]
#[doc(alias = "resources/unsubscribe")]
#[doc(alias = "subscriptions/listen")]
pub trait ResourceSet: Send + Sync + 'static {
    /// The resources to list in a scope, in order; those that match a template may be left out. Called when the scope is
    /// first used, and again after [`crate::ChangeNotifier::resources_changed`].
    fn resources(&self, scope: &ListVariant) -> Vec<Resource>;

    /// The templates to list in a scope.
    fn templates(&self, _scope: &ListVariant) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// Reads a resource. The URI is unchecked input from a client.
    fn read<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>>;

    /// Whether clients can subscribe to resources of this set, which then calls
    /// [`crate::ChangeNotifier::resource_updated`] when one with subscribers has changed.
    fn can_subscribe(&self) -> bool {
        false
    }

    /// Subscribes a client to a resource, so that the set does work only for resources with subscribers. The URI is
    /// unchecked input; pass the same text to [`crate::ChangeNotifier::resource_updated`]. The client gets its response
    /// when this returns, and every change from then on. By default clients can subscribe to anything, and the set does
    /// nothing about it.
    fn subscribe<'a>(
        &'a self,
        _uri: &'a str,
        _cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, SubscribeError>> {
        Box::pin(async { Ok(SubscriptionGuard::empty()) })
    }

    /// Checks the declarations when the server is built: by default that no URI and no template in the default scope is
    /// given twice.
    ///
    /// # Errors
    /// Returns the first one that is.
    fn check(&self) -> Result<(), BuildError> {
        let everyone = ListVariant::default();
        build_error::check_resources(&self.resources(&everyone), &self.templates(&everyone))
    }

    /// The number of entries on a page; all if `None`.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// How long the lists may be kept; by default an hour, or not at all if they can change.
    fn list_cache_hint(&self) -> Option<CacheHint> {
        None
    }
}

/// Why a resource could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadResourceError {
    /// There is no such resource.
    #[error("there is no such resource")]
    NotFound,
    /// The URI cannot be what the caller means; the text is for the client (-32602).
    #[error("{0}")]
    Invalid(String),
    /// It could not be read; the text is for the client (-32603).
    #[error("{0}")]
    Failed(String),
}

/// For `?`: where the client is asked in the result, this error is not sent.
impl From<AskError> for ReadResourceError {
    fn from(error: AskError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Why a client was not subscribed to a resource.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubscribeError {
    /// Clients cannot subscribe to this URI; the text is for the client (-32602).
    #[error("{0}")]
    Refused(String),
    /// They can, but not now; the text is for the client (-32603).
    #[error("{0}")]
    Failed(String),
}
