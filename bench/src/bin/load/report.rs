//! What one measurement found, and how it is written: one JSON object on a line.

use std::time::Duration;

use serde::Serialize;

/// One measurement.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Requests answered rightly within the measured time.
    pub(crate) requests: u32,
    pub(crate) seconds: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    /// CPU time of the server, per request.
    pub(crate) cpu_us: f64,
    /// Resident memory of the server before and after, in KiB.
    pub(crate) rss_before_kib: u64,
    pub(crate) rss_after_kib: u64,
    /// Time from the end of the input to the end of the server.
    pub(crate) exit_ms: f64,
}

/// What is known of the server around the measured time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) elapsed: Duration,
    pub(crate) cpu: Duration,
    pub(crate) rss_before_kib: u64,
    pub(crate) rss_after_kib: u64,
}

impl Report {
    pub(crate) fn new(mut latencies: Vec<Duration>, cost: Cost, exit: Duration) -> Self {
        latencies.sort_unstable();
        let requests = u32::try_from(latencies.len()).unwrap_or(u32::MAX);
        Self {
            requests,
            seconds: cost.elapsed.as_secs_f64(),
            p50_us: percentile_us(&latencies, 50),
            p99_us: percentile_us(&latencies, 99),
            cpu_us: cost.cpu.as_secs_f64() * 1e6 / f64::from(requests),
            rss_before_kib: cost.rss_before_kib,
            rss_after_kib: cost.rss_after_kib,
            exit_ms: exit.as_secs_f64() * 1000.0,
        }
    }
}

/// Returns the latency that `percent` of the sorted latencies did not exceed, in microseconds; 0 without any.
fn percentile_us(latencies: &[Duration], percent: usize) -> f64 {
    let at = (latencies.len() * percent).div_ceil(100).max(1) - 1;
    latencies
        .get(at)
        .map_or(0.0, |latency| latency.as_secs_f64() * 1e6)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::percentile_us;

    #[test]
    fn percentiles_are_those_of_the_sorted_latencies() {
        let latencies: Vec<_> = (1..=200).map(Duration::from_micros).collect();
        for (percent, expected) in [(1, 2.0), (50, 100.0), (99, 198.0), (100, 200.0)] {
            let found = percentile_us(&latencies, percent);
            assert!((found - expected).abs() < 1e-9, "{percent}: {found}");
        }
        assert!(percentile_us(&[], 50).abs() < f64::EPSILON);
    }
}
