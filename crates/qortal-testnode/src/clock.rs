//! The node's clock, which starts at the recorded node time and then runs.

use std::time::Duration;

use jiff::{
    SignedDuration,
    civil::{DateTime, date},
};
use tokio::time::Instant;

/// The time of the recording: 2026-11-21 06:23:29 UTC, in ms since the epoch.
pub(crate) const RECORDED_NODE_TIME: i64 = 1_795_242_209_424;

/// Deviation of the machine's clock from the network's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MachineClock {
    /// Ahead by this many milliseconds, since it was set after the start.
    Ahead(i64),
    /// Unknown, since no time server has responded yet.
    Unchecked,
}

impl MachineClock {
    /// Returns the deviation in ms.
    pub(crate) fn ahead(self) -> i64 {
        match self {
            Self::Ahead(millis) => millis,
            Self::Unchecked => 0,
        }
    }
}

/// A clock that runs from a given time of the chain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    start: i64,
    started: Instant,
    is_frozen: bool,
}

impl Clock {
    /// Creates a clock that shows `start` (ms since the epoch) at the instant `started`.
    pub(crate) fn new(start: i64, started: Instant) -> Self {
        Self {
            start,
            started,
            is_frozen: false,
        }
    }

    /// Returns the clock stopped.
    pub(crate) fn frozen(self) -> Self {
        Self {
            is_frozen: true,
            ..self
        }
    }

    /// Returns the node's time at `now`, in ms since the epoch.
    pub(crate) fn millis(&self, now: Instant) -> i64 {
        self.start
            .saturating_add(i64::try_from(self.uptime(now).as_millis()).unwrap_or(i64::MAX))
    }

    /// Advances the time without changing the node's uptime.
    pub(crate) fn advance(&mut self, millis: i64) {
        self.start = self.start.saturating_add(millis);
    }

    /// Returns the node's uptime at `now`.
    pub(crate) fn uptime(&self, now: Instant) -> Duration {
        if self.is_frozen {
            return Duration::ZERO;
        }
        now.saturating_duration_since(self.started)
    }
}

/// Formats a time in UTC as `yyyyMMdd HH:mm`, as in the trade ledger.
pub(crate) fn ledger_date(millis: i64) -> String {
    utc(millis).strftime("%Y%m%d %H:%M").to_string()
}

/// Formats a time in UTC with seconds and without space or colon, as in a file name.
pub(crate) fn file_date(millis: i64) -> String {
    utc(millis).strftime("%Y%m%d%H%M%S").to_string()
}

/// Returns the year of a time, in UTC.
pub(crate) fn year_of(millis: i64) -> i64 {
    utc(millis).year().into()
}

fn utc(millis: i64) -> DateTime {
    date(1970, 1, 1)
        .at(0, 0, 0, 0)
        .saturating_add(SignedDuration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Clock, RECORDED_NODE_TIME, file_date, ledger_date, year_of};

    #[test]
    fn the_clock_runs_on() {
        let started = Instant::now();
        let clock = Clock::new(RECORDED_NODE_TIME, started);
        assert_eq!(clock.millis(started), RECORDED_NODE_TIME);
        assert_eq!(
            clock.millis(started + Duration::from_secs(2)),
            RECORDED_NODE_TIME + 2000
        );
    }

    #[test]
    fn frozen_clock_moves_when_it_is_advanced_alone() {
        let started = Instant::now();
        let mut clock = Clock::new(RECORDED_NODE_TIME, started).frozen();
        let later = started + Duration::from_secs(2);
        assert_eq!(clock.millis(later), RECORDED_NODE_TIME);
        clock.advance(5);
        assert_eq!(clock.millis(later), RECORDED_NODE_TIME + 5);
    }

    #[test]
    fn dates_are_utc() {
        assert_eq!(ledger_date(1_795_217_700_821), "20261120 23:35");
        assert_eq!(file_date(1_795_298_724_000), "20261121220524");
        assert_eq!(ledger_date(951_782_400_000), "20000229 00:00");
        assert_eq!(year_of(RECORDED_NODE_TIME), 2026);
    }
}
