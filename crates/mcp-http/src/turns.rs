//! Turns for parsing large messages, each of which takes a processor for milliseconds: ordinary ones do not wait for those.

use std::{thread::available_parallelism, time::Duration};

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

/// A message of this size is parsed in less than a millisecond.
const ORDINARY_BYTES: usize = 64 << 10;

/// How many large messages are parsed at once: one processor fewer than there are, and at least one.
#[derive(Debug)]
pub(crate) struct Turns {
    large: Semaphore,
}

/// A message may be parsed as long as this is kept.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    _permit: Option<SemaphorePermit<'a>>,
}

impl Turns {
    /// For the processors of this machine.
    pub(crate) fn new() -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self::of(processors.saturating_sub(1).max(1))
    }

    fn of(large: usize) -> Self {
        Self {
            large: Semaphore::new(large),
        }
    }

    /// Waits for the turn of a message of so many bytes; `None` if it does not come in time.
    pub(crate) async fn take(&self, bytes: usize, patience: Duration) -> Option<Turn<'_>> {
        let _permit = match bytes {
            0..=ORDINARY_BYTES => None,
            _ => Some(timeout(patience, self.large.acquire()).await.ok()?.ok()?),
        };
        Some(Turn { _permit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn large_messages_wait_for_each_other_and_ordinary_ones_for_none() {
        let turns = Turns::of(1);
        let take = |bytes| turns.take(bytes, Duration::from_secs(30));
        let first = take(ORDINARY_BYTES + 1).await.unwrap();
        assert!(take(ORDINARY_BYTES + 1).await.is_none());
        assert!(take(ORDINARY_BYTES).await.is_some());
        drop(first);
        assert!(take(ORDINARY_BYTES + 1).await.is_some());
    }
}
