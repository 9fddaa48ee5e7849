//! Tables and properties of `name`.

use super::{Name, NameError, Reduced};
use crate::test_numbers::{Numbers, SEED};

#[test]
fn reduction_agrees_with_the_core() {
    // By the rules of the Core's class Unicode (6.1.8) with the table it pins (homoglyph 1.2.1).
    const VECTORS: &[(&str, &str)] = &[
        ("QortalDemo", "q0rta1dem0"),
        ("Alice Test", "a1ice test"),
        ("chloe", "ch10e"),
        ("Bób-Name", "b0b-name"),
        ("  Double  Space ", "d0ub1e space"),
        ("LIL1|I!", "1i111i!"),
        ("O0oQ", "000q"),
        ("Émile", "emi1e"),
        ("ｆｕｌｌ", "fu11"),
        ("name\u{200B}\u{200D}zero", "namezer0"),
        ("İstanbul", "istanbu1"),
        ("№1", "n01"),
        ("ⅷ", "viii"),
        ("a_b-c.d", "a_b-c.d"),
        ("V\u{399}CTOR", "vict0r"),
        ("al\u{131}ce test", "a1ice test"),
        ("al\u{456}ce test", "a1ice test"),
        ("soft\u{AD}ware", "s0ftware"),
        // From the recorded chain.
        ("alice-shop", "a1ice-sh0p"),
        ("approved-name", "appr0ved-name"),
        ("collectible", "c011ectib1e"),
        ("il1o0|mix", "i11001mix"),
        ("rita-trades", "rita-trades"),
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
fn i_is_no_look_alike_of_l() {
    for (left, right) in [("mint", "mlnt"), ("victor", "v1ctor"), ("Ink", "lnk")] {
        assert_ne!(Reduced::of(left), Reduced::of(right), "{left} {right}");
    }
    for (left, right) in [("chloe", "ch1oe"), ("al|", "A1l"), ("b0b", "BOB")] {
        assert_eq!(Reduced::of(left), Reduced::of(right), "{left} {right}");
    }
}

#[test]
fn other_scripts_need_the_full_table_and_say_so() {
    // The Core has πpͷBeT and ⽇本語.
    for (text, reduced) in [
        ("Привет", "привет"),
        ("日本語", "日本語"),
        ("Fe|ix 😀", "fe1ix 😀"),
    ] {
        let result = Reduced::of(text);
        assert!(!result.is_exact(), "{text}");
        assert_eq!(result.text(), reduced);
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
