//! Tables and properties of `name`.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::{Name, NameError, Reduced};
use crate::tests::{Numbers, SEED};

/// Texts and what the Core's `Unicode.sanitize` (6.1.8, homoglyph 1.2.1, icu4j 72.1) makes of them.
const REDUCED: &[(&str, &str)] = &[
    ("QortalDemo", "q0rta1dem0"),
    ("Alice Test", "a1ice test"),
    ("chloe", "ch10e"),
    ("B\u{F3}b-Name", "b0b-name"),
    ("  Double  Space ", "d0ub1e space"),
    ("LIL1|I!", "1i111i!"),
    ("O0oQ", "000q"),
    ("\u{C9}mile", "emi1e"),
    ("\u{FF46}\u{FF55}\u{FF4C}\u{FF4C}", "fu11"),
    ("name\u{200B}\u{200D}zero", "namezer0"),
    ("\u{130}stanbul", "istanbu1"),
    ("\u{2116}1", "n01"),
    ("\u{2177}", "viii"),
    ("a_b-c.d", "a_b-c.d"),
    (
        "\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}",
        "\u{3C0}p\u{377}BeT",
    ),
    ("\u{65E5}\u{672C}\u{8A9E}", "\u{2F47}\u{672C}\u{8A9E}"),
    ("Fe|ix \u{1F600}", "fe1ix \u{1F600}"),
    ("V\u{399}CTOR", "vict0r"),
    ("al\u{131}ce test", "a1ice test"),
    ("al\u{456}ce test", "a1ice test"),
    ("soft\u{AD}ware", "s0ftware"),
    ("alice-shop", "a1ice-sh0p"),
    ("approved-name", "appr0ved-name"),
    ("collectible", "c011ectib1e"),
    ("il1o0|mix", "i11001mix"),
    ("rita-trades", "rita-trades"),
    ("`quoted`", "'qu0ted'"),
    ("gina-p\u{435}nding", "gina-pending"),
    ("gin\u{251}-pending", "gina-pending"),
    ("gina-pendin\u{261}", "gina-pending"),
    ("gina\u{2011}pending", "gina-pending"),
    (
        "\u{39F}\u{394}\u{3A5}\u{3A3}\u{3A3}\u{395}\u{3A5}\u{3A3}",
        "0\u{3B4}u00\u{25B}u\u{3C2}",
    ),
    (
        "\u{1F48}\u{3B4}\u{3C5}\u{3C3}\u{3C3}\u{3B5}\u{3CD}\u{3C2}",
        "0\u{3B4}u00\u{25B}u\u{3C2}",
    ),
    ("stra\u{DF}e", "stra\u{DF}e"),
    ("STRASSE", "strasse"),
    ("\u{FB01}ne", "fine"),
    ("\u{BD} price", "1/2 price"),
    ("a\u{20DD}b", "ab"),
    ("\u{A39}\u{A3F}", "\u{A39}"),
    ("\u{1100}\u{1161}\u{11A8}", "\u{1100}\u{1161}\u{1100}"),
    ("\u{AC01}", "\u{1100}\u{1161}\u{1100}"),
    ("\u{13F4}\u{13AC}\u{13A2}\u{13AA}", "BETA"),
    ("qortal\u{E1E0}\u{FAFA}", "q0rta1"),
    ("x\u{202A}\u{2062}y", "xy"),
    ("\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{5E9}\u{5DC}1\u{5DD}"),
    (
        "\u{645}\u{631}\u{62D}\u{628}\u{627}",
        "\u{645}\u{631}\u{62D}\u{628}1",
    ),
    (
        "\u{928}\u{92E}\u{938}\u{94D}\u{924}\u{947}",
        "\u{928}\u{92E}\u{938}\u{924}",
    ),
    ("\u{E44}\u{E17}\u{E22}", "\u{E44}\u{E11}\u{E22}"),
    ("tab\u{9}here", "tab here"),
    ("no\u{A0}break\u{3000}wide", "n0 break wide"),
    (
        "\u{1D57C}\u{1D594}\u{1D597}\u{1D599}\u{1D586}\u{1D591}",
        "q0rta1",
    ),
    ("\u{FF31}\u{FF2F}\u{FF32}\u{FF34}\u{FF21}\u{FF2C}", "q0rta1"),
    ("\u{1F973}", "\u{1F973}"),
    ("q\u{316}o\u{301}r\u{323}tal", "q0rta1"),
    ("\u{196}\u{1C0}\u{406}", "i1i"),
    ("\u{13A0}\u{A4FF}\u{2C9E}", "D=0"),
    ("\u{A7AC}ina", "gina"),
    ("\u{141}\u{D3}D\u{179}", "\u{142}0dz"),
    ("Kelvin", "ke1vin"),
    ("\u{B5}Torrent", "\u{B5}t0rrent"),
    ("\u{3A9}mega", "\u{3C9}mega"),
    ("\u{AA}\u{BA}\u{B2}", "a02"),
];

#[test]
fn reduction_agrees_with_the_core() {
    for (text, reduced) in REDUCED {
        assert_eq!(Reduced::of(text).text(), *reduced, "{text}");
    }
}

/// The digest is of what the Core makes of each character of its table, as data/README.md says.
#[test]
fn every_character_of_the_table_is_reduced_as_the_core_does() {
    let table = include_str!("../../data/char_codes.txt");
    let lines = table.lines().filter(|it| !it.starts_with('#'));
    let codes = lines.flat_map(|it| it.split(','));
    let codes = codes.map(|it| u32::from_str_radix(it, 16).unwrap());
    let characters: BTreeSet<char> = codes.map(|it| char::from_u32(it).unwrap()).collect();
    assert_eq!(characters.len(), 6_184);
    let mut digest = Sha256::new();
    for character in characters {
        let reduced = Reduced::of(&format!("x{character}y"));
        digest.update(format!("{}\n", reduced.text()));
    }
    let digest = digest.finalize();
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        digest,
        "af5f4f52fefafc8c8614042c0d194af7ef09b6996381cf65e642e8e2e6dfce68"
    );
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

/// What normalizing takes away counts as well, so that little is normalized.
#[test]
fn a_name_is_read_from_four_hundred_bytes_at_most() {
    let padded = |letters: &str| letters.to_owned() + &"\u{200B}".repeat(132);
    let error = NameError::TooLong { bytes: 401 };
    let name = padded("abcd").parse::<Name>();
    assert_eq!(name.map(|it| it.to_string()), Ok("abcd".to_owned()));
    assert_eq!(padded("abcde").parse::<Name>(), Err(error));
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
            assert_eq!(
                name.reduced(),
                reduced,
                "seed {SEED}, case {case}: {text:?}"
            );
            accepted += 1;
        }
    }
    assert!(
        accepted > 100,
        "the texts are too strange to test anything: {accepted}"
    );
}
