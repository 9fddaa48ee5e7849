//! Base64 as the Core writes it: standard alphabet, padded (RFC 4648 §4).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// `bytes` in padded Base64.
pub(crate) fn base64_encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let value = chunk
            .iter()
            .fold(0_u32, |value, &byte| (value << 8) | u32::from(byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            if place > chunk.len() {
                text.push('=');
            } else {
                let index = (value >> (18 - 6 * place)) & 63;
                text.extend(
                    ALPHABET
                        .iter()
                        .skip(index as usize)
                        .take(1)
                        .map(|&letter| char::from(letter)),
                );
            }
        }
    }
    text
}

/// The bytes behind a padded Base64 text, or `None` if it is not one.
pub(crate) fn base64_decode(text: &str) -> Option<Vec<u8>> {
    let letters = text.trim_end_matches('=').as_bytes();
    if !text.len().is_multiple_of(4) || text.len() - letters.len() > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    for chunk in letters.chunks(4) {
        let mut value = 0_u32;
        for letter in chunk {
            let index = ALPHABET.iter().position(|known| known == letter)?;
            value = (value << 6) | u32::try_from(index).ok()?;
        }
        value <<= 6 * (4 - chunk.len());
        bytes.extend(
            value
                .to_be_bytes()
                .iter()
                .skip(1)
                .take(chunk.len().saturating_sub(1)),
        );
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{base64_decode, base64_encode};

    #[test]
    fn base64_is_padded() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64_encode(bytes.as_bytes()), text);
            assert_eq!(base64_decode(text).unwrap(), bytes.as_bytes());
        }
        assert_eq!(base64_decode("Zg"), None);
        assert_eq!(base64_decode("Z*=="), None);
    }
}
