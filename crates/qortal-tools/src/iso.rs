//! Moments as people write them: ISO 8601.

use qortal_types::Timestamp;

/// What a text can be read as.
pub(crate) const ACCEPTED: &str = "a date or a moment in ISO 8601, such as 2026-11-20, 2026-11-20T22:00:00Z or 2026-11-20T22:00:00.123+01:00";

/// Reads a date, or a date and a time with an optional zone; without one it is UTC.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, time),
        None => (text, "00:00"),
    };
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let days = days_since_1970(year, month, day)?;
    let (time, zone) = zone(time)?;
    let (time, millis) = match time.split_once(['.', ',']) {
        Some((time, fraction)) => (time, millis(fraction)?),
        None => (time, 0),
    };
    let [hour, minute, second] = if time.len() == 5 {
        let [hour, minute] = numbers(time, ':', [2, 2])?;
        [hour, minute, 0]
    } else {
        numbers(time, ':', [2, 2, 2])?
    };
    let is_time = hour < 24 && minute < 60 && second < 60;
    let minutes = days * 1_440 + hour * 60 + minute - zone;
    is_time.then(|| Timestamp::from_millis((minutes * 60 + second) * 1_000 + millis))
}

/// Splits the zone off a time; in minutes east of Greenwich.
fn zone(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let Some(at) = time.rfind(['+', '-']) else {
        return Some((time, 0));
    };
    let (time, zone) = time.split_at(at);
    let (sign, zone) = match zone.strip_prefix('-') {
        Some(zone) => (-1, zone),
        None => (1, zone.strip_prefix('+')?),
    };
    let [hours, minutes] = numbers(zone, ':', [2, 2])?;
    (hours < 24 && minutes < 60).then_some((time, sign * (hours * 60 + minutes)))
}

/// Milliseconds of the digits behind the point; finer ones are left out.
fn millis(fraction: &str) -> Option<i64> {
    let is_fraction = (1..=9).contains(&fraction.len()) && is_digits(fraction);
    let padded = format!("{fraction:0<3}");
    padded
        .get(..3)
        .filter(|_| is_fraction)
        .and_then(|it| it.parse().ok())
}

/// Numbers of so many digits each.
fn numbers<const N: usize>(text: &str, between: char, digits: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(between);
    let mut numbers = [0; N];
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part = parts
            .next()
            .filter(|it| it.len() == digits && is_digits(it))?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit())
}

/// Days from 1970-01-01 to a day of the Gregorian calendar; none if there is no such day.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [
        31,
        28 + i64::from(is_leap),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let month = usize::try_from(month).ok()?.checked_sub(1)?;
    let length = *lengths.get(month)?;
    if !(1..=length).contains(&day) {
        return None;
    }
    // Leap days in the years before this one.
    let leaps = |year: i64| year / 4 - year / 100 + year / 400;
    let before = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
    Some(before + lengths.iter().take(month).sum::<i64>() + day - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for (text, expected) in [
            ("2026-11-20", Some("2026-11-20T00:00:00.000Z")),
            ("2026-11-20T22:00", Some("2026-11-20T22:00:00.000Z")),
            ("2026-11-20 22:00:01", Some("2026-11-20T22:00:01.000Z")),
            ("2026-11-20T22:00:00.1Z", Some("2026-11-20T22:00:00.100Z")),
            (
                "2026-11-20T22:00:00.123456Z",
                Some("2026-11-20T22:00:00.123Z"),
            ),
            (
                "2026-11-20T00:30:00+01:00",
                Some("2026-11-19T23:30:00.000Z"),
            ),
            (
                "2026-11-20T22:00:00-03:30",
                Some("2026-11-21T01:30:00.000Z"),
            ),
            ("2024-02-29", Some("2024-02-29T00:00:00.000Z")),
            ("2026-02-29", None),
            ("2100-02-29", None),
            ("2000-02-29T12:00Z", Some("2000-02-29T12:00:00.000Z")),
            ("0001-01-01", Some("0001-01-01T00:00:00.000Z")),
            ("9999-12-31T23:59:59.999Z", Some("9999-12-31T23:59:59.999Z")),
            ("1969-12-31T23:59:59Z", Some("1969-12-31T23:59:59.000Z")),
            ("2026-13-01", None),
            ("2026-11-20T24:00", None),
            ("2026-11-20T22:00:00.Z", None),
            ("2026-1-2", None),
            ("tomorrow", None),
            ("", None),
            ("2026-11-20T22:00:00+é1:00", None),
        ] {
            let read = parse(text).map(|it| it.to_string());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn reading_is_the_inverse_of_writing() {
        let mut millis = 0_i64;
        for step in 0..5_000_i64 {
            millis = (millis + 86_399_999 * (step % 97)) % 253_402_300_799_999;
            let moment = Timestamp::from_millis(millis);
            assert_eq!(parse(&moment.to_string()), Some(moment));
        }
    }
}
