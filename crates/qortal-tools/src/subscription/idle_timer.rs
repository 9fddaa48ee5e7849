//! The time since the latest subscription, which decides how often the node is polled.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

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
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// The time to the next poll; `None` once the subscription has expired.
    pub(super) fn interval(&self) -> Option<Duration> {
        let since = *self.since.lock().unwrap_or_else(PoisonError::into_inner);
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

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn polling_slows_down_and_ends_unless_the_timer_is_reset() {
        let idle = IdleTimer::new(PollPolicy::default());
        let seconds = |idle: &IdleTimer| idle.interval().map(|it| it.as_secs());
        for (minutes, expect) in [
            (0, Some(15)),
            (29, Some(15)),
            (1, Some(60)),
            (23 * 60 + 29, Some(60)),
            (1, None),
        ] {
            advance(Duration::from_secs(minutes * 60)).await;
            assert_eq!(seconds(&idle), expect);
        }
        idle.reset();
        assert_eq!(seconds(&idle), Some(15));
    }
}
