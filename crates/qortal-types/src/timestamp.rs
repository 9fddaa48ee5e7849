//! Moments in time.

use std::fmt;

use serde::{Deserialize, Serialize};

const MILLIS_PER_SECOND: i64 = 1_000;
const MILLIS_PER_DAY: i64 = 86_400_000;

/// A moment in milliseconds since 1970-01-01T00:00:00Z, as the Core counts them.
///
/// Its `Display` is ISO 8601 in UTC with milliseconds; serde sees the number.
///
/// ```
/// use qortal_types::Timestamp;
///
/// assert_eq!(Timestamp::from_millis(1_795_212_000_000).to_string(), "2026-11-20T22:00:00.000Z");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Takes milliseconds since the epoch.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Takes seconds since the epoch, as lock times and the node's build time are given; `None` if that is out of range.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Option<Self> {
        match seconds.checked_mul(MILLIS_PER_SECOND) {
            Some(millis) => Some(Self(millis)),
            None => None,
        }
    }

    /// Returns milliseconds since the epoch.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Returns the milliseconds from `earlier` to this moment, negative if it is the other way round.
    #[must_use]
    pub const fn millis_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil_date(self.0.div_euclid(MILLIS_PER_DAY));
        let millis = self.0.rem_euclid(MILLIS_PER_DAY);
        let (hour, minute) = (millis / 3_600_000, millis / 60_000 % 60);
        let (second, millis) = (millis / MILLIS_PER_SECOND % 60, millis % MILLIS_PER_SECOND);
        // ISO 8601 wants a sign on years that do not have four digits.
        if (0..=9999).contains(&year) {
            write!(f, "{year:04}")?;
        } else {
            write!(f, "{year:+06}")?;
        }
        write!(
            f,
            "-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z"
        )
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timestamp({self})")
    }
}

/// Year, month and day of a day counted from 1970-01-01 in the proleptic Gregorian calendar.
///
/// The year is taken to start in March, so that the leap day is its last; 400 years have 146,097 days.
const fn civil_date(day: i64) -> (i64, i64, i64) {
    const DAYS_PER_ERA: i64 = 146_097;
    // Days from 0000-03-01 to 1970-01-01.
    let day = day + 719_468;
    let era = day.div_euclid(DAYS_PER_ERA);
    let day_of_era = day.rem_euclid(DAYS_PER_ERA);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day_of_month)
}

#[cfg(test)]
mod tests;
