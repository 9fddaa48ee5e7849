//! Processors of the node's machine, which concurrent responses share. The rows read for a response determine its processing time.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use tokio::time::sleep;

/// Processing time of a response without any rows.
const ANSWER: Duration = Duration::from_millis(1);
/// Waiting time of a response for a processor with as many others as there are processors. While sixteen lists were in progress, trivial
/// responses of the real Core on two processors took 8 to 65 ms.
const TURN: Duration = Duration::from_millis(10);
/// Time slice after which a response counts its competitors again.
const SLICE: Duration = Duration::from_millis(20);

/// Costs of responses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Costs {
    /// Number of responses that the machine processes at the same time without slowing any of them.
    pub(crate) processors: u32,
    /// Time per row read.
    pub(crate) row: Duration,
    /// Time per KiB of the response.
    pub(crate) kibibyte: Duration,
}

impl Costs {
    /// Returns the processing time of a response with this many rows read and bytes.
    pub(crate) fn of(self, rows: usize, bytes: usize) -> Duration {
        let [rows, kibibytes] =
            [rows, bytes / 1024].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let read = self.row.saturating_mul(rows);
        let written = self.kibibyte.saturating_mul(kibibytes);
        ANSWER.saturating_add(read).saturating_add(written)
    }
}

/// The number of responses being processed.
#[derive(Debug, Default)]
pub(crate) struct Processors(AtomicU32);

/// Counts a response as being processed, until it is dropped.
struct Working<'a>(&'a AtomicU32);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Processors {
    /// Waits for the duration of a response that takes `work` on an idle machine, given the other responses in progress.
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
