//! How the cache of the node's answers is used, as figures.

use prometheus::{IntCounterVec, IntGauge, Opts, Registry};
use qortal_client::Node;

/// Counted by the client, and read when someone looks.
#[derive(Debug)]
pub(super) struct CacheFigures {
    requests: IntCounterVec,
    bytes: IntGauge,
}

impl CacheFigures {
    /// # Errors
    /// Fails if a name is invalid or given twice, which the tests exclude.
    pub(super) fn new(registry: &Registry) -> Result<Self, prometheus::Error> {
        let figures = Self {
            requests: IntCounterVec::new(
                Opts::new(
                    "qortal_node_cache_requests_total",
                    "Requests that the cache answered (hit), or that the node was asked for (miss).",
                ),
                &["result"],
            )?,
            bytes: IntGauge::new("qortal_node_cache_bytes", "Bytes of answers that are kept.")?,
        };
        registry.register(Box::new(figures.requests.clone()))?;
        registry.register(Box::new(figures.bytes.clone()))?;
        Ok(figures)
    }

    /// Takes over what was counted so far. One reader at a time.
    pub(super) fn read(&self, node: &Node) {
        let usage = node.cache_usage();
        for (result, count) in [("hit", usage.hits), ("miss", usage.misses)] {
            let counter = self.requests.with_label_values(&[result]);
            counter.inc_by(count.saturating_sub(counter.get()));
        }
        self.bytes
            .set(i64::try_from(usage.bytes).unwrap_or(i64::MAX));
    }
}
