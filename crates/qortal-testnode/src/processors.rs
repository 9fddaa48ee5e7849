//! The processors of the node's machine, which answers share: how long each takes by the rows that are read for it.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use tokio::time::sleep;

/// What an answer takes without any row.
const ANSWER: Duration = Duration::from_millis(1);
/// How long an answer waits for a processor beside as many others as there are: while sixteen lists were under way, trivial answers of
/// the real Core on two processors took 8 to 65 ms.
const TURN: Duration = Duration::from_millis(10);
/// How long an answer works before it looks how many others do.
const SLICE: Duration = Duration::from_millis(20);

/// What answers cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Costs {
    /// How many answers the machine makes at once without any being slower.
    pub(crate) processors: u32,
    /// What each row takes that is read.
    pub(crate) row: Duration,
    /// What each KiB of the answer takes.
    pub(crate) kibibyte: Duration,
}

impl Costs {
    /// What an answer takes that reads so many rows and has so many bytes.
    pub(crate) fn of(self, rows: usize, bytes: usize) -> Duration {
        let [rows, kibibytes] =
            [rows, bytes / 1024].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let read = self.row.saturating_mul(rows);
        let written = self.kibibyte.saturating_mul(kibibytes);
        ANSWER.saturating_add(read).saturating_add(written)
    }
}

/// How many answers are being made.
#[derive(Debug, Default)]
pub(crate) struct Processors(AtomicU32);

/// Counts an answer among those that are being made, until it is dropped.
struct Working<'a>(&'a AtomicU32);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Processors {
    /// Waits as long as an answer takes, which alone would take `work`, beside others.
    pub(crate) async fn work(&self, costs: Costs, work: Duration) {
        self.0.fetch_add(1, Ordering::Relaxed);
        let working = Working(&self.0);
        let processors = costs.processors.max(1);
        let beside = working.0.load(Ordering::Relaxed).saturating_sub(processors);
        sleep(TURN.saturating_mul(beside) / processors).await;
        let mut left = work;
        while !left.is_zero() {
            let slice = left.min(SLICE);
            let others = working.0.load(Ordering::Relaxed);
            sleep(slice.saturating_mul(others.max(processors)) / processors).await;
            left -= slice;
        }
    }
}
