//! How far a call is, for callers who want to know.

use std::{pin::pin, time::Duration};

use qortal_client::RequestCounter;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// How often a caller is told. Most calls have ended by then.
const EVERY: Duration = Duration::from_secs(1);
/// What a request has come to after a wait is not known; after this long its share of the whole is nearly full.
const LONG_WAIT: Duration = Duration::from_secs(60);
/// The hundredths of a request that a wait can be worth.
const NEARLY_ALL: u64 = 99;

/// How far a call is: by the requests to the node that it consists of, as far as they are known.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How many requests have ended, and hundredths of one for the wait since. It only increases.
    pub done: f64,
    /// How many requests have begun.
    pub total: f64,
    /// The same, for a person.
    pub message: String,
}

/// What is done with the progress of a call.
pub type Report<'a> = dyn Fn(Progress) + Send + Sync + 'a;

/// Reports the progress of a call until it ends, once a second.
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

/// The wait for the next answer of the node.
struct Wait {
    /// How many requests had ended when it began.
    ended: u32,
    since: Instant,
}

impl Wait {
    fn progress(&mut self, begun: u32, ended: u32, now: Instant) -> Option<Progress> {
        if ended != self.ended {
            *self = Self { ended, since: now };
        }
        // A timer may be a little early.
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
