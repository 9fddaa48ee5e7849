//! Days and hours in UTC.

use qortal_types::Timestamp;

pub(super) const HOUR: i64 = 3_600_000;
pub(super) const DAY: i64 = 24 * HOUR;
/// 1970 began on a Thursday; the first Monday came after this.
pub(super) const FIRST_MONDAY: i64 = 4 * DAY;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A moment in the parts that people name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Civil {
    pub(super) year: u32,
    /// 1 to 12.
    pub(super) month: u32,
    pub(super) day: u32,
    pub(super) hour: u32,
    pub(super) minute: u32,
}

impl Civil {
    pub(super) fn of(moment: i64) -> Self {
        let iso = Timestamp::from_millis(moment).to_string();
        let part = |from: usize, to: usize| {
            let digits = iso.get(from..to).and_then(|it| it.parse().ok());
            digits.unwrap_or_default()
        };
        Self {
            year: part(0, 4),
            month: part(5, 7),
            day: part(8, 10),
            hour: part(11, 13),
            minute: part(14, 16),
        }
    }

    pub(super) const fn is_midnight(self) -> bool {
        self.hour == 0 && self.minute == 0
    }

    pub(super) fn month_name(self) -> &'static str {
        let months = MONTHS.iter().zip(1..);
        let mut named = months.filter(|(_, number)| *number == self.month);
        named.next().map_or("", |(name, _)| name)
    }

    /// `Nov 21`.
    pub(super) fn day_of_month(self) -> String {
        format!("{} {}", self.month_name(), self.day)
    }
}

/// `Nov 21, 2026`.
pub(crate) fn day(moment: i64) -> String {
    let civil = Civil::of(moment);
    format!("{}, {}", civil.day_of_month(), civil.year)
}

/// `Nov 3 – Nov 21, 2026`: the days from the first moment to the last one.
pub(super) fn days(first: i64, last: i64) -> String {
    let (from, to) = (Civil::of(first), Civil::of(last));
    if from.year != to.year {
        return format!("{} – {}", day(first), day(last));
    }
    match (from.month, from.day) == (to.month, to.day) {
        true => day(last),
        false => format!("{} – {}", from.day_of_month(), day(last)),
    }
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
        assert_eq!(Civil::of(moment).minute, 23);
    }
}
