//! Base64 in blocks: standard, with padding (RFC 4648 §4).

#[cfg(feature = "convert")]
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD},
};

/// How many bytes the text would decode to, by its length alone.
pub(crate) fn decoded_len(text: &str) -> usize {
    let letters = text.trim_end_matches('=').len();
    letters / 4 * 3 + (letters % 4) * 3 / 4
}

/// The bytes; `None` for white space, the URL alphabet and missing padding, as strict decoders of peers have it.
#[cfg(feature = "convert")]
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Whether [`decode`] would succeed. Allocates nothing, however long the text.
#[cfg(feature = "convert")]
pub(crate) fn is_valid(text: &str) -> bool {
    const LETTERS: usize = 1024;
    let mut bytes = [0; LETTERS / 4 * 3];
    let text = text.as_bytes();
    // Padding may be in the last part alone, which is not empty unless the text is.
    let (whole, rest) = text.split_at(text.len().saturating_sub(1) / LETTERS * LETTERS);
    let mut whole = whole.chunks(LETTERS);
    whole.all(|it| STANDARD_NO_PAD.decode_slice(it, &mut bytes).is_ok())
        && STANDARD.decode_slice(rest, &mut bytes).is_ok()
}

#[cfg(all(test, feature = "convert"))]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};

    use super::{decode, decoded_len, is_valid};

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
