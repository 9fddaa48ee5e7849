//! A rate limit for log lines that clients cause.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// The time between two lines of one kind: short enough to see the effect of a change, long enough not to fill a disk.
const BETWEEN: Duration = Duration::from_secs(10);

/// A throttle that passes one log line in ten seconds and counts the others.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<Last>);

#[derive(Debug, Default)]
struct Last {
    at: Option<Instant>,
    withheld: u64,
}

impl Throttle {
    /// Returns the number of lines withheld since the last one. Returns `None` if this line is withheld.
    pub(crate) fn pass(&self) -> Option<u64> {
        let now = Instant::now();
        let mut last = self.0.lock();
        if last.at.is_some_and(|at| now < at + BETWEEN) {
            last.withheld += 1;
            return None;
        }
        last.at = Some(now);
        Some(std::mem::take(&mut last.withheld))
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_line_in_ten_seconds_passes_with_the_number_withheld() {
        let throttle = Throttle::default();
        let mut passed = Vec::new();
        for _ in 0..25 {
            passed.extend(throttle.pass());
            advance(Duration::from_secs(1)).await;
        }
        assert_eq!(passed, [0, 9, 9]);
    }
}
