//! The progress of calls.

use std::{pin::pin, time::Duration};

use qortal_client::RequestCounter;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// Interval between reports. Most calls end sooner.
const EVERY: Duration = Duration::from_secs(1);
/// The actual progress of a request is unknown. After this wait, its share of the whole is nearly full.
const LONG_WAIT: Duration = Duration::from_secs(60);
/// Maximum progress from waiting, in hundredths of a request.
const NEARLY_ALL: u64 = 99;

/// The progress of a call, measured by its requests to the node as far as they are known.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Number of completed requests, plus hundredths for the wait since then. It only increases.
    pub done: f64,
    /// Number of started requests.
    pub total: f64,
    /// A human-readable progress message.
    pub message: String,
}

/// The callback that receives a call's progress.
pub type Report<'a> = dyn Fn(Progress) + Send + Sync + 'a;

/// Reports the progress of a call once a second until it ends.
pub(crate) async fn reporting<T>(
    call: impl Future<Output = T>,
    requests: &RequestCounter,
    report: &Report<'_>,
) -> T {
    let mut call = pin!(call);
    let mut ticks = interval_at(Instant::now() + EVERY, EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut wait = Wait {
        ended: 0,
        since: Instant::now(),
    };
    loop {
        let now = tokio::select! {
            biased;
            outcome = &mut call => return outcome,
            now = ticks.tick() => now,
        };
        if let Some(progress) = wait.progress(requests.begun(), requests.ended(), now) {
            report(progress);
        }
    }
}

/// The wait for the next response of the node.
struct Wait {
    /// Number of requests that had ended when the wait began.
    ended: u32,
    since: Instant,
}

impl Wait {
    fn progress(&mut self, begun: u32, ended: u32, now: Instant) -> Option<Progress> {
        if ended != self.ended {
            *self = Self { ended, since: now };
        }
        // A timer may fire slightly early.
        let waited = now.saturating_duration_since(self.since) + EVERY / 2;
        let waited = waited.as_secs();
        let message = match begun {
            0 => return None,
            1 if ended == 0 => {
                format!("Waiting for the node for {waited} s.")
            }
            _ => format!("The node has answered {ended} of {begun} requests."),
        };
        let part = if ended < begun {
            (waited.saturating_mul(100) / LONG_WAIT.as_secs()).min(NEARLY_ALL)
        } else {
            0
        };
        let hundredths = u64::from(ended).saturating_mul(100).saturating_add(part);
        Some(Progress {
            done: u32::try_from(hundredths).map_or(f64::MAX, f64::from) / 100.0,
            total: f64::from(begun),
            message,
        })
    }
}
