//! Errors of subscribing to resources.

use thiserror::Error;

use crate::ReadResourceError;

/// Maximum number of subscribed resources. A resource counts once, regardless of its number of subscribers. Each costs the node one read
/// per block or poll.
pub(super) const MAX_RESOURCES: usize = 256;

/// An error in subscribing to a resource.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum SubscribeError {
    /// The resource does not support subscriptions. Holds the templates that do.
    #[error("this resource does not support subscriptions, these do: {}", .0.join(", "))]
    NotSubscribable(Vec<&'static str>),
    /// The resource is not readable.
    #[error(transparent)]
    Read(#[from] ReadResourceError),
    /// 256 resources are subscribed to already.
    #[error("{MAX_RESOURCES} resources are subscribed to already, try again later")]
    LimitReached,
    /// [`crate::Subscriptions::stop`] was called.
    #[error("the server is stopping")]
    Stopped,
}
