//! Tables and properties of `timestamp`.

use super::Timestamp;
use crate::test_numbers::{Numbers, SEED};

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
