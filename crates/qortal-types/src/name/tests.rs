//! Tables and properties of `name`.

use super::{Name, NameError, Reduced};
use crate::test_numbers::{Numbers, SEED};

#[test]
fn reduction_agrees_with_the_core() {
    // Produced by the Core's own function (class Unicode, 6.1.8).
    const VECTORS: &[(&str, &str)] = &[
        ("QortalDemo", "q0rta1dem0"),
        ("Alice Test", "a11ce test"),
        ("chloe", "ch10e"),
        ("Bób-Name", "b0b-name"),
        ("  Double  Space ", "d0ub1e space"),
        ("LIL1|I!", "111111!"),
        ("O0oQ", "000q"),
        ("Émile", "em11e"),
        ("ｆｕｌｌ", "fu11"),
        ("name\u{200B}\u{200D}zero", "namezer0"),
        ("İstanbul", "1stanbu1"),
        ("№1", "n01"),
        ("ⅷ", "v111"),
        ("a_b-c.d", "a_b-c.d"),
        // From the recorded chain.
        ("alice-shop", "a11ce-sh0p"),
        ("approved-name", "appr0ved-name"),
        ("collectible", "c011ect1b1e"),
        ("il1o0|mix", "111001m1x"),
        ("rita-trades", "r1ta-trades"),
        ("`quoted`", "'qu0ted'"),
    ];
    for (text, reduced) in VECTORS {
        assert_eq!(
            Reduced::of(text),
            Reduced {
                text: (*reduced).to_owned(),
                exact: true
            },
            "{text}"
        );
    }
}

#[test]
fn other_scripts_need_the_full_table_and_say_so() {
    // The Core has πpͷBeT and ⽇本語.
    for (text, reduced) in [
        ("Привет", "привет"),
        ("日本語", "日本語"),
        ("Fe|ix 😀", "fe1x 😀"),
    ] {
        let result = Reduced::of(text);
        assert!(!result.is_exact(), "{text}");
        assert_eq!(result.text(), reduced.replace("fe1x", "fe11x"));
    }
}

#[test]
fn a_name_is_normalized() {
    const VECTORS: &[(&str, &str)] = &[
        ("chloe", "chloe"),
        ("  Double \t\n Space ", "Double Space"),
        ("ｆｕｌｌ", "full"),
        ("zero\u{200B}width\u{FEFF}", "zerowidth"),
        ("no\u{A0}break", "no break"),
        ("e\u{301}mile", "émile"),
        ("日", "日"),
    ];
    for (text, name) in VECTORS {
        assert_eq!(
            text.parse::<Name>().map(|name| name.to_string()),
            Ok((*name).to_owned()),
            "{text:?}"
        );
    }
}

#[test]
fn what_can_be_no_name_is_refused_with_its_reason() {
    let forty_one = "x".repeat(41);
    let huge = "\u{200B}".repeat(200);
    let vectors = [
        ("", NameError::Empty),
        (" \u{200B} ", NameError::Empty),
        ("ab", NameError::TooShort { bytes: 2 }),
        ("a\u{200B}b", NameError::TooShort { bytes: 2 }),
        (&forty_one, NameError::TooLong { bytes: 41 }),
        (&huge, NameError::TooLong { bytes: 600 }),
    ];
    for (text, error) in vectors {
        assert_eq!(text.parse::<Name>(), Err(error), "{text:?}");
    }
    assert!("é".repeat(20).parse::<Name>().is_ok());
}

#[test]
fn normalizing_and_reducing_twice_changes_nothing() {
    let alphabet: Vec<char> = "abcILO|`  -_1².ßKﬁ".chars().collect();
    let mut numbers = Numbers::new();
    let mut accepted = 0;
    for case in 0..5_000 {
        let text = numbers.text(16, &alphabet);
        let reduced = Reduced::of(&text);
        if let Ok(name) = text.parse::<Name>() {
            assert_eq!(
                name.as_str().parse().as_ref(),
                Ok(&name),
                "seed {SEED}, case {case}: {text:?}"
            );
            if reduced.is_exact() {
                assert_eq!(
                    name.reduced(),
                    reduced,
                    "seed {SEED}, case {case}: {text:?}"
                );
            }
            accepted += 1;
        }
    }
    assert!(
        accepted > 100,
        "the texts are too strange to test anything: {accepted}"
    );
}
