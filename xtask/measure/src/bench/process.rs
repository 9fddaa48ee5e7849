//! What Linux says about another process: CPU time used and memory resident (`proc(5)`).

use xtask::failure::Failure;

/// The entry of the auxiliary vector that holds the clock ticks a second (`AT_CLKTCK`).
const CLOCK_TICKS: u64 = 17;

/// A process by its id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Process(pub(super) u32);

impl Process {
    /// User and system time of all its threads so far, in seconds, in steps of a clock tick.
    pub(super) fn cpu_seconds(self) -> Result<f64, Failure> {
        let path = format!("/proc/{}/stat", self.0);
        let ticks = cpu_ticks(&read(&path)?).ok_or_else(|| odd(&path))?;
        Ok(f64::from(ticks) / f64::from(ticks_per_second()?))
    }

    /// Resident set in KiB.
    pub(super) fn resident_kib(self) -> Result<u32, Failure> {
        let path = format!("/proc/{}/status", self.0);
        resident(&read(&path)?).ok_or_else(|| odd(&path))
    }
}

fn read(path: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(Failure::io(path))
}

fn odd(path: &str) -> Failure {
    Failure::unreadable(path, "it is not as documented")
}

/// Fields 14 and 15 of `stat`, counted after the name, which may hold spaces and brackets.
fn cpu_ticks(stat: &str) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split_ascii_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(user + system)
}

fn resident(status: &str) -> Option<u32> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

fn ticks_per_second() -> Result<u32, Failure> {
    const PATH: &str = "/proc/self/auxv";
    let words = std::fs::read(PATH).map_err(Failure::io(PATH))?;
    let mut words = words
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_ne_bytes(*word));
    while let (Some(key), Some(value)) = (words.next(), words.next()) {
        if key == CLOCK_TICKS && value > 0 {
            return u32::try_from(value).map_err(|_| odd(PATH));
        }
    }
    Err(odd(PATH))
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
        process.cpu_seconds().unwrap();
        assert!(process.resident_kib().unwrap() > 0);
    }
}
