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
    /// When heartbeats were last given up.
    silent: Mutex<Option<Instant>>,
}

/// An answered heartbeat.
#[derive(Debug, Clone, Copy)]
struct Beat {
    sent: Instant,
    was_silent: bool,
}

impl Heartbeats {
    /// Sends heartbeats until the node answers one that was sent after `since`, for `patience` at most. Who waits while another one gives
    /// up needs no patience of its own.
    pub(crate) async fn check<E, F: Future<Output = Result<(), E>>>(
        &self,
        since: Instant,
        patience: Duration,
        beat: impl Fn() -> F,
    ) -> Sign<E> {
        let begun = Instant::now();
        let until = begun + patience;
        let Ok(_turn) = timeout_at(until, self.turn.lock()).await else {
            return Sign::Silent;
        };
        if self.silent.lock().is_some_and(|at| at > begun) {
            return Sign::Silent;
        }
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
                *self.silent.lock() = Some(until);
                return Sign::Silent;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Duration};

    use tokio::{
        join,
        time::{Instant, sleep},
    };

    use super::{Heartbeats, Sign};

    const PATIENCE: Duration = Duration::from_secs(2);

    #[tokio::test(start_paused = true)]
    async fn who_came_later_learns_of_the_silence_at_once() {
        let heartbeats = Heartbeats::default();
        let start = Instant::now();
        let check = async |after: Duration| {
            sleep(after).await;
            let begun = Instant::now();
            let sign = heartbeats
                .check(begun, PATIENCE, pending::<Result<(), ()>>)
                .await;
            assert!(matches!(sign, Sign::Silent));
            start.elapsed()
        };
        let (first, later) = join!(check(Duration::ZERO), check(Duration::from_secs(1)));
        assert_eq!((first, later), (PATIENCE, PATIENCE));
        // The next one looks for itself.
        let again = check(Duration::ZERO).await;
        assert_eq!(again, PATIENCE * 2);
    }
}
