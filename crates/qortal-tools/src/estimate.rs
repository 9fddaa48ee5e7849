//! Estimated times in words, no finer than an estimate can be.

/// Writes a range of milliseconds as `about 17 days`, `about 112 to 114 days` or `about 5 hours`.
pub(crate) fn about((least, most): (i64, i64)) -> String {
    let minutes = |millis: i64| millis.max(0) / 60_000;
    let (least, most) = (minutes(least), minutes(most));
    let units = [(1_440, "days"), (60, "hours"), (1, "minutes")];
    let fitting = units.into_iter().find(|(unit, _)| most >= 2 * unit);
    let Some((unit, name)) = fitting else {
        return "about a minute".to_owned();
    };
    let rounded = |minutes: i64| minutes.saturating_add(unit / 2) / unit;
    match (rounded(least), rounded(most)) {
        (least, most) if least == most => format!("about {most} {name}"),
        (least, most) => format!("about {least} to {most} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::about;

    #[test]
    fn an_estimate_has_the_unit_of_its_longer_end() {
        const MINUTE: i64 = 60_000;
        const DAY: i64 = 1_440 * MINUTE;
        for (least, most, text) in [
            (0, 0, "about a minute"),
            (-5, MINUTE, "about a minute"),
            (2 * MINUTE, 2 * MINUTE, "about 2 minutes"),
            (100 * MINUTE, 119 * MINUTE, "about 100 to 119 minutes"),
            (119 * MINUTE, 125 * MINUTE, "about 2 hours"),
            (40 * 60 * MINUTE, DAY * 2, "about 2 days"),
            (112 * DAY, 114 * DAY, "about 112 to 114 days"),
            (114 * DAY, 114 * DAY, "about 114 days"),
            (0, i64::MAX, "about 0 to 106751991167 days"),
        ] {
            assert_eq!(about((least, most)), text);
        }
    }
}
