//! Whether a node that leaves a request unanswered is alive: it is asked something trivial meanwhile.

use std::time::Duration;

use futures_util::{StreamExt, stream::FuturesUnordered};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until, timeout_at};

/// The time between two heartbeats while none is answered. A stall is over at most this long before it is noticed.
const INTERVAL: Duration = Duration::from_millis(500);

/// What heartbeats show.
#[derive(Debug)]
pub(crate) enum Sign<E> {
    /// The node answered.
    Alive {
        /// Whether it left others unanswered before, so that it may have lost requests.
        was_silent: bool,
    },
    /// The node answered none in time.
    Silent,
    /// The node is no longer there.
    Gone(E),
}

/// The heartbeats of one node, sent only while requests wait for it. One request at a time sends them for all.
#[derive(Debug, Default)]
pub(crate) struct Heartbeats {
    turn: tokio::sync::Mutex<()>,
    last: Mutex<Option<Beat>>,
}

/// An answered heartbeat.
#[derive(Debug, Clone, Copy)]
struct Beat {
    sent: Instant,
    was_silent: bool,
}

impl Heartbeats {
    /// Sends heartbeats until the node answers one that was sent after `since`, for `patience` at most.
    pub(crate) async fn check<E, F: Future<Output = Result<(), E>>>(
        &self,
        since: Instant,
        patience: Duration,
        beat: impl Fn() -> F,
    ) -> Sign<E> {
        let until = Instant::now() + patience;
        let Ok(_turn) = timeout_at(until, self.turn.lock()).await else {
            return Sign::Silent;
        };
        let last = *self.last.lock();
        if let Some(last) = last.filter(|last| last.sent >= since) {
            let was_silent = last.was_silent;
            return Sign::Alive { was_silent };
        }
        let mut under_way = FuturesUnordered::new();
        let mut is_first = true;
        loop {
            let sent = Instant::now();
            let beat = beat();
            under_way.push(async move { (sent, beat.await) });
            let next = sleep_until((sent + INTERVAL).min(until));
            tokio::select! {
                biased;
                Some((sent, answer)) = under_way.next() => {
                    if let Err(failure) = answer {
                        return Sign::Gone(failure);
                    }
                    let was_silent = !is_first;
                    *self.last.lock() = Some(Beat { sent, was_silent });
                    return Sign::Alive { was_silent };
                }
                () = next => is_first = false,
            }
            if Instant::now() >= until {
                return Sign::Silent;
            }
        }
    }
}
