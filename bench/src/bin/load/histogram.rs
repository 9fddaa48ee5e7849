//! Latencies in bounded memory, each kept to within one part in 1024.

use std::time::Duration;

/// Steps between two powers of two.
const STEPS: u64 = 1024;
/// Enough rows for `u64` nanoseconds.
const BUCKETS: usize = 64 * 1024;

/// How many requests took how long.
#[derive(Debug)]
pub(crate) struct Histogram {
    counts: Vec<u64>,
    total: u64,
}

impl Histogram {
    pub(crate) fn new() -> Self {
        Self {
            counts: vec![0; BUCKETS],
            total: 0,
        }
    }

    pub(crate) fn record(&mut self, latency: Duration) {
        let nanos = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX);
        if let Some(count) = self.counts.get_mut(bucket(nanos)) {
            *count += 1;
            self.total += 1;
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The latency in microseconds that `percent` of the requests did not exceed; 0 without requests.
    pub(crate) fn percentile(&self, percent: u64) -> f64 {
        let wanted = (self.total * percent).div_ceil(100).max(1);
        let mut seen = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return micros(bucket);
            }
        }
        0.0
    }
}

/// Below 2048 ns each nanosecond has its bucket; above, each power of two has 1024.
fn bucket(nanos: u64) -> usize {
    let shift = nanos.max(STEPS).ilog2() - STEPS.ilog2();
    let index = u64::from(shift) * STEPS + (nanos >> shift);
    usize::try_from(index).unwrap_or(BUCKETS)
}

/// The lower end of a bucket.
fn micros(bucket: usize) -> f64 {
    let index = u64::try_from(bucket).unwrap_or(u64::MAX);
    let shift = (index / STEPS).saturating_sub(1);
    let nanos = (index - shift * STEPS) << shift;
    Duration::from_nanos(nanos).as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Histogram;

    #[test]
    fn percentiles_are_within_one_in_1024() {
        let mut histogram = Histogram::new();
        for micros in 1..=10_000 {
            histogram.record(Duration::from_micros(micros));
        }
        assert_eq!(histogram.total(), 10_000);
        for (percent, exact) in [(1, 100.0), (50, 5_000.0), (99, 9_900.0), (100, 10_000.0)] {
            let found = histogram.percentile(percent);
            let off = (exact - found) / exact;
            assert!((0.0..1.0 / 1024.0).contains(&off), "{percent}: {found}");
        }
    }

    #[test]
    fn without_requests_there_is_no_latency() {
        assert!(Histogram::new().percentile(50).abs() < f64::EPSILON);
    }

    #[test]
    fn the_longest_time_has_a_bucket() {
        let mut histogram = Histogram::new();
        histogram.record(Duration::MAX);
        histogram.record(Duration::ZERO);
        assert_eq!(histogram.total(), 2);
    }
}
