//! Base64 encoding of content blocks: standard, with padding (RFC 4648 §4).

use std::{borrow::Cow, io};

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD},
    read::DecoderReader,
};

/// Reads what lenient decoders read: padding may be missing, and the last letter may have bits to spare.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes; `None` for white space, the URL alphabet and missing padding, as strict decoders of peers have it.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Whether [`decode`] would succeed. Allocates nothing, however long the text.
pub(crate) fn is_valid(text: &str) -> bool {
    let mut decoder = DecoderReader::new(text.as_bytes(), &STANDARD);
    io::copy(&mut decoder, &mut io::sink()).is_ok()
}

/// The bytes as Python's `b64decode` reads them: what is not Base64 is skipped, but padding has to be complete.
pub(crate) fn decode_like_python(text: &str) -> Option<Vec<u8>> {
    let letters = text.bytes();
    let letters = letters.filter(|it| it.is_ascii_alphanumeric() || b"+/=".contains(it));
    STANDARD.decode(letters.collect::<Vec<u8>>()).ok()
}

/// The one standard text of the bytes that `text` encodes, in either alphabet, with white space in it, or without
/// its padding; `None` if it encodes none. A text that is standard already is not copied.
pub(crate) fn normalized(text: &str) -> Option<Cow<'_, str>> {
    if is_valid(text) {
        return Some(Cow::Borrowed(text));
    }
    let letters = text.bytes().filter(|it| !it.is_ascii_whitespace());
    let letters: Vec<u8> = letters
        .map(|it| match it {
            b'-' => b'+',
            b'_' => b'/',
            other => other,
        })
        .collect();
    let bytes = LENIENT.decode(letters).ok()?;
    Some(Cow::Owned(STANDARD.encode(bytes)))
}

/// The first bytes, at most so many; fewer if the text is shorter or not standard.
pub(crate) fn first_bytes(text: &str, most: usize) -> Vec<u8> {
    let letters = most.div_ceil(3).saturating_mul(4).min(text.len());
    let start = text.get(..letters).unwrap_or("");
    STANDARD.decode(start).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};

    use mcp_protocol::content::decoded_len;

    use super::{decode, first_bytes, is_valid, normalized};

    #[test]
    fn every_spelling_of_the_bytes_has_one_standard_text() {
        for (text, standard) in [
            ("", Some("")),
            ("aGVsbG8=", Some("aGVsbG8=")),
            ("aGVs bG8=", Some("aGVsbG8=")),
            ("aGVs\r\nbG8=\n", Some("aGVsbG8=")),
            ("aGVsbG8", Some("aGVsbG8=")),
            ("-_-_", Some("+/+/")),
            ("aB==", Some("aA==")),
            ("  ", Some("")),
            ("a", None),
            ("aGVsbG8=aGVsbG8=", None),
            ("<svg/>", None),
            ("é", None),
        ] {
            assert_eq!(normalized(text).as_deref(), standard, "{text:?}");
        }
    }

    #[test]
    fn the_first_bytes_are_those_of_the_whole() {
        let text = STANDARD.encode(b"hello, world");
        assert_eq!(first_bytes(&text, 5), b"hello,");
        assert_eq!(first_bytes(&text, 100), b"hello, world");
        assert_eq!(first_bytes("a-", 100), b"");
    }

    #[test]
    fn only_the_one_text_that_encodes_the_bytes_decodes() {
        for (text, bytes) in [
            ("", Some(&b""[..])),
            ("aA==", Some(b"h")),
            ("aGk=", Some(b"hi")),
            ("aGkh", Some(b"hi!")),
            ("+/+/", Some(b"\xfb\xff\xbf")),
            ("aA", None),
            ("aA=", None),
            ("aA===", None),
            ("aGk", None),
            ("aGkh=", None),
            ("====", None),
            ("=", None),
            ("aB==", None),
            ("aGl=", None),
            ("aA==aA==", None),
            ("-_-_", None),
            ("aGk=\n", None),
            (" aGk=", None),
            ("aG k=", None),
            ("aGé=", None),
        ] {
            assert_eq!(decode(text).as_deref(), bytes, "{text}");
            assert_eq!(is_valid(text), bytes.is_some(), "{text}");
            if let Some(bytes) = bytes {
                assert_eq!(decoded_len(text), bytes.len(), "{text}");
            }
        }
    }

    #[test]
    fn long_texts_are_checked_to_their_end() {
        for len in 760..780 {
            let text = STANDARD.encode(vec![7; len]);
            assert!(is_valid(&text), "{len}");
            for at in [0, 1_022, 1_023, 1_024, text.len() - 5] {
                let mut changed = text.clone().into_bytes();
                if let Some(byte) = changed.get_mut(at) {
                    *byte = b'=';
                    let changed = String::from_utf8(changed).unwrap();
                    assert_eq!(
                        is_valid(&changed),
                        decode(&changed).is_some(),
                        "{len}, {at}"
                    );
                }
            }
        }
    }
}
