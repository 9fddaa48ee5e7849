//! Tables and properties of `open_enum`.

use super::UnknownValue;
use crate::{
    Blockchain, PublicKey, Service, TransactionType,
    tests::{Numbers, SEED},
};

#[test]
fn unknown_value_suggests_a_near_value_and_no_other() {
    let long = "L".repeat(1_000_000);
    for (text, expect) in [
        ("LTX", Some("LTC")),
        ("litecon", Some("LITECOIN")),
        // Swapped letters are one slip.
        ("TLC", Some("LTC")),
        ("XYZ", None),
        ("", None),
        (&long, None),
    ] {
        let known = ["BTC", "LTC", "LITECOIN"].into_iter();
        let error = UnknownValue::new("coin", text, known);
        assert_eq!(error.suggestion, expect, "{}", error.text);
    }
}

#[test]
fn a_long_text_is_shortened_in_the_message() {
    let error = UnknownValue::new("coin", &"日".repeat(1_000), ["BTC"].into_iter());
    assert_eq!(error.text.chars().count(), 40);
}

#[test]
fn a_number_is_refused_as_no_name() {
    let error = serde_json::from_str::<Service>("7").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("invalid type: integer `7`, expected the name of a "),
        "{error}"
    );
}

#[test]
fn no_text_makes_a_reader_panic() {
    let alphabet: Vec<char> = "ABCDEFILMNOPRSTUXY_bcltz19".chars().collect();
    let mut numbers = Numbers::new();
    for case in 0..1_000 {
        let text = numbers.text(60, &alphabet);
        for error in [
            text.parse::<Service>().err(),
            text.parse::<TransactionType>().err(),
            text.parse::<Blockchain>().err(),
        ]
        .into_iter()
        .flatten()
        {
            assert!(
                text.starts_with(&error.text),
                "seed {SEED}, case {case}: {text:?}"
            );
        }
        assert_eq!(
            Service::from_node(&text).as_str(),
            text,
            "seed {SEED}, case {case}"
        );
        assert!(
            text.parse::<PublicKey>().is_err(),
            "seed {SEED}, case {case}: {text:?}"
        );
    }
}
