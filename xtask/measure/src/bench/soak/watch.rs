//! The memory and descriptors of a process, and the memory of TCP, as Linux reports them (`proc(5)`).

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
    /// The buffers of all TCP sockets of the machine, which count for no process.
    pub(super) sockets_kib: u64,
}

impl Usage {
    pub(super) fn of(process: u32) -> Result<Self, Failure> {
        let descriptors = format!("/proc/{process}/fd");
        Ok(Self {
            resident_kib: Process(process).resident_kib()?.into(),
            descriptors: fs::read_dir(&descriptors)
                .map_err(Failure::io(&descriptors))?
                .count(),
            sockets_kib: sockets_kib()?,
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
        peak.sockets_kib = peak.sockets_kib.max(now.sockets_kib);
        peak.descriptors = peak.descriptors.max(now.descriptors);
        sleep(SAMPLE).await;
    }
    Ok(peak)
}

/// The memory of all TCP sockets, which the system counts in pages.
fn sockets_kib() -> Result<u64, Failure> {
    let pages = number(SOCKETS, socket_pages)?;
    Ok(pages.saturating_mul(number(MAPPINGS, page_kib)?))
}

const SOCKETS: &str = "/proc/net/sockstat";
const MAPPINGS: &str = "/proc/self/smaps";

fn number(path: &str, find: impl Fn(&str) -> Option<u64>) -> Result<u64, Failure> {
    let text = fs::read_to_string(path).map_err(Failure::io(path))?;
    find(&text).ok_or_else(|| Failure::unreadable(path, "it is not as documented"))
}

/// `TCP: inuse 4 orphan 0 tw 453 alloc 4 mem 259`
fn socket_pages(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("TCP:"))?;
    let mut words = line.split_whitespace().skip_while(|it| *it != "mem");
    words.nth(1)?.parse().ok()
}

/// `KernelPageSize:        4 kB`
fn page_kib(text: &str) -> Option<u64> {
    let mut lines = text.lines();
    let size = lines.find_map(|line| line.strip_prefix("KernelPageSize:"))?;
    size.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{page_kib, socket_pages};

    #[test]
    fn the_memory_of_sockets_is_read_as_linux_writes_it() {
        const SOCKETS: &str =
            "sockets: used 32\nTCP: inuse 4 orphan 0 tw 453 alloc 4 mem 259\nUDP: inuse 0 mem 7\n";
        const MAPPING: &str =
            "55d0-55d1 r--p 00000000 08:01 7 /bin/x\nSize: 8 kB\nKernelPageSize:        4 kB\n";
        for (text, pages, size) in [
            (SOCKETS, Some(259), None),
            (MAPPING, None, Some(4)),
            ("TCP: inuse 4\n", None, None),
            ("", None, None),
        ] {
            assert_eq!(socket_pages(text), pages, "{text}");
            assert_eq!(page_kib(text), size, "{text}");
        }
    }
}
