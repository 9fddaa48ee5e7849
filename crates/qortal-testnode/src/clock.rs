//! The clock of the node: it starts at the recorded node time and runs on.

use std::time::{Duration, Instant};

/// When the recorded node answered: 2026-11-21 06:23:29 UTC, in ms since the epoch.
pub(crate) const RECORDED_NODE_TIME: i64 = 1_795_242_209_424;

/// A clock that runs from a given moment of the chain's own time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    start: i64,
    started: Instant,
}

impl Clock {
    /// A clock that shows `start` (ms since the epoch) at the moment `started`.
    pub(crate) fn new(start: i64, started: Instant) -> Self {
        Self { start, started }
    }

    /// The node's time at `now`, in ms since the epoch.
    pub(crate) fn millis(&self, now: Instant) -> i64 {
        self.start
            .saturating_add(i64::try_from(self.uptime(now).as_millis()).unwrap_or(i64::MAX))
    }

    /// How long the node has been running at `now`.
    pub(crate) fn uptime(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.started)
    }
}

/// A time of day in UTC as `yyyyMMdd HH:mm`, the form of the trade ledger.
pub(crate) fn ledger_date(millis: i64) -> String {
    let (year, month, day) = civil_date(millis.div_euclid(86_400_000));
    let minutes = millis.rem_euclid(86_400_000) / 60_000;
    format!(
        "{year:04}{month:02}{day:02} {:02}:{:02}",
        minutes / 60,
        minutes % 60
    )
}

/// The same with seconds and without blank or colon, the form of a file name.
pub(crate) fn file_date(millis: i64) -> String {
    let seconds = millis.rem_euclid(60_000) / 1000;
    format!(
        "{}{seconds:02}",
        ledger_date(millis).replace([' ', ':'], "")
    )
}

/// The year a moment belongs to, in UTC.
pub(crate) fn year_of(millis: i64) -> i64 {
    civil_date(millis.div_euclid(86_400_000)).0
}

/// Days since the epoch as year, month and day of the Gregorian calendar.
fn civil_date(days: i64) -> (i64, i64, i64) {
    // Counted from 0000-03-01, so that the leap day is the last day of a year.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

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
    fn dates_are_utc() {
        assert_eq!(ledger_date(1_795_217_700_821), "20261120 23:35");
        assert_eq!(file_date(1_795_298_724_000), "20261121220524");
        assert_eq!(ledger_date(951_782_400_000), "20000229 00:00");
        assert_eq!(year_of(RECORDED_NODE_TIME), 2026);
    }
}
