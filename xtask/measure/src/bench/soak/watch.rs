//! What Linux says a process holds (`proc(5)`).

use std::fs;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::bench::process::Process;
use xtask::failure::Failure;

/// How often memory and descriptors are read.
pub(super) const SAMPLE: Duration = Duration::from_millis(50);

/// What a process holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    pub(super) resident_kib: u64,
    pub(super) descriptors: usize,
}

impl Usage {
    pub(super) fn of(process: u32) -> Result<Self, Failure> {
        let descriptors = format!("/proc/{process}/fd");
        Ok(Self {
            resident_kib: Process(process).resident_kib()?.into(),
            descriptors: fs::read_dir(&descriptors)
                .map_err(Failure::io(&descriptors))?
                .count(),
        })
    }

    /// How many connections this process may open, with some descriptors left for the rest.
    pub(super) fn descriptors_to_spare() -> Result<usize, Failure> {
        const PATH: &str = "/proc/self/limits";
        let text = fs::read_to_string(PATH).map_err(Failure::io(PATH))?;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("Max open files"));
        let most: Option<usize> =
            line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        let most = most.ok_or_else(|| Failure::unreadable(PATH, "it has no Max open files"))?;
        Ok(most.saturating_sub(100))
    }
}

/// The most the process holds of each during this time.
pub(super) async fn peak(process: u32, during: Duration) -> Result<Usage, Failure> {
    let until = Instant::now() + during;
    let mut peak = Usage::default();
    while Instant::now() < until {
        let now = Usage::of(process)?;
        peak.resident_kib = peak.resident_kib.max(now.resident_kib);
        peak.descriptors = peak.descriptors.max(now.descriptors);
        sleep(SAMPLE).await;
    }
    Ok(peak)
}
