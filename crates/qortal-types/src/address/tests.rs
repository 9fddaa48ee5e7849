//! Tables and properties of `address`.

use super::{Address, AddressError, AddressKind};
use crate::{
    PublicKey, Signature,
    tests::{Numbers, SEED},
};

const BASE58: &[char] = &[
    '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K',
    'L', 'M', 'N', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'a', 'b', 'c', 'd', 'e',
    'f', 'g', 'h', 'i', 'j', 'k', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y',
    'z',
];

#[test]
fn the_address_follows_from_the_public_key() {
    // Checked against /addresses/convert of a Core 6.1.8.
    const VECTORS: &[(&str, &str)] = &[
        (
            "49zX6u55gUqTNPopBkfiATpZ4r4KwXhi27KChcbUCudg",
            "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD",
        ),
        (
            "BPUm9NL6L6tx3GekBJXG1puJftWc6NKfYyyzYYnWLmEy",
            "QhePS43mrUh5R5HY7qtnAEbAiig3NuTchx",
        ),
        (
            "D267AMnQEQ4Km3SRPEVaV6vFCkbVNfqRExytj1Q9nVVN",
            "Qc56qdzZEzcs9ZNdCty1AXMEDNpnWQptuZ",
        ),
        (
            "FYg7pM4j3bZCbkY1hcNauqUauUKG2zVykXJA3jcefaox",
            "QNfzYyyPyVXSHtFaLVXKCBEub4eZJS7jLG",
        ),
        (
            "4EFJWuCD8qVmgWLJSHXhksMoME9ctBvadsLy2EKQN4ZZ",
            "QRA5gJu5jFBqXGmy1FeyGQ9MozpHtMp4mC",
        ),
        (
            "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP",
            "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
        ),
        (
            "11111111111111111111111111111111",
            "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG",
        ),
    ];
    for (key, address) in VECTORS {
        let key: PublicKey = key.parse().unwrap();
        assert_eq!(key.address().as_str(), *address);
        assert_eq!(key.address().kind(), AddressKind::Account);
        assert_eq!(address.parse(), Ok(key.address()));
    }
}

#[test]
fn the_address_of_an_at_follows_from_its_signature() {
    let signature: Signature =
        "4ZDvgekon656qppBJgNCsLdSwaW5UAbXj8x9pAuU8TrR4qeF28KE8QTyqft5vsNdVqF6zrj9MQaZZQnyhKunocrp"
            .parse()
            .unwrap();
    let address = Address::of_at(&signature);
    assert_eq!(address.to_string(), "ALBYQ17dXkrc7P17U9sqk3SyqCgzyAsVg8");
    assert_eq!(address.kind(), AddressKind::At);
}

#[test]
fn what_is_no_address_is_refused_with_its_reason() {
    let alphabet = |character, position| AddressError::Alphabet {
        character,
        position,
    };
    let length = |characters| AddressError::Length { characters };
    let long = "Q".repeat(65);
    let vectors = [
        ("", length(0)),
        ("QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXb2", AddressError::Checksum),
        ("QaRZVbEJE6GxpSsgQGLm67VBNR7WH8UXbD", AddressError::Checksum),
        ("QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXb", length(33)),
        ("QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD1", length(35)),
        ("1QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD", length(35)),
        ("QaRZV0EJE6xGpSsgQGLm67VBNR7WH8UXbD", alphabet('0', 6)),
        (" QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD", alphabet(' ', 1)),
        (
            "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXb\u{2014}",
            alphabet('\u{2014}', 34),
        ),
        (
            "qaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD",
            AddressError::Version { version: 120 },
        ),
        ("NeVy4b2uKJ2KQBAMjJykFAYrdQRhB35LQ1", AddressError::NodeId),
        (
            "16Jswqk47s9PUcyCc88MMVwzgvHPvtEpf",
            AddressError::Version { version: 0 },
        ),
        ("chloe", length(5)),
        (&long, length(65)),
    ];
    for (text, error) in vectors {
        assert_eq!(text.parse::<Address>(), Err(error), "{text:?}");
    }
}

#[test]
fn a_reason_reads_as_a_sentence() {
    let reason = |text: &str| text.parse::<Address>().unwrap_err().to_string();
    assert_eq!(
        reason("QaRZV0EJE6xGpSsgQGLm67VBNR7WH8UXbD"),
        "'0' at position 6 does not occur in addresses"
    );
    assert_eq!(reason("QaRZ"), "an address has 34 characters, not 4");
}

#[test]
fn json_is_the_text_in_both_directions() {
    let json = "\"QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXbD\"";
    let address: Address = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&address).unwrap(), json);
    let error = serde_json::from_str::<Address>("\"QaRZ\"").unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected an address: an address has 34 characters, not 4 at line 1 column 6"
    );
}

#[test]
fn every_address_survives_printing_and_no_single_change_of_it_is_accepted() {
    let mut numbers = Numbers::new();
    for case in 0..300 {
        let address = match numbers.below(2) {
            0 => PublicKey::from_bytes(numbers.bytes()).address(),
            _ => Address::of_at(&Signature::from_bytes(numbers.bytes())),
        };
        let text = address.to_string();
        assert_eq!(
            text.parse(),
            Ok(address),
            "seed {SEED}, case {case}: {text}"
        );

        let place = numbers.below(text.len());
        let other = numbers.pick(BASE58);
        let changed: String = text
            .chars()
            .enumerate()
            .map(|(at, letter)| if at == place { other } else { letter })
            .collect();
        if changed != text {
            assert!(
                changed.parse::<Address>().is_err(),
                "seed {SEED}, case {case}: {changed}"
            );
        }
    }
}

#[test]
fn no_text_makes_it_panic() {
    let mut numbers = Numbers::new();
    for case in 0..5_000 {
        let text = numbers.text(70, BASE58);
        assert!(
            text.parse::<Address>().is_err(),
            "seed {SEED}, case {case}: {text:?}"
        );
    }
}
