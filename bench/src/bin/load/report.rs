//! What one measurement found, and how it is written: one JSON object on a line.

use std::time::Duration;

use serde::Serialize;

use crate::histogram::Histogram;

/// One measurement.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Requests answered rightly within the measured time.
    pub(crate) requests: u64,
    /// Requests sent, with those before and after the measured time; HTTP only.
    pub(crate) sent: Option<u64>,
    /// Requests answered wrongly or not at all.
    pub(crate) errors: u64,
    /// The first of the errors.
    pub(crate) first_error: Option<String>,
    pub(crate) seconds: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    /// CPU time of the server, per request.
    pub(crate) cpu_us: f64,
    /// Resident memory of the server before and after, in KiB.
    pub(crate) rss_before_kib: u64,
    pub(crate) rss_after_kib: u64,
    /// How long the server took to end after its input ended; stdio only.
    pub(crate) exit_ms: Option<f64>,
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
    pub(crate) fn new(histogram: &Histogram, problems: Vec<String>, cost: Cost) -> Self {
        let requests = histogram.total();
        // Exact below 2^53 requests.
        let per_request = 1e6 / u32::try_from(requests).map_or(f64::INFINITY, f64::from);
        Self {
            requests,
            sent: None,
            errors: u64::try_from(problems.len()).unwrap_or(u64::MAX),
            first_error: problems.into_iter().next(),
            seconds: cost.elapsed.as_secs_f64(),
            p50_us: histogram.percentile(50),
            p99_us: histogram.percentile(99),
            cpu_us: cost.cpu.as_secs_f64() * per_request,
            rss_before_kib: cost.rss_before_kib,
            rss_after_kib: cost.rss_after_kib,
            exit_ms: None,
        }
    }
}
