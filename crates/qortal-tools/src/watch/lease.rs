//! For how long somebody watches, which decides how often the node is asked.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::Pace;

/// Counts the time since somebody last began to watch.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) pace: Pace,
    since: Mutex<Instant>,
}

impl Lease {
    pub(super) fn new(pace: Pace) -> Self {
        Self {
            pace,
            since: Mutex::new(Instant::now()),
        }
    }

    /// Somebody has begun to watch.
    pub(super) fn renew(&self) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// The time to the next poll; `None` if it has been too long, and nothing is asked any more.
    pub(super) fn interval(&self) -> Option<Duration> {
        let since = *self.since.lock().unwrap_or_else(PoisonError::into_inner);
        let age = since.elapsed();
        if age >= self.pace.end_after {
            None
        } else if age >= self.pace.slow_after {
            Some(self.pace.slow_poll)
        } else {
            Some(self.pace.poll)
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn polling_slows_down_and_ends_unless_it_is_renewed() {
        let lease = Lease::new(Pace::default());
        let seconds = |lease: &Lease| lease.interval().map(|it| it.as_secs());
        for (minutes, expect) in [
            (0, Some(15)),
            (29, Some(15)),
            (1, Some(60)),
            (23 * 60 + 29, Some(60)),
            (1, None),
        ] {
            advance(Duration::from_secs(minutes * 60)).await;
            assert_eq!(seconds(&lease), expect);
        }
        lease.renew();
        assert_eq!(seconds(&lease), Some(15));
    }
}
