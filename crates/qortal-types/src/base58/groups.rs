//! The digits of Base58, five at a time: long division by 58⁵ takes a tenth of the steps of one by 58.
//!
//! Lists have a signature or two a row, which makes this most of what reading and writing a row costs.

/// The Bitcoin alphabet, in the order of its values.
const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/// Digits of a group, and how many values they have: the most below 2³².
const GROUP_DIGITS: usize = 5;
const GROUP: u64 = 58_u64.pow(5);
/// What is no digit.
const NONE: u8 = u8::MAX;
/// The value of each byte as a digit.
static VALUES: [u8; 256] = values();

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "there are 58 digits, each of which is a byte"
)]
const fn values() -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < DIGITS.len() {
        values[DIGITS[at] as usize] = at as u8;
        at += 1;
    }
    values
}

/// The value of a byte as a digit, if it is one.
pub(super) fn value(digit: u8) -> Option<u8> {
    let value = VALUES.get(usize::from(digit)).copied();
    value.filter(|it| *it != NONE)
}

/// The text of some bytes. Each leading zero byte is a leading `1`.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let zeros = bytes.iter().take_while(|it| **it == 0).count();
    let rest = bytes.get(zeros..).unwrap_or_default();
    // Groups of digits, the least significant first.
    let mut groups: Vec<u32> = Vec::with_capacity(rest.len() * 7 / 25 + 2);
    let (head, words) = rest.split_at(rest.len() % 4);
    let head = head.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    append(&mut groups, head, 0);
    for word in words.as_chunks::<4>().0 {
        append(&mut groups, u64::from(u32::from_be_bytes(*word)), 32);
    }

    let mut text = String::with_capacity(zeros + groups.len() * GROUP_DIGITS);
    text.extend(std::iter::repeat_n('1', zeros));
    for (place, group) in groups.iter().rev().enumerate() {
        let mut group = *group;
        let mut digits = [b'1'; GROUP_DIGITS];
        for digit in digits.iter_mut().rev() {
            let value = usize::try_from(group % 58).unwrap_or_default();
            *digit = DIGITS.get(value).copied().unwrap_or_default();
            group /= 58;
        }
        let leading = digits.iter().take_while(|it| **it == b'1').count();
        let first = if place == 0 { leading } else { 0 };
        text.extend(digits.iter().skip(first).map(|it| char::from(*it)));
    }
    text
}

/// Appends a word of so many bits to a number in groups.
fn append(groups: &mut Vec<u32>, word: u64, bits: u32) {
    let mut carry = word;
    for group in &mut *groups {
        let sum = (u64::from(*group) << bits) + carry;
        *group = low(sum % GROUP);
        carry = sum / GROUP;
    }
    while carry > 0 {
        groups.push(low(carry % GROUP));
        carry /= GROUP;
    }
}

/// The bytes of a text; `None` if one of its bytes is no digit.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let zeros = text.iter().take_while(|it| **it == b'1').count();
    let rest = text.get(zeros..).unwrap_or_default();
    // Words of 32 bits, the least significant first.
    let mut words: Vec<u32> = Vec::with_capacity(rest.len() * 3 / 16 + 1);
    let (head, groups) = rest.split_at(rest.len() % GROUP_DIGITS);
    let head = (head, 58_u64.pow(u32::try_from(head.len()).ok()?));
    let groups = groups.as_chunks::<GROUP_DIGITS>().0;
    for (group, factor) in [head]
        .into_iter()
        .chain(groups.iter().map(|it| (&it[..], GROUP)))
    {
        let mut carry = 0;
        for digit in group {
            carry = carry * 58 + u64::from(value(*digit)?);
        }
        for word in &mut words {
            let sum = u64::from(*word) * factor + carry;
            *word = low(sum);
            carry = sum >> 32;
        }
        if carry > 0 {
            words.push(low(carry));
        }
    }

    let mut bytes = vec![0; zeros];
    bytes.reserve(words.len() * 4);
    for (place, word) in words.iter().rev().enumerate() {
        let word = word.to_be_bytes();
        let leading = word.iter().take_while(|it| **it == 0).count();
        let first = if place == 0 { leading } else { 0 };
        bytes.extend(word.iter().skip(first));
    }
    Some(bytes)
}

/// The lower half.
const fn low(value: u64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
