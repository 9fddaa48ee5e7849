//! Points in time.

use std::{fmt, str::FromStr};

use jiff::{
    SignedDuration,
    civil::{self, Time},
    fmt::temporal::Pieces,
    tz::Offset,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

const MILLIS_PER_SECOND: i64 = 1_000;

/// The Gregorian calendar repeats after 400 years, which have 146,097 days.
const MILLIS_PER_ERA: i64 = 146_097 * 86_400_000;

/// The Unix epoch.
const EPOCH: civil::DateTime = civil::datetime(1970, 1, 1, 0, 0, 0, 0);

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z, as in the Core.
///
/// `Display` writes ISO 8601 in UTC with milliseconds, and serde writes the number. `FromStr` parses a date, or a date and a time,
/// with a zone or in UTC, in the extended form of ISO 8601. Digits below a millisecond are truncated.
///
/// ```
/// use qortal_types::Timestamp;
///
/// let moment: Timestamp = "2026-11-20T23:00+01:00".parse()?;
/// assert_eq!(moment, Timestamp::from_millis(1_795_212_000_000));
/// assert_eq!(moment.to_string(), "2026-11-20T22:00:00.000Z");
/// # Ok::<(), qortal_types::TimestampError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

/// An error parsing a timestamp: the text is not a date or a time in ISO 8601, or the day does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no such date or time")]
#[non_exhaustive]
pub struct TimestampError;

impl Timestamp {
    /// Creates a timestamp from milliseconds since the epoch.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Creates a timestamp from seconds since the epoch, the unit of lock times and of the node's build time. Returns `None` if it
    /// is out of range.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Option<Self> {
        match seconds.checked_mul(MILLIS_PER_SECOND) {
            Some(millis) => Some(Self(millis)),
            None => None,
        }
    }

    /// Returns the milliseconds since the epoch.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Returns the milliseconds from `earlier` to this time, negative if `earlier` is later.
    #[must_use]
    pub const fn millis_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within_era = SignedDuration::from_millis(self.0.rem_euclid(MILLIS_PER_ERA));
        let moment = EPOCH.saturating_add(within_era);
        let year = i64::from(moment.year()) + 400 * self.0.div_euclid(MILLIS_PER_ERA);
        // ISO 8601 requires a sign on years that do not have four digits.
        if (0..=9999).contains(&year) {
            write!(f, "{year:04}")?;
        } else {
            write!(f, "{year:+06}")?;
        }
        let (month, day) = (moment.month(), moment.day());
        let (hour, minute, second) = (moment.hour(), moment.minute(), moment.second());
        let millis = moment.millisecond();
        write!(
            f,
            "-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z"
        )
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        // The form without hyphens could be a number of milliseconds as well.
        if text.as_bytes().get(4) != Some(&b'-') {
            return Err(TimestampError);
        }
        let pieces = Pieces::parse(text).map_err(|_| TimestampError)?;
        if pieces.time_zone_annotation().is_some() {
            return Err(TimestampError);
        }
        let time = pieces.time().unwrap_or(Time::midnight());
        let local = pieces.date().to_datetime(time).duration_since(EPOCH);
        let zone = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
        let utc = local - SignedDuration::from_secs(zone.seconds().into());
        let millis = utc.as_nanos().div_euclid(1_000_000).try_into();
        millis.map(Self).map_err(|_| TimestampError)
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timestamp({self})")
    }
}

#[cfg(test)]
mod tests;
