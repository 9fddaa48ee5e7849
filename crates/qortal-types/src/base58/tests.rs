//! Tables and properties of `base58`.

use super::{Base58Error, decode, encode};
use crate::{
    BlockSignature, PublicKey, Signature,
    tests::{Numbers, SEED},
};

#[test]
fn a_key_is_refused_with_its_reason() {
    let vectors = [
        ("", Base58Error::Empty),
        (
            "49zX6u55gUqTNPopBkfiATpZ4r4KwXhi27KChcbUCudl",
            Base58Error::Alphabet {
                character: 'l',
                position: 44,
            },
        ),
        (
            "abc",
            Base58Error::Length {
                found: 3,
                expected: 32,
            },
        ),
        (
            "1111111111111111111111111111111",
            Base58Error::Length {
                found: 31,
                expected: 32,
            },
        ),
        (
            "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
            Base58Error::Length {
                found: 33,
                expected: 32,
            },
        ),
        (
            "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
            Base58Error::TooLong {
                characters: 46,
                limit: 45,
                expected: 32,
            },
        ),
    ];
    for (text, error) in vectors {
        assert_eq!(text.parse::<PublicKey>(), Err(error), "{text:?}");
    }
}

#[test]
fn leading_zero_bytes_are_leading_ones() {
    assert_eq!(PublicKey::from_bytes([0; 32]).to_string(), "1".repeat(32));
    assert_eq!("1".repeat(64).parse(), Ok(Signature::from_bytes([0; 64])));
    assert_eq!(
        "1".repeat(128).parse(),
        Ok(BlockSignature::from_bytes([0; 128]))
    );
}

#[test]
fn the_longest_values_are_within_the_limit() {
    for text in [PublicKey::from_bytes([255; 32]).to_string(), "1".repeat(32)] {
        assert!(text.parse::<PublicKey>().is_ok(), "{text}");
    }
    assert!(
        Signature::from_bytes([255; 64])
            .to_string()
            .parse::<Signature>()
            .is_ok()
    );
    assert!(
        BlockSignature::from_bytes([255; 128])
            .to_string()
            .parse::<BlockSignature>()
            .is_ok()
    );
}

#[test]
fn json_is_the_text_in_both_directions() {
    let json = "\"2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP\"";
    let key: PublicKey = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&key).unwrap(), json);
    assert_eq!(
        serde_json::from_str::<Signature>(json)
            .unwrap_err()
            .to_string(),
        "expected a signature (Base58 of 64 bytes): it encodes 32 bytes instead of 64 at line 1 column 46"
    );
}

#[test]
fn any_bytes_are_written_and_read_as_another_implementation_does() {
    let mut numbers = Numbers::new();
    for length in 0..=140 {
        for fill in [0, 1, 255] {
            let bytes = vec![fill; length];
            check(&bytes, &format!("{length} bytes {fill}"));
        }
        for case in 0..10 {
            let bytes: [u8; 140] = numbers.bytes();
            let mut bytes = bytes[..length].to_vec();
            let zeros = numbers.below(length + 1);
            bytes[..zeros].fill(0);
            check(&bytes, &format!("seed {SEED}, {length} bytes, case {case}"));
        }
    }
}

fn check(bytes: &[u8], case: &str) {
    let text = encode(bytes);
    assert_eq!(text, bs58::encode(bytes).into_string(), "{case}");
    assert_eq!(decode(&text).as_deref(), Ok(bytes), "{case}");
}

#[test]
fn no_other_byte_is_a_digit() {
    for byte in 0..=u8::MAX {
        let character = char::from(byte);
        let text = format!("2{character}3");
        let expected = bs58::decode(&text).into_vec();
        match decode(&text) {
            Ok(bytes) => assert_eq!(Ok(bytes), expected, "{text:?}"),
            Err(error) => {
                let position = 2;
                let alphabet = Base58Error::Alphabet {
                    character,
                    position,
                };
                assert_eq!(error, alphabet);
                assert!(expected.is_err(), "{text:?}");
            }
        }
    }
}

#[test]
fn any_bytes_survive_printing() {
    let mut numbers = Numbers::new();
    for case in 0..200 {
        let mut bytes: [u8; 128] = numbers.bytes();
        let zeros = numbers.below(20);
        bytes[..zeros].fill(0);
        let block = BlockSignature::from_bytes(bytes);
        assert_eq!(
            block.to_string().parse(),
            Ok(block),
            "seed {SEED}, case {case}"
        );
        let key = PublicKey::from_bytes(*bytes.first_chunk().unwrap());
        assert_eq!(key.to_string().parse(), Ok(key), "seed {SEED}, case {case}");
    }
}
