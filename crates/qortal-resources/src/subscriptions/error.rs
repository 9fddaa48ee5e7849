//! Why there is no subscription.

use thiserror::Error;

use crate::ReadResourceError;

/// Resources subscribed to at a time, each counted once however many subscribers it has. Each costs the node
/// one read per block or poll.
pub(super) const MAX_RESOURCES: usize = 256;

/// Why a resource cannot be subscribed to.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum SubscribeError {
    /// The resource does not support subscriptions; the templates of those that do.
    #[error("this resource does not support subscriptions, these do: {}", .0.join(", "))]
    NotSubscribable(Vec<&'static str>),
    /// The resource cannot be read either.
    #[error(transparent)]
    Read(#[from] ReadResourceError),
    /// 256 resources are subscribed to already.
    #[error("{MAX_RESOURCES} resources are subscribed to already, try again later")]
    LimitReached,
    /// [`crate::Subscriptions::stop`] was called.
    #[error("the server is stopping")]
    Stopped,
}
