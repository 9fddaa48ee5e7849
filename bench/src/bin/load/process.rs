//! What Linux says about another process: CPU time used and memory resident (`proc(5)`).

use std::time::Duration;

use crate::failure::Failure;

/// The entry of the auxiliary vector that holds the clock ticks a second (`AT_CLKTCK`).
const CLOCK_TICKS: u64 = 17;

/// A process by its id.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process(pub(crate) u32);

impl Process {
    /// User and system time of all its threads so far, in steps of a clock tick.
    pub(crate) fn cpu(self) -> Result<Duration, Failure> {
        let path = format!("/proc/{}/stat", self.0);
        let stat = read(&path)?;
        let ticks = cpu_ticks(&stat).ok_or(Failure::Unreadable(path))?;
        let per_second = ticks_per_second()?;
        Ok(Duration::from_millis(ticks * 1000 / per_second))
    }

    /// Resident set in KiB.
    pub(crate) fn resident(self) -> Result<u64, Failure> {
        let path = format!("/proc/{}/status", self.0);
        let status = read(&path)?;
        resident(&status).ok_or(Failure::Unreadable(path))
    }
}

fn read(path: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|source| Failure::Io {
        what: path.to_owned(),
        source,
    })
}

/// Fields 14 and 15 of `stat`, counted after the name, which may hold spaces and brackets.
fn cpu_ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

fn resident(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

fn ticks_per_second() -> Result<u64, Failure> {
    const PATH: &str = "/proc/self/auxv";
    let words = std::fs::read(PATH).map_err(|source| Failure::Io {
        what: PATH.to_owned(),
        source,
    })?;
    let mut words = words
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_ne_bytes(*word));
    while let (Some(key), Some(value)) = (words.next(), words.next()) {
        if key == CLOCK_TICKS && value > 0 {
            return Ok(value);
        }
    }
    Err(Failure::Unreadable(PATH.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{Process, cpu_ticks, resident};

    #[test]
    fn user_and_system_time_are_added() {
        let stat = "42 (a) b) S 1 42 42 0 -1 4194304 1 0 0 0 150 25 0 0 20 0 3 0 1 2 3";
        assert_eq!(cpu_ticks(stat), Some(175));
        assert_eq!(cpu_ticks("42 (a) S 1"), None);
    }

    #[test]
    fn resident_memory_is_in_kib() {
        assert_eq!(resident("Name:\ta\nVmRSS:\t    5120 kB\n"), Some(5120));
        assert_eq!(resident("Name:\ta\n"), None);
    }

    #[test]
    fn this_process_can_be_read() {
        let process = Process(std::process::id());
        process.cpu().unwrap();
        assert!(process.resident().unwrap() > 0);
    }
}
