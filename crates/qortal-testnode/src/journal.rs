//! Requests received by a node, in order of arrival.

use std::{collections::VecDeque, time::Duration};

/// A request received by a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exchange {
    /// The method, such as `GET`. `CLOSE` is not a request: it marks the end of the websocket opened with this target.
    pub method: String,
    /// Path and query exactly as received.
    pub target: String,
    /// The `Accept` header.
    pub accept: Option<String>,
    /// Whether an `X-API-KEY` header was sent. Its value is not stored.
    pub has_api_key: bool,
    /// The `traceparent` header.
    pub trace_parent: Option<String>,
    /// Number of rows that the Core finds before it selects a page. Known once the response is ready.
    pub rows_read: usize,
    /// Processing time of the response on an otherwise idle node with costs. Known once the response is ready.
    pub work: Duration,
}

impl Exchange {
    /// Returns the approximate memory of the exchange.
    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.method.len()
            + self.target.len()
            + self.accept.as_ref().map_or(0, String::len)
            + self.trace_parent.as_ref().map_or(0, String::len)
    }
}

/// The newest requests of a node.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    exchanges: VecDeque<Exchange>,
    bytes: usize,
    total: u64,
}

/// Maximum number of stored requests. The node of `--demo` may run for weeks.
const KEPT: usize = 10_000;
/// Maximum memory of the stored requests.
const KEPT_BYTES: usize = 8 * 1024 * 1024;

impl Journal {
    /// Adds a request. Returns its index among all requests.
    pub(crate) fn add(&mut self, exchange: Exchange) -> u64 {
        let place = self.total;
        self.total += 1;
        self.bytes += exchange.bytes();
        self.exchanges.push_back(exchange);
        while self.exchanges.len() > KEPT || self.bytes > KEPT_BYTES {
            let Some(oldest) = self.exchanges.pop_front() else {
                break;
            };
            self.bytes -= oldest.bytes();
        }
        place
    }

    /// Sets the number of rows read for a request, by its index among all requests, and its processing time.
    pub(crate) fn read(&mut self, place: u64, rows: usize, work: Duration) {
        let age = usize::try_from(self.total - place).unwrap_or(usize::MAX);
        let index = self.exchanges.len().checked_sub(age);
        if let Some(exchange) = index.and_then(|it| self.exchanges.get_mut(it)) {
            exchange.rows_read = rows;
            exchange.work = work;
        }
    }

    /// Returns the number of requests, including removed ones.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    pub(crate) fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Exchange, Journal, KEPT, KEPT_BYTES};

    fn journal(requests: usize, target: &str) -> Journal {
        let mut journal = Journal::default();
        for number in 0..requests {
            let target = format!("{target}{number}");
            journal.add(Exchange {
                method: "GET".to_owned(),
                target,
                ..Exchange::default()
            });
        }
        journal
    }

    #[test]
    fn the_oldest_requests_are_forgotten() {
        let journal = journal(KEPT + 5, "/");
        let exchanges = journal.exchanges();
        assert_eq!(
            (exchanges.len(), exchanges[0].target.as_str()),
            (KEPT, "/5")
        );
        assert_eq!(journal.total(), KEPT as u64 + 5);
    }

    #[test]
    fn long_requests_are_forgotten_sooner() {
        let journal = journal(3000, &"x".repeat(8000));
        assert!(journal.bytes <= KEPT_BYTES && journal.exchanges().len() > 900);
    }
}
