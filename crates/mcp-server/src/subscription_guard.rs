//! What a set does while a client is subscribed to a resource.

use std::{any::Any, fmt};

/// Lasts as long as one client is subscribed to one resource. It is dropped when the client unsubscribes, and at the
/// end of its session or its `subscriptions/listen`.
pub struct SubscriptionGuard(
    #[expect(dead_code, reason = "it is kept to be dropped")] Option<Kept>,
);

type Kept = Box<dyn Any + Send + Sync>;

impl SubscriptionGuard {
    /// Drops `guard` when the subscription ends.
    #[must_use]
    pub fn new(guard: impl Send + Sync + 'static) -> Self {
        Self(Some(Box::new(guard)))
    }

    /// For a set that does nothing special for what is subscribed to.
    #[must_use]
    pub const fn empty() -> Self {
        Self(None)
    }
}

impl fmt::Debug for SubscriptionGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SubscriptionGuard")
    }
}
