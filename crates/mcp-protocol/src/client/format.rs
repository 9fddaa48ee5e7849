//! The string formats in forms: `email`, `uri`, `date` and `date-time` (`StringSchema`).

/// Returns whether a string has a format. An unknown format accepts every string, because it is only a hint for users.
pub(super) fn has_format(format: &str, text: &str) -> bool {
    match format {
        "email" => is_email(text),
        "uri" => is_uri(text),
        "date" => is_date(text),
        "date-time" => is_date_time(text),
        _ => true,
    }
}

/// `local@domain`, as loosely as browsers check it. The exact rules depend on the mail server.
fn is_email(text: &str) -> bool {
    let is_plain = |it: char| !it.is_whitespace() && !it.is_control();
    text.rsplit_once('@').is_some_and(|(local, domain)| {
        let labels = domain.split('.');
        !local.is_empty() && text.chars().all(is_plain) && labels.clone().all(|it| !it.is_empty())
    })
}

/// A scheme and the rest of the URI, in the characters of RFC 3986.
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it));
    let is_uri_byte = |it: u8| it.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&it);
    is_scheme && !rest.is_empty() && rest.bytes().all(is_uri_byte)
}

/// A calendar date, `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let Some([year, month, day]) = numbers(text, "0000-00-00") else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// A timestamp in the form of RFC 3339.
fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't']) else {
        return false;
    };
    let Some(at) = time.find(['Z', 'z', '+', '-']) else {
        return false;
    };
    let (time, zone) = time.split_at(at);
    let is_zone = match zone.split_at(1) {
        ("Z" | "z", rest) => rest.is_empty(),
        (_, offset) => {
            numbers(offset, "00:00").is_some_and(|[hours, minutes]| hours < 24 && minutes < 60)
        }
    };
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|it| it.is_ascii_digit());
    let is_time = numbers(time, "00:00:00").is_some_and(|[hours, minutes, seconds]| {
        // 60 is a leap second.
        hours < 24 && minutes < 60 && seconds <= 60
    });
    is_date(date) && is_time && is_fraction && is_zone
}

/// Returns the numbers of a string that matches the pattern. Zeros in the pattern stand for digits, and every other
/// character for itself.
fn numbers<const N: usize>(text: &str, pattern: &str) -> Option<[u32; N]> {
    let fits = |(it, expected): (u8, u8)| match expected {
        b'0' => it.is_ascii_digit(),
        other => it == other,
    };
    let is_alike = text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits);
    let parts = text.split(['-', ':']).map(|it| it.parse().ok());
    let numbers: Vec<u32> = parts.collect::<Option<_>>()?;
    numbers.try_into().ok().filter(|_| is_alike)
}

#[cfg(test)]
mod tests {
    use super::has_format;

    #[test]
    fn r097_the_formats_of_forms_are_checked() {
        for (format, accepted, rejected) in [
            (
                "email",
                &["ada@example.org", "a.b+c@x", "ü@example.org"][..],
                &[
                    "",
                    "ada",
                    "@example.org",
                    "ada@",
                    "ada@.org",
                    "a da@x",
                    "ada@x\n",
                ][..],
            ),
            (
                "uri",
                &[
                    "https://example.org/a?b#c",
                    "mailto:ada@example.org",
                    "urn:x:y",
                ],
                &[
                    "",
                    "example.org",
                    "//x",
                    ":x",
                    "1a:b",
                    "http:",
                    "https://a b",
                    "https://ü",
                ],
            ),
            (
                "date",
                &["2026-11-22", "2024-02-29", "2000-02-29"],
                &[
                    "",
                    "2026-11-31",
                    "2026-02-29",
                    "1900-02-29",
                    "2026-13-01",
                    "2026-00-01",
                    "2026-01-00",
                    "26-11-22",
                    "2026-1-22",
                    "2026/11/22",
                    "2026-11-22T",
                ],
            ),
            (
                "date-time",
                &[
                    "2026-11-22T14:50:00Z",
                    "2026-11-22t14:50:00.5z",
                    "2016-12-31T23:59:60Z",
                    "2026-11-22T14:50:00-08:00",
                    "2026-11-22T14:50:00.123456+00:00",
                ],
                &[
                    "",
                    "2026-11-22",
                    "2026-11-22T14:50:00",
                    "2026-11-22T24:00:00Z",
                    "2026-11-22T14:60:00Z",
                    "2026-11-22T14:50Z",
                    "2026-11-22T14:50:00.Z",
                    "2026-11-22T14:50:00+24:00",
                    "2026-11-22T14:50:00+0100",
                    "2026-11-22T14:50:00Zx",
                    "2026-02-30T14:50:00Z",
                    "2026-11-22 14:50:00Z",
                ],
            ),
            ("phone", &["", "anything"], &[]),
        ] {
            for text in accepted {
                assert!(has_format(format, text), "{format} {text:?}");
            }
            for text in rejected {
                assert!(!has_format(format, text), "{format} {text:?}");
            }
        }
    }
}
