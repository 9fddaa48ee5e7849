//! Base58 with the Bitcoin alphabet, and the same change of radix for decimal digits.

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Longest text that is decoded; decoding takes quadratic time.
const LONGEST_TEXT: usize = 8 * 1024;

/// `bytes` in Base58; nothing becomes the empty text.
pub(crate) fn base58_encode(bytes: &[u8]) -> String {
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    let digits = change_radix(bytes, 256, 58);
    let text = std::iter::repeat_n(0, zeros).chain(digits);
    text.filter_map(|digit| {
        ALPHABET
            .get(usize::from(digit))
            .map(|&letter| char::from(letter))
    })
    .collect()
}

/// The bytes behind a Base58 text, or `None` if it is empty, too long, or has a letter outside the alphabet.
pub(crate) fn base58_decode(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || text.len() > LONGEST_TEXT {
        return None;
    }
    let digit = |letter: u8| {
        let index = ALPHABET.iter().position(|&known| known == letter)?;
        u8::try_from(index).ok()
    };
    let digits: Vec<u8> = text.bytes().map(digit).collect::<Option<_>>()?;
    let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
    let mut bytes = vec![0; zeros];
    bytes.extend(change_radix(&digits, 58, 256));
    Some(bytes)
}

/// `bytes` as one big-endian number in decimal digits.
pub(crate) fn decimal(bytes: &[u8]) -> String {
    let digits = change_radix(bytes, 256, 10);
    if digits.is_empty() {
        "0".to_owned()
    } else {
        digits
            .iter()
            .map(|digit| char::from(b'0' + digit))
            .collect()
    }
}

/// The digits of a number in another radix, most significant first, without leading zeros.
///
/// Works on groups of digits: as many of the source as stay below 2²⁴, as many of the result as stay below 2³².
fn change_radix(digits: &[u8], from: u64, to: u64) -> Vec<u8> {
    let taken = group_length(from, 1 << 24);
    let width = group_length(to, 1 << 32);
    let limb_radix = power(to, width);
    let mut limbs: Vec<u64> = Vec::new();
    for group in digits.chunks(taken) {
        let factor = power(from, group.len());
        let mut carry = group
            .iter()
            .fold(0, |value, &digit| value * from + u64::from(digit));
        for limb in &mut limbs {
            carry += *limb * factor;
            *limb = carry % limb_radix;
            carry /= limb_radix;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut reversed = Vec::with_capacity(limbs.len() * width);
    for limb in limbs {
        let mut rest = limb;
        for _ in 0..width {
            reversed.push(low_byte(rest % to));
            rest /= to;
        }
    }
    while reversed.last() == Some(&0) {
        reversed.pop();
    }
    reversed.reverse();
    reversed
}

/// How many digits of a radix fit below a bound.
fn group_length(radix: u64, bound: u64) -> usize {
    let mut length = 1;
    while power(radix, length + 1) <= bound {
        length += 1;
    }
    length
}

fn power(radix: u64, exponent: usize) -> u64 {
    std::iter::repeat_n(radix, exponent).product()
}

/// A digit below 256 as a byte.
fn low_byte(digit: u64) -> u8 {
    digit.to_le_bytes().first().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{base58_decode, base58_encode, decimal};

    #[test]
    fn base58_keeps_leading_zeros() {
        let pairs: [(&[u8], &str); 5] = [
            (b"", ""),
            (&[0, 0, 1], "112"),
            (b"hello world", "StV1DL6CwTryKyV"),
            (&[0; 32], "11111111111111111111111111111111"),
            (&[255], "5Q"),
        ];
        for (bytes, text) in pairs {
            assert_eq!(base58_encode(bytes), text);
            if !text.is_empty() {
                assert_eq!(base58_decode(text).unwrap(), bytes);
            }
        }
        assert_eq!(base58_decode("0OIl"), None);
    }

    #[test]
    fn encoding_and_decoding_are_inverse() {
        for length in 1..200_u8 {
            let bytes: Vec<u8> = (0..length)
                .map(|index| index.wrapping_mul(length).wrapping_add(37))
                .collect();
            assert_eq!(base58_decode(&base58_encode(&bytes)).unwrap(), bytes);
        }
    }

    #[test]
    fn numbers_are_written_in_decimal() {
        assert_eq!(decimal(&[]), "0");
        assert_eq!(decimal(&[1, 0]), "256");
        assert_eq!(decimal(&[255; 8]), u64::MAX.to_string());
    }
}
