//! The end of a certificate's validity, read from its DER encoding (RFC 5280 §4.1.2.5).

use std::time::{Duration, SystemTime};

use jiff::civil::DateTime;

const INTEGER: u8 = 0x02;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
/// The version, which certificates of the first version leave out.
const VERSION: u8 = 0xa0;

/// Returns the time at which a certificate expires; `None` if it is not encoded as one.
pub(super) fn expiry(certificate: &[u8]) -> Option<SystemTime> {
    let (certificate, _) = element(certificate, SEQUENCE)?;
    let (mut rest, _) = element(certificate, SEQUENCE)?;
    if let Some((_, after)) = element(rest, VERSION) {
        rest = after;
    }
    // The serial number, the algorithm and the issuer.
    for tag in [INTEGER, SEQUENCE, SEQUENCE] {
        (_, rest) = element(rest, tag)?;
    }
    let (validity, _) = element(rest, SEQUENCE)?;
    let start = element(validity, UTC_TIME).or_else(|| element(validity, GENERALIZED_TIME));
    let (_, end) = start?;
    time(end)
}

/// Returns the content of an element with this tag, and the bytes after it.
fn element(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (found, rest) = der.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = if *first < 0x80 {
        (usize::from(*first), rest)
    } else {
        let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
        // No certificate has a length of more than four bytes.
        let bytes = Some(bytes).filter(|it| it.len() <= 4)?;
        let length = bytes
            .iter()
            .fold(0, |sum, it| (sum << 8) | usize::from(*it));
        (length, rest)
    };
    let content = rest.split_at_checked(length)?;
    (*found == tag).then_some(content)
}

/// Returns the time that begins here.
fn time(der: &[u8]) -> Option<SystemTime> {
    let (century, text) = match element(der, UTC_TIME) {
        Some((text, _)) => {
            let is_recent = text.first().is_some_and(|it| *it < b'5');
            (Some(if is_recent { 2000 } else { 1900 }), text)
        }
        None => (None, element(der, GENERALIZED_TIME)?.0),
    };
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let is_digits = text.bytes().all(|it| it.is_ascii_digit());
    let text = Some(text).filter(|_| is_digits)?;
    let (year, others) = match century {
        Some(century) => {
            let (year, others) = text.split_at_checked(2)?;
            (century + year.parse::<i16>().ok()?, others)
        }
        None => {
            let (year, others) = text.split_at_checked(4)?;
            (year.parse().ok()?, others)
        }
    };
    let part = |n: usize| others.get(2 * n..2 * n + 2)?.parse::<i8>().ok();
    let time = DateTime::new(year, part(0)?, part(1)?, part(2)?, part(3)?, part(4)?, 0).ok()?;
    let since = time.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0));
    let since = Duration::try_from(since)
        .ok()
        .filter(|_| others.len() == 10)?;
    SystemTime::UNIX_EPOCH.checked_add(since)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A certificate as far as it is read, with these times.
    fn certificate(tag: u8, from: &str, until: &str) -> Vec<u8> {
        let wrapped = |tag: u8, parts: &[Vec<u8>]| {
            let content = parts.concat();
            let length = u8::try_from(content.len()).unwrap();
            [vec![tag, 0x81, length], content].concat()
        };
        let time = |text: &str| wrapped(tag, &[text.as_bytes().to_vec()]);
        let version = wrapped(VERSION, &[vec![INTEGER, 1, 2]]);
        let serial = vec![INTEGER, 1, 7];
        let (algorithm, issuer) = (vec![SEQUENCE, 0], vec![SEQUENCE, 2, 1, 1]);
        let validity = wrapped(SEQUENCE, &[time(from), time(until)]);
        let signed = wrapped(SEQUENCE, &[version, serial, algorithm, issuer, validity]);
        wrapped(SEQUENCE, &[signed])
    }

    fn seconds(certificate: &[u8]) -> Option<u64> {
        let since = expiry(certificate)?.duration_since(SystemTime::UNIX_EPOCH);
        Some(since.unwrap().as_secs())
    }

    #[test]
    fn expiry_is_read_in_both_forms_of_times() {
        for (tag, from, until, expected) in [
            (
                UTC_TIME,
                "260101000000Z",
                "270131120000Z",
                Some(1_801_396_800),
            ),
            (UTC_TIME, "600101000000Z", "700101000001Z", Some(1)),
            (
                GENERALIZED_TIME,
                "20260101000000Z",
                "21261029222521Z",
                Some(4_948_986_321),
            ),
            (UTC_TIME, "260101000000Z", "271331120000Z", None),
            (UTC_TIME, "260101000000Z", "2701311200Z", None),
            (UTC_TIME, "260101000000Z", "270131120000+0100", None),
            (INTEGER, "260101000000Z", "270131120000Z", None),
        ] {
            let found = seconds(&certificate(tag, from, until));
            assert_eq!(found, expected, "{until}");
        }
    }

    #[test]
    fn bytes_that_are_cut_off_are_no_certificate() {
        let whole = certificate(UTC_TIME, "260101000000Z", "270131120000Z");
        for length in 0..whole.len() {
            assert_eq!(seconds(&whole[..length]), None, "{length}");
        }
        let endless = [SEQUENCE, 0x89, 1, 1, 1, 1, 1, 1, 1, 1, 1];
        assert_eq!(seconds(&endless), None);
    }
}
