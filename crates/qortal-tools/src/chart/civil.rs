//! Days and hours in UTC.

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

pub(super) const HOUR: i64 = 3_600_000;
pub(super) const DAY: i64 = 24 * HOUR;
/// 1970 began on a Thursday; the first Monday came after this.
pub(super) const FIRST_MONDAY: i64 = 4 * DAY;

/// `Nov 21`.
pub(super) const DAY_OF_MONTH: &str = "%b %-d";

pub(super) fn civil(moment: i64) -> DateTime {
    let moment = Timestamp::from_millisecond(moment).unwrap_or_default();
    TimeZone::UTC.to_datetime(moment)
}

/// A moment as `strftime` writes it.
pub(super) fn text(moment: i64, format: &str) -> String {
    civil(moment).strftime(format).to_string()
}

/// `Nov 21, 2026`.
pub(crate) fn day(moment: i64) -> String {
    text(moment, "%b %-d, %Y")
}

/// `Nov 3 – Nov 21, 2026`: the days from the first moment to the last one.
pub(super) fn days(first: i64, last: i64) -> String {
    let (from, to) = (civil(first).date(), civil(last).date());
    if from == to {
        return day(last);
    }
    let from = if from.year() == to.year() {
        text(first, DAY_OF_MONTH)
    } else {
        day(first)
    };
    format!("{from} – {}", day(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_name_each_year_once() {
        // 2026-11-21 06:23 UTC.
        let moment = 1_795_242_209_424;
        assert_eq!(days(moment, moment), "Nov 21, 2026");
        assert_eq!(days(moment - 18 * DAY, moment), "Nov 3 – Nov 21, 2026");
        assert_eq!(
            days(moment - 365 * DAY, moment),
            "Nov 21, 2025 – Nov 21, 2026"
        );
        assert_eq!(text(moment, "%H:%M"), "06:23");
    }
}
