//! Guards of resource subscriptions.

use std::{any::Any, fmt};

use tokio::sync::OwnedSemaphorePermit;

/// A guard of one client's subscription to one resource, created by the set. It is dropped when the client
/// unsubscribes, or when its session or its `subscriptions/listen` ends.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_server::SubscriptionGuard;
///
/// /// Its last clone ends the polling.
/// struct Polling;
///
/// let polling = Arc::new(Polling);
/// let guard = SubscriptionGuard::holding(Arc::clone(&polling));
/// assert_eq!(Arc::strong_count(&polling), 2);
/// drop(guard);
/// assert_eq!(Arc::strong_count(&polling), 1);
/// ```
pub struct SubscriptionGuard {
    _guard: Option<Box<dyn Any + Send + Sync>>,
}

impl SubscriptionGuard {
    /// Creates a guard from any value. `guard` is dropped when the subscription ends.
    #[must_use]
    pub fn holding(guard: impl Send + Sync + 'static) -> Self {
        Self {
            _guard: Some(Box::new(guard)),
        }
    }

    /// Creates an empty guard, for a set that does the same work with and without subscribers.
    #[must_use]
    pub const fn empty() -> Self {
        Self { _guard: None }
    }
}

impl fmt::Debug for SubscriptionGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SubscriptionGuard")
    }
}

/// One client's subscription to one resource. It ends when dropped.
#[derive(Debug)]
pub(crate) struct Subscription {
    _guard: SubscriptionGuard,
    _permit: OwnedSemaphorePermit,
}

impl Subscription {
    pub(crate) const fn new(guard: SubscriptionGuard, permit: OwnedSemaphorePermit) -> Self {
        Self {
            _guard: guard,
            _permit: permit,
        }
    }
}
