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
        /// Whether it left others unanswered meanwhile, so that it may have lost requests.
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
    seen: Mutex<Seen>,
}

/// What was seen of the node.
#[derive(Debug, Default)]
struct Seen {
    /// When the last heartbeat that was answered was sent.
    last: Option<Instant>,
    /// When heartbeats were last given up.
    given_up: Option<Instant>,
    /// Whether the node left heartbeats unanswered, and has answered nothing since.
    is_silent: bool,
    /// When its last silence was seen to be over.
    back: Option<Instant>,
}

impl Seen {
    fn answered(&mut self) {
        if self.is_silent {
            self.is_silent = false;
            self.back = Some(Instant::now());
        }
    }

    /// The node answers. A request that was sent before it was seen to be back may have been lost, whichever noticed its silence.
    fn alive<E>(&self, since: Instant) -> Sign<E> {
        let was_silent = self.back.is_some_and(|at| at > since);
        Sign::Alive { was_silent }
    }
}

impl Heartbeats {
    /// Notes that the node answered something.
    pub(crate) fn answered(&self) {
        self.seen.lock().answered();
    }

    /// Sends heartbeats until the node answers one that was sent after `since`, for `patience` at most. If another one has given up since
    /// then, that is enough.
    pub(crate) async fn check<E, F: Future<Output = Result<(), E>>>(
        &self,
        since: Instant,
        patience: Duration,
        beat: impl Fn() -> F,
    ) -> Sign<E> {
        let until = Instant::now() + patience;
        let turn = timeout_at(until, self.turn.lock()).await;
        {
            let seen = self.seen.lock();
            let is_given_up = seen.is_silent && seen.given_up.is_some_and(|at| at > since);
            if turn.is_err() || is_given_up {
                return Sign::Silent;
            }
            if seen.last.is_some_and(|sent| sent >= since) {
                return seen.alive(since);
            }
        }
        // One has an interval at least.
        let until = until.max(Instant::now() + INTERVAL);
        let mut under_way = FuturesUnordered::new();
        loop {
            let sent = Instant::now();
            let beat = beat();
            under_way.push(async move { (sent, beat.await) });
            let next = sleep_until((sent + INTERVAL).min(until));
            tokio::select! {
                biased;
                Some((sent, answer)) = under_way.next() => {
                    let mut seen = self.seen.lock();
                    seen.answered();
                    if let Err(failure) = answer {
                        return Sign::Gone(failure);
                    }
                    seen.last = Some(sent);
                    return seen.alive(since);
                }
                () = next => self.seen.lock().is_silent = true,
            }
            if Instant::now() >= until {
                self.seen.lock().given_up = Some(until);
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
        time::{Instant, sleep, sleep_until},
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
        // Who asked before and looks only now knows as well; the next one looks for itself.
        let sign = heartbeats.check(start, PATIENCE, pending::<Result<(), ()>>);
        assert!(matches!(sign.await, Sign::Silent));
        assert_eq!(start.elapsed(), PATIENCE);
        let again = check(Duration::ZERO).await;
        assert_eq!(again, PATIENCE * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_silence_is_told_to_all_who_asked_before_it_was_seen_to_be_over() {
        let half = Duration::from_millis(500);
        // Until when the node answers nothing; the other one looks from the beginning on.
        for (silent_for, is_given_up) in [(half * 3, false), (half * 6, true)] {
            let heartbeats = Heartbeats::default();
            let start = Instant::now();
            let beat = || async move {
                if start.elapsed() < silent_for {
                    pending::<()>().await;
                }
                Ok::<_, ()>(())
            };
            let other = heartbeats.check(start, PATIENCE, beat).await;
            assert_eq!(matches!(other, Sign::Silent), is_given_up);
            sleep_until(start + silent_for + half).await;
            for (asked, expected) in [
                (Instant::now(), false),
                (start, true),
                (start + silent_for - half, true),
            ] {
                let sign = heartbeats.check(asked, PATIENCE, beat).await;
                let Sign::Alive { was_silent } = sign else {
                    panic!("{sign:?}");
                };
                assert_eq!(was_silent, expected, "{silent_for:?} {:?}", asked - start);
            }
        }
    }
}
