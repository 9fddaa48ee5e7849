//! Poll intervals for subscribed resources, which depend on the time since the latest subscription.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// Poll interval for subscribed resources, and the duration of polling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PollInterval {
    /// Time between two polls for data that the node does not push: 15 seconds, a quarter of the block time.
    pub interval: Duration,
    /// Time between two polls after [`slow_after`](Self::slow_after): 1 minute.
    pub slow_interval: Duration,
    /// Time after which polling slows down: 30 minutes after the latest subscription to a resource.
    pub slow_after: Duration,
    /// Time after which a subscription ends: 24 hours after the latest subscription to the resource.
    pub stop_after: Duration,
    /// Minimum time between two reads of one resource, regardless of the node's signals: 2 seconds.
    pub min_read_interval: Duration,
    /// Time before a failed websocket is reopened: 5 seconds, doubled with each failure up to [`max_retry_delay`](Self::max_retry_delay).
    pub retry_delay: Duration,
    /// Maximum time before a websocket is reopened: 5 minutes.
    pub max_retry_delay: Duration,
}

impl Default for PollInterval {
    fn default() -> Self {
        Self {
            interval: Duration::from_secs(15),
            slow_interval: Duration::from_secs(60),
            slow_after: Duration::from_secs(30 * 60),
            stop_after: Duration::from_secs(24 * 60 * 60),
            min_read_interval: Duration::from_secs(2),
            retry_delay: Duration::from_secs(5),
            max_retry_delay: Duration::from_secs(5 * 60),
        }
    }
}

/// Timer since the latest subscription.
#[derive(Debug)]
pub(super) struct IdleTimer {
    pub(super) policy: PollInterval,
    since: Mutex<Instant>,
}

impl IdleTimer {
    pub(super) fn new(policy: PollInterval) -> Self {
        Self {
            policy,
            since: Mutex::new(Instant::now()),
        }
    }

    pub(super) fn reset(&self) {
        *self.since.lock() = Instant::now();
    }

    /// Returns the time to the next poll, or `None` once the subscription has expired.
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
