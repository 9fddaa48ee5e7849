//! Tables and properties of `open_enum`.

use super::{UnknownValue, distance};

#[test]
fn distance_counts_changes() {
    const VECTORS: &[(&str, &str, usize)] = &[
        ("", "", 0),
        ("", "ABC", 3),
        ("ABC", "", 3),
        ("LITECOIN", "LITECOIN", 0),
        ("LITECON", "LITECOIN", 1),
        ("LTIECOIN", "LITECOIN", 2),
        ("KITTEN", "SITTING", 3),
    ];
    for (left, right, expected) in VECTORS {
        let letters: Vec<char> = left.chars().collect();
        assert_eq!(distance(&letters, right), *expected, "{left} {right}");
    }
}

#[test]
fn only_a_near_value_is_suggested() {
    let suggestion = |text: &str| {
        UnknownValue::new("coin", text, ["BTC", "LTC", "LITECOIN"].into_iter()).suggestion
    };
    assert_eq!(suggestion("LTX"), Some("LTC"));
    assert_eq!(suggestion("litecon"), Some("LITECOIN"));
    assert_eq!(suggestion("XYZ"), None);
    assert_eq!(suggestion(""), None);
    assert_eq!(suggestion(&"L".repeat(1_000_000)), None);
}

#[test]
fn a_long_text_is_shortened_in_the_message() {
    let error = UnknownValue::new("coin", &"日".repeat(1_000), ["BTC"].into_iter());
    assert_eq!(error.text.chars().count(), 40);
}
