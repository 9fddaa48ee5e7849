//! How many slow requests one node gets at once: as many as it shows that it can take.
//!
//! Most of them are answered soon, and nothing is gained if they wait for each other. From the first that is not, few are sent at once:
//! one more after some rounds of answers, and half as many when the node does not answer, or when what is trivial takes it several times
//! as long as usual (additive increase, multiplicative decrease).

use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

/// A slow request that is answered sooner occupies the node for no time that matters.
const LONG: Duration = Duration::from_millis(500);
/// So many long ones at first: the smallest machine that runs a node has two processors, and each of them occupies one.
const LONG_AT_FIRST: usize = 2;

/// Rounds of answers to long ones after which one more is let through.
const ROUNDS: usize = 2;

/// The node is strained if a trivial answer takes this many times what it takes at best,
const STRAIN: u32 = 4;
/// and this much longer, which is no accident of the network.
const STRAIN_TIME: Duration = Duration::from_millis(10);

/// What a trivial answer takes at best is forgotten by this part with each of them: the way to the node may become longer.
const FORGET: u32 = 16;

/// The places for slow requests.
#[derive(Debug)]
pub(crate) struct SlowPlaces {
    free: Semaphore,
    /// There are never more.
    most: usize,
    learned: Mutex<Learned>,
}

#[derive(Debug)]
struct Learned {
    places: usize,
    /// How many places there are while requests are long.
    long: usize,
    /// Answers to long ones since it is so many.
    answers: usize,
    /// Places that are still taken, and are to be taken away.
    excess: usize,
    /// What a trivial answer takes at best.
    trivial: Option<Duration>,
}

/// A place of a slow request. Dropping it gives it back, unless it is one too many now.
#[derive(Debug)]
pub(crate) struct SlowPlace<'a> {
    places: &'a SlowPlaces,
    permit: Option<SemaphorePermit<'a>>,
}

impl Drop for SlowPlace<'_> {
    fn drop(&mut self) {
        let mut learned = self.places.learned.lock();
        if learned.excess > 0 {
            learned.excess -= 1;
            if let Some(permit) = self.permit.take() {
                permit.forget();
            }
        }
    }
}

impl SlowPlaces {
    /// Creates so many places, of which there are never more.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            free: Semaphore::new(most),
            most,
            learned: Mutex::new(Learned {
                places: most,
                long: most.min(LONG_AT_FIRST),
                answers: 0,
                excess: 0,
                trivial: None,
            }),
        }
    }

    /// Waits for a place, in turn; `None` never comes, as the places are not closed.
    pub(crate) async fn take(&self) -> Option<SlowPlace<'_>> {
        let permit = Some(self.free.acquire().await.ok()?);
        Some(SlowPlace {
            places: self,
            permit,
        })
    }

    /// Notes that the node answered a slow request in this time.
    pub(crate) fn answered(&self, time: Duration) {
        let mut learned = self.learned.lock();
        // Where places are free, no more of them are missed; and where too many are taken, the answer shows nothing.
        if self.free.available_permits() > 0 || learned.excess > 0 {
            return;
        }
        if time < LONG {
            let more = learned.places + 1;
            self.change(&mut learned, more);
            return;
        }
        learned.answers += 1;
        if learned.answers >= learned.long * ROUNDS {
            learned.answers = 0;
            learned.long = self.most.min(learned.long + 1);
            let more = learned.places.max(learned.long);
            self.change(&mut learned, more);
        }
    }

    /// Notes that a slow request is a long one, or still is.
    pub(crate) fn is_long(&self) {
        let mut learned = self.learned.lock();
        let fewer = learned.places.min(learned.long);
        self.change(&mut learned, fewer);
    }

    /// Notes that the node answered something trivial in this time.
    pub(crate) fn answered_trivial(&self, time: Duration) {
        let mut learned = self.learned.lock();
        let best = learned.trivial.map_or(time, |it| it.min(time));
        if time > best * STRAIN + STRAIN_TIME {
            self.halve(&mut learned);
        }
        learned.trivial = Some(best + best / FORGET);
    }

    /// Notes that the node did not answer a slow request in time, though it is alive.
    pub(crate) fn not_answered(&self) {
        self.halve(&mut self.learned.lock());
    }

    /// Lets half as many through, once: what is under way when that is not done yet says nothing new.
    fn halve(&self, learned: &mut Learned) {
        if learned.excess == 0 {
            learned.answers = 0;
            learned.long = (learned.places / 2).max(1);
            self.change(learned, learned.long);
        }
    }

    fn change(&self, learned: &mut Learned, places: usize) {
        let places = places.min(self.most);
        while learned.places < places {
            learned.places += 1;
            match learned.excess.checked_sub(1) {
                Some(fewer) => learned.excess = fewer,
                None => self.free.add_permits(1),
            }
        }
        let fewer = learned.places - places;
        learned.places = places;
        learned.excess += fewer - self.free.forget_permits(fewer);
    }
}

#[cfg(test)]
mod tests;
