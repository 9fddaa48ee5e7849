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
    /// Returns the resources to list in a list variant, in order. Resources matching a template may be omitted. Called
    /// when the variant is first used, and again after [`crate::ChangeNotifier::resources_changed`].
    fn resources(&self, scope: &ListVariant) -> Vec<Resource>;

    /// Returns the templates to list in a list variant.
    fn templates(&self, _scope: &ListVariant) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// Reads a resource. The URI is unchecked input from a client.
    fn read<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>>;

    /// Returns whether clients can subscribe to resources of this set. If so, the set calls
    /// [`crate::ChangeNotifier::resource_updated`] when a resource with subscribers has changed.
    fn supports_subscriptions(&self) -> bool {
        false
    }

    /// Subscribes a client to a resource, so that the set does work only for resources with subscribers. The URI is
    /// unchecked input. Pass the same string to [`crate::ChangeNotifier::resource_updated`]. The client gets its
    /// response when this future completes, and every change from then on. By default, clients can subscribe to any
    /// URI, and the set does no work for it.
    fn subscribe<'a>(
        &'a self,
        _uri: &'a str,
        _cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, SubscribeError>> {
        Box::pin(async { Ok(SubscriptionGuard::empty()) })
    }

    /// Checks the declarations when the server is built. By default, checks the default list variant for duplicate URIs
    /// and templates.
    ///
    /// # Errors
    /// Returns an error for the first duplicate URI or template.
    fn check(&self) -> Result<(), BuildError> {
        let everyone = ListVariant::default();
        build_error::check_resources(&self.resources(&everyone), &self.templates(&everyone))
    }

    /// Returns the number of entries on a page, or `None` for all of them.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// Returns the cache lifetime of the lists for clients. By default, one hour, or no caching if the lists can
    /// change.
    fn list_cache_hint(&self) -> Option<CacheHint> {
        None
    }
}

/// An error reading a resource.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadResourceError {
    /// The resource does not exist.
    #[error("there is no such resource")]
    NotFound,
    /// The URI is invalid. The client receives this message with the code -32602.
    #[error("{0}")]
    Invalid(String),
    /// The resource could not be read. The client receives this message with the code -32603.
    #[error("{0}")]
    Failed(String),
}

/// Supports `?`. If the server request is part of the result, this error is not sent.
impl From<AskError> for ReadResourceError {
    fn from(error: AskError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// An error subscribing a client to a resource.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubscribeError {
    /// Clients cannot subscribe to this URI. The client receives this message with the code -32602.
    #[error("{0}")]
    Refused(String),
    /// Clients can subscribe to this URI, but not at present. The client receives this message with the code -32603.
    #[error("{0}")]
    Failed(String),
}
