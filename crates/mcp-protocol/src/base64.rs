//! Standard Base64 with padding (RFC 4648 §4), the encoding of bytes in blocks.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Why text is no standard Base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Base64Error {
    /// A character of no Base64 alphabet, or of the URL alphabet, or white space.
    #[error("byte {0} is not of the standard Base64 alphabet")]
    Character(usize),
    /// The padding is missing, too long or not at the end, or the last character has stray bits.
    #[error("the padding is wrong")]
    Padding,
}

/// The bytes as standard Base64 with padding.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut padded = [0; 3];
        for (to, from) in padded.iter_mut().zip(chunk) {
            *to = *from;
        }
        let [a, b, c] = padded;
        let sextets = [
            a >> 2,
            (a & 3) << 4 | b >> 4,
            (b & 15) << 2 | c >> 6,
            c & 63,
        ];
        for (position, sextet) in sextets.into_iter().enumerate() {
            if position > chunk.len() {
                out.push('=');
            } else if let Some(letter) = ALPHABET.get(usize::from(sextet)) {
                out.push(char::from(*letter));
            }
        }
    }
    out
}

/// The bytes of standard Base64.
///
/// # Errors
/// White space, the URL alphabet and missing padding are refused, as strict decoders of peers do.
pub fn decode(text: &str) -> Result<Vec<u8>, Base64Error> {
    let mut out = Vec::with_capacity(decoded_len(text));
    read(text, |bytes| out.extend(bytes))?;
    Ok(out)
}

/// Whether [`decode`] would succeed, without decoding.
///
/// # Errors
/// As [`decode`].
pub fn check(text: &str) -> Result<(), Base64Error> {
    read(text, drop)
}

fn read(
    text: &str,
    mut emit: impl FnMut(std::iter::Take<std::array::IntoIter<u8, 3>>),
) -> Result<(), Base64Error> {
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    for (number, group) in groups.iter().enumerate() {
        let last = number + 1 == groups.len();
        let padding = group.iter().rev().take_while(|it| **it == b'=').count();
        if padding > 2 || (padding > 0 && !last) {
            return Err(Base64Error::Padding);
        }
        let mut bits: u32 = 0;
        for (position, letter) in group.iter().enumerate() {
            let sextet = if position >= 4 - padding {
                0
            } else {
                sextet(*letter).ok_or(Base64Error::Character(number * 4 + position))?
            };
            bits = bits << 6 | u32::from(sextet);
        }
        let [_, a, b, c] = bits.to_be_bytes();
        let stray = match padding {
            0 => 0,
            1 => c,
            _ => b | c,
        };
        if stray != 0 {
            return Err(Base64Error::Padding);
        }
        emit([a, b, c].into_iter().take(3 - padding));
    }
    match rest.iter().position(|it| sextet(*it).is_none()) {
        Some(position) => Err(Base64Error::Character(groups.len() * 4 + position)),
        None if rest.is_empty() => Ok(()),
        None => Err(Base64Error::Padding),
    }
}

/// How many bytes the text would decode to, by its length alone.
#[must_use]
pub fn decoded_len(text: &str) -> usize {
    let letters = text.trim_end_matches('=').len();
    letters / 4 * 3 + (letters % 4) * 3 / 4
}

fn sextet(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}
