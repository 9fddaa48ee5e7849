//! Dates in UTC, and tick labels of the time axis: at round times, never overlapping, never clipped.

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

use super::{
    axis::{Scale, multiples},
    canvas::LABEL,
    font::{Weight, width},
};

/// Minimum distance in pixels between two labels. SVG viewers may substitute a wider font.
const GAP: f64 = 28.0;

/// A tick label and the x coordinate of its center.
#[derive(Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) at: f64,
    pub(crate) text: String,
}

/// Distances between tick labels, in customary units of time, the smallest first.
#[derive(Debug, Clone, Copy)]
enum Distance {
    Hours(i64),
    Days(i64),
    Weeks(i64),
    Months(i8),
    Years(i16),
}

const DISTANCES: [Distance; 18] = [
    Distance::Hours(1),
    Distance::Hours(2),
    Distance::Hours(3),
    Distance::Hours(6),
    Distance::Hours(12),
    Distance::Days(1),
    Distance::Days(2),
    Distance::Weeks(1),
    Distance::Weeks(2),
    Distance::Months(1),
    Distance::Months(2),
    Distance::Months(3),
    Distance::Months(6),
    Distance::Years(1),
    Distance::Years(2),
    Distance::Years(5),
    Distance::Years(10),
    Distance::Years(100),
];

/// Returns tick labels from the first to the last time, at most one per `interval`, whose text stays between two pixels.
pub(crate) fn labels(
    (first, last): (i64, i64),
    interval: i64,
    scale: Scale,
    room: (f64, f64),
) -> Vec<Label> {
    let is_inside = |it: &Label| {
        let half = width(&it.text, LABEL, Weight::Regular) / 2.0;
        it.at - half >= room.0 && it.at + half <= room.1
    };
    let mut fallback = Vec::new();
    for distance in DISTANCES {
        if distance.least_millis() < interval {
            continue;
        }
        // Far more labels than fit.
        if (last - first) / distance.least_millis() > 100 {
            continue;
        }
        let mut labels = Vec::new();
        for moment in distance.moments(first, last) {
            let text = distance.name(moment);
            let at = scale.at(moment);
            labels.push(Label { at, text });
        }
        labels.retain(is_inside);
        if are_apart(&labels) && labels.len() > 1 {
            return labels;
        }
        if are_apart(&labels) && fallback.is_empty() {
            fallback = labels;
        }
    }
    if fallback.is_empty() {
        let text = text(first, DAY_OF_MONTH);
        let at = scale.at(first);
        fallback.extend([Label { at, text }].into_iter().filter(is_inside));
    }
    fallback
}

fn are_apart(labels: &[Label]) -> bool {
    let half = |it: &Label| width(&it.text, LABEL, Weight::Regular) / 2.0;
    let mut pairs = labels.iter().zip(labels.iter().skip(1));
    pairs.all(|(a, b)| b.at - half(b) - (a.at + half(a)) >= GAP)
}

impl Distance {
    const fn least_millis(self) -> i64 {
        match self {
            Self::Hours(hours) => hours * HOUR,
            Self::Days(days) => days * DAY,
            Self::Weeks(weeks) => weeks * 7 * DAY,
            Self::Months(months) => 28 * DAY * months as i64,
            Self::Years(years) => 365 * DAY * years as i64,
        }
    }

    fn moments(self, first: i64, last: i64) -> Vec<i64> {
        let days = || multiples(first, last, DAY);
        match self {
            Self::Hours(_) | Self::Days(_) => multiples(first, last, self.least_millis()).collect(),
            Self::Weeks(_) => {
                let weeks = multiples(
                    first - FIRST_MONDAY,
                    last - FIRST_MONDAY,
                    self.least_millis(),
                );
                weeks.map(|it| it + FIRST_MONDAY).collect()
            }
            Self::Months(months) => days()
                .filter(|it| {
                    let civil = civil(*it);
                    civil.day() == 1 && (civil.month() - 1) % months == 0
                })
                .collect(),
            Self::Years(years) => days()
                .filter(|it| {
                    let civil = civil(*it);
                    civil.day_of_year() == 1 && civil.year() % years == 0
                })
                .collect(),
        }
    }

    fn name(self, moment: i64) -> String {
        let format = match self {
            Self::Hours(_) if moment % DAY != 0 => "%H:%M",
            Self::Hours(_) | Self::Days(_) | Self::Weeks(_) => DAY_OF_MONTH,
            Self::Months(_) => "%b %Y",
            Self::Years(_) => "%Y",
        };
        text(moment, format)
    }
}

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const DAY: i64 = 24 * HOUR;
/// The first Monday after 1970 began, on a Thursday.
pub(crate) const FIRST_MONDAY: i64 = 4 * DAY;

/// Format of `Nov 21`.
pub(crate) const DAY_OF_MONTH: &str = "%b %-d";

pub(crate) fn civil(moment: i64) -> DateTime {
    let moment = Timestamp::from_millisecond(moment).unwrap_or_default();
    TimeZone::UTC.to_datetime(moment)
}

/// Formats a time with a `strftime` format.
pub(crate) fn text(moment: i64, format: &str) -> String {
    civil(moment).strftime(format).to_string()
}

/// Formats a day, such as `Nov 21, 2026`.
pub fn day(moment: i64) -> String {
    text(moment, "%b %-d, %Y")
}

/// Formats the days from the first time to the last, such as `Nov 3 – Nov 21, 2026`.
pub(crate) fn days(first: i64, last: i64) -> String {
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

    const NOW: i64 = 1_795_219_200_000; // 2026-11-21 00:00 UTC.

    #[test]
    fn labels_neither_collide_nor_leave_the_picture() {
        for interval in [HOUR, DAY, 7 * DAY] {
            for count in 1..=200 {
                for offset in [0, 5 * HOUR, 17 * DAY] {
                    let last = NOW + offset - offset % interval;
                    let first = last - (count - 1) * interval;
                    let (low, high) = (first - interval / 2, last + interval / 2);
                    let scale = Scale::new((low, high), (40.0, 820.0));
                    let labels = labels((first, last), interval, scale, (40.0, 820.0));
                    assert!(are_apart(&labels), "{labels:?}");
                    assert!(labels.len() <= 20, "{labels:?}");
                    for it in &labels {
                        let half = width(&it.text, LABEL, Weight::Regular) / 2.0;
                        assert!(it.at - half >= 40.0 && it.at + half <= 820.0);
                    }
                    assert!(!labels.is_empty() || count == 1, "{count} of {interval}");
                }
            }
        }
    }

    #[test]
    fn moments_are_named_in_what_people_count_in() {
        let names = |count: i64, interval: i64| {
            let first = NOW - (count - 1) * interval;
            let scale = Scale::new((first, NOW), (0.0, 800.0));
            let labels = labels((first, NOW), interval, scale, (-100.0, 900.0));
            let names: Vec<_> = labels.into_iter().map(|it| it.text).collect();
            names.join(", ")
        };
        assert_eq!(
            names(24, HOUR),
            "03:00, 06:00, 09:00, 12:00, 15:00, 18:00, 21:00, Nov 21"
        );
        assert_eq!(names(5, DAY), "Nov 17, Nov 18, Nov 19, Nov 20, Nov 21");
        assert_eq!(
            names(52, 7 * DAY),
            "Jan 2026, Mar 2026, May 2026, Jul 2026, Sep 2026, Nov 2026"
        );
        assert_eq!(
            names(18 * 53, 7 * DAY),
            "2010, 2012, 2014, 2016, 2018, 2020, 2022, 2024, 2026"
        );
    }

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
