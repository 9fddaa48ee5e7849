//! The time since the latest subscription, which decides how often the node is polled.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::PollPolicy;

/// Measures the time since the latest subscription.
#[derive(Debug)]
pub(super) struct IdleTimer {
    pub(super) policy: PollPolicy,
    since: Mutex<Instant>,
}

impl IdleTimer {
    pub(super) fn new(policy: PollPolicy) -> Self {
        Self {
            policy,
            since: Mutex::new(Instant::now()),
        }
    }

    pub(super) fn reset(&self) {
        *self.since.lock() = Instant::now();
    }

    /// The time to the next poll; `None` once the subscription has expired.
    pub(super) fn interval(&self) -> Option<Duration> {
        let since = *self.since.lock();
        let age = since.elapsed();
        if age >= self.policy.stop_after {
            None
        } else if age >= self.policy.slow_after {
            Some(self.policy.slow_interval)
        } else {
            Some(self.policy.interval)
        }
    }
}
