//! Whether a node that leaves a request unanswered is alive: it is asked something trivial meanwhile.

use std::time::Duration;

use futures_util::{StreamExt, stream::FuturesUnordered};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until, timeout_at};

/// The time between two heartbeats while none is answered. A stall is over at most this long before it is noticed.
const INTERVAL: Duration = Duration::from_millis(500);

/// Heartbeats that no one waits for any more still count, if others follow within this time.
const CONTINUES: Duration = Duration::from_millis(1_250);

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
    unanswered: Mutex<Option<Unanswered>>,
}

/// An answered heartbeat.
#[derive(Debug, Clone, Copy)]
struct Beat {
    sent: Instant,
    was_silent: bool,
}

/// Heartbeats that were sent while the node answered nothing. Those who waited may have got their answers from another node meanwhile.
#[derive(Debug, Clone, Copy)]
struct Unanswered {
    since: Instant,
    last: Instant,
}

impl Heartbeats {
    /// Notes that the node answered something.
    pub(crate) fn answered(&self) {
        *self.unanswered.lock() = None;
    }

    /// Notes that a heartbeat is sent.
    fn sends(&self, sent: Instant) {
        let mut unanswered = self.unanswered.lock();
        let since = unanswered.filter(|it| sent - it.last <= CONTINUES);
        let since = since.map_or(sent, |it| it.since);
        *unanswered = Some(Unanswered { since, last: sent });
    }

    /// When patience with heartbeats that begin now is over; one has an interval at least.
    fn until(&self, patience: Duration) -> Instant {
        let now = Instant::now();
        let before = *self.unanswered.lock();
        let before = before.filter(|it| now - it.last <= CONTINUES);
        let since = before.map_or(now, |it| it.since);
        (since + patience).max(now + INTERVAL)
    }

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
        let turn = timeout_at(until, self.turn.lock()).await;
        if turn.is_err() || self.silent.lock().is_some_and(|at| at > begun) {
            return Sign::Silent;
        }
        let last = *self.last.lock();
        if let Some(last) = last.filter(|last| last.sent >= since) {
            let was_silent = last.was_silent;
            return Sign::Alive { was_silent };
        }
        let until = self.until(patience);
        let mut under_way = FuturesUnordered::new();
        let mut is_first = true;
        loop {
            let sent = Instant::now();
            self.sends(sent);
            let beat = beat();
            under_way.push(async move { (sent, beat.await) });
            let next = sleep_until((sent + INTERVAL).min(until));
            tokio::select! {
                biased;
                Some((sent, answer)) = under_way.next() => {
                    self.answered();
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
                self.answered();
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
        time::{Instant, sleep, timeout},
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

    #[tokio::test(start_paused = true)]
    async fn silence_goes_on_though_who_noticed_it_does_not_wait_for_its_end() {
        let second = Duration::from_secs(1);
        for (pause, answers, expected) in [
            (Duration::ZERO, false, second),
            (second / 2, false, second / 2),
            (second, false, second / 2),
            (second * 2, false, PATIENCE),
            (Duration::ZERO, true, PATIENCE),
        ] {
            let heartbeats = Heartbeats::default();
            let check = || heartbeats.check(Instant::now(), PATIENCE, pending::<Result<(), ()>>);
            timeout(second, check()).await.unwrap_err();
            sleep(pause).await;
            if answers {
                heartbeats.answered();
            }
            let begun = Instant::now();
            assert!(matches!(check().await, Sign::Silent));
            assert_eq!(begun.elapsed(), expected, "{pause:?} {answers}");
        }
    }
}
