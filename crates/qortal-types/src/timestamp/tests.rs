//! Tables and properties of `timestamp`.

use super::Timestamp;
use crate::tests::{Numbers, SEED};

#[test]
fn it_is_printed_as_iso_8601() {
    const VECTORS: &[(i64, &str)] = &[
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (1_593_450_000_000, "2020-06-29T17:00:00.000Z"),
        (1_795_242_169_424, "2026-11-21T06:22:49.424Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (253_402_300_800_000, "+10000-01-01T00:00:00.000Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        (-62_167_219_200_001, "-00001-12-31T23:59:59.999Z"),
        (i64::MAX, "+292278994-08-17T07:12:55.807Z"),
        (i64::MIN, "-292275055-05-16T16:47:04.192Z"),
    ];
    for (millis, text) in VECTORS {
        assert_eq!(
            Timestamp::from_millis(*millis).to_string(),
            *text,
            "{millis}"
        );
    }
}

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
        ("2026-11-20T22:00:00,5", Some("2026-11-20T22:00:00.500Z")),
        (
            "1969-12-31T23:59:59.9999Z",
            Some("1969-12-31T23:59:59.999Z"),
        ),
        ("20261120", None),
        ("2026-11-20T22:00[Europe/Berlin]", None),
    ] {
        let read = text.parse::<Timestamp>().ok().map(|it| it.to_string());
        assert_eq!(read.as_deref(), expected, "{text}");
    }
}

#[test]
fn reading_is_the_inverse_of_writing() {
    let mut millis = 0_i64;
    for step in 0..5_000_i64 {
        millis = (millis + 86_399_999 * (step % 97)) % 253_402_300_799_999;
        let moment = Timestamp::from_millis(millis);
        assert_eq!(moment.to_string().parse(), Ok(moment));
    }
}

#[test]
fn seconds_are_checked() {
    assert_eq!(
        Timestamp::from_seconds(1_795_379_804),
        Some(Timestamp::from_millis(1_795_379_804_000))
    );
    assert_eq!(Timestamp::from_seconds(i64::MAX), None);
}

#[test]
fn json_is_the_number() {
    let timestamp: Timestamp = serde_json::from_str("1795212000000").unwrap();
    assert_eq!(timestamp, Timestamp::from_millis(1_795_212_000_000));
    assert_eq!(serde_json::to_string(&timestamp).unwrap(), "1795212000000");
}

#[test]
fn text_sorts_like_time() {
    let mut numbers = Numbers::new();
    for case in 0..5_000 {
        let mut pick = || i64::try_from(numbers.next() % 253_402_300_800_000).unwrap();
        let (left, right) = (
            Timestamp::from_millis(pick()),
            Timestamp::from_millis(pick()),
        );
        let by_text = left.to_string().cmp(&right.to_string());
        assert_eq!(
            left.cmp(&right),
            by_text,
            "seed {SEED}, case {case}: {left} {right}"
        );
    }
}
