//! The age of outputs that are known from a source and not from a run.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS: u64 = 86_400;

/// Returns the days since `YYYY-MM-DD`, or `None` if that is not a date.
pub(super) fn days_since(date: &str) -> Option<i64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    let today = i64::try_from(now.as_secs() / SECONDS).ok()?;
    Some(today - day(date)?)
}

/// Returns the number of the day since 1970-01-01, in the Gregorian calendar.
fn day(date: &str) -> Option<i64> {
    let mut parts = date.splitn(3, '-').map(|it| it.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March, so that a leap day is the last of one.
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    Some(days - 719_468)
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn dates_are_days_since_1970() {
        for (date, days) in [
            ("1970-01-01", Some(0)),
            ("2000-02-29", Some(11_016)),
            ("2026-11-28", Some(20_785)),
            ("2026-13-01", None),
            ("today", None),
        ] {
            assert_eq!(day(date), days, "{date}");
        }
    }
}
