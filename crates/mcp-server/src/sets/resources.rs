//! Sets of resources.

use std::num::NonZeroUsize;

use mcp_protocol::{CacheHint, ReadResourceResult, Resource, ResourceTemplate};

use crate::{
    ask::AskError,
    build_error::{self, BuildError},
    context::CallContext,
    scope::Scope,
    sets::BoxFuture,
    subscription_guard::SubscriptionGuard,
};

/// A set of resources.
pub trait ResourceSet: Send + Sync + 'static {
    /// The resources to list in a scope, in the order to list them; those that follow a template need not be.
    /// Read when a client of the scope first asks, and again after [`crate::ChangeNotifier::resources_changed`].
    fn resources(&self, scope: &Scope) -> Vec<Resource>;

    /// The templates to list in a scope.
    fn templates(&self, _scope: &Scope) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// Reads one. The URI is whatever a client sent: check it before it means anything.
    fn read<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadError>>;

    /// Whether clients can subscribe to any of its resources: the set then calls
    /// [`crate::ChangeNotifier::resource_updated`] when one with a subscription has changed.
    fn can_subscribe(&self) -> bool {
        false
    }

    /// Subscribes a client to one, so that a set has work only for resources with subscriptions. The URI is whatever
    /// the client sent, and the same text goes to [`crate::ChangeNotifier::resource_updated`]. The client is answered
    /// when this returns, and notified of every change from then on. By default every resource can be subscribed to,
    /// and nothing is done.
    fn subscribe<'a>(
        &'a self,
        _uri: &'a str,
        _cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, SubscribeError>> {
        Box::pin(async { Ok(SubscriptionGuard::empty()) })
    }

    /// Checks the declarations when the server is built: by default that each URI and each template in the default
    /// scope is given once.
    ///
    /// # Errors
    /// With the first one that is given twice.
    fn check(&self) -> Result<(), BuildError> {
        let everyone = Scope::default();
        build_error::check_resources(&self.resources(&everyone), &self.templates(&everyone))
    }

    /// How many entries a page of a list has; all if `None`.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// How long the lists may be kept; by default an hour, or not at all if they can change.
    fn cache_hint(&self) -> Option<CacheHint> {
        None
    }
}

/// Why a resource has no contents.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no such resource.
    #[error("there is no such resource")]
    NotFound,
    /// It could not be read; the text is for the client (-32603).
    #[error("{0}")]
    Failed(String),
}

/// An unanswered question ends the round; what is returned then is not sent.
impl From<AskError> for ReadError {
    fn from(error: AskError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Why a client was not subscribed to a resource.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubscribeError {
    /// There can be no subscription to what is at this URI; the text is for the client (-32602).
    #[error("{0}")]
    Refused(String),
    /// There can, but not now; the text is for the client (-32603).
    #[error("{0}")]
    Failed(String),
}
