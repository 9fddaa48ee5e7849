//! The metrics of the process itself, as Linux reports them in `/proc` (proc(5)), under the names that Prometheus gives them.

use std::fs;

use rlimit::Resource;

use super::MetricDefinition;

/// The clock ticks of a second in which Linux counts for programs, whatever its own clock does (`USER_HZ`).
const TICKS: u64 = 100;

/// Fields of `/proc/self/stat`, numbered as proc(5) does.
const USER_TICKS: usize = 14;
const SYSTEM_TICKS: usize = 15;
const THREADS: usize = 20;
const START_TICKS: usize = 22;
const VIRTUAL_BYTES: usize = 23;

/// What is unknown is 0.
pub(super) const PROCESS: &[MetricDefinition<()>] = &[
    MetricDefinition::observable_counter(
        "process_cpu_seconds_total",
        "Total user and system CPU time spent in seconds.",
        |()| (stat(USER_TICKS) + stat(SYSTEM_TICKS)) / TICKS,
    ),
    MetricDefinition::observable_gauge(
        "process_open_fds",
        "Number of open file descriptors.",
        |()| fs::read_dir("/proc/self/fd").map_or(0, |it| super::number(it.count())),
    ),
    MetricDefinition::observable_gauge(
        "process_max_fds",
        "Maximum number of open file descriptors.",
        |()| Resource::NOFILE.get_soft().unwrap_or(0),
    ),
    MetricDefinition::observable_gauge(
        "process_virtual_memory_bytes",
        "Virtual memory size in bytes.",
        |()| stat(VIRTUAL_BYTES),
    ),
    MetricDefinition::observable_gauge(
        "process_resident_memory_bytes",
        "Resident memory size in bytes.",
        |()| 1024 * labeled("/proc/self/status", "VmRSS:"),
    ),
    MetricDefinition::observable_gauge(
        "process_start_time_seconds",
        "Start time of the process since unix epoch in seconds.",
        |()| labeled("/proc/stat", "btime ") + stat(START_TICKS) / TICKS,
    ),
    MetricDefinition::observable_gauge(
        "process_threads",
        "Number of OS threads in the process.",
        |()| stat(THREADS),
    ),
];

fn stat(field: usize) -> u64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is the name of the program in parentheses, which may have any character.
    let after_name = text.rsplit_once(") ").map_or("", |(_, fields)| fields);
    number(after_name.split(' ').nth(field - 3))
}

/// The number in the line that begins so.
fn labeled(path: &str, label: &str) -> u64 {
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find_map(|it| it.strip_prefix(label));
    number(line.and_then(|it| it.split_whitespace().next()))
}

fn number(word: Option<&str>) -> u64 {
    word.and_then(|it| it.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant, SystemTime};

    use super::*;

    #[test]
    fn the_figures_are_those_of_this_process() {
        let (stat_bytes, resident) = (stat(VIRTUAL_BYTES), labeled("/proc/self/status", "VmRSS:"));
        assert!(
            resident > 1_000 && 1024 * resident < stat_bytes,
            "{resident} {stat_bytes}"
        );
        assert!(stat(THREADS) >= 2, "the test has a thread of its own");
        let uptime = fs::read_to_string("/proc/uptime").unwrap();
        let uptime: f64 = uptime.split(' ').next().unwrap().parse().unwrap();
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
        let started = labeled("/proc/stat", "btime ") + stat(START_TICKS) / TICKS;
        let age = now - started as f64;
        assert!(
            (-2.0..uptime + 2.0).contains(&age) && age < 3_600.0,
            "{age}"
        );
        let spent = || stat(USER_TICKS) + stat(SYSTEM_TICKS);
        let before = spent();
        let deadline = Instant::now() + Duration::from_secs(60);
        while spent() == before {
            assert!(Instant::now() < deadline, "{before} ticks after a minute");
        }
    }
}
