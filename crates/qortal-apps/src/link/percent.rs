//! Percent-encoding of the parts of a link.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Everything but the unreserved characters of RFC 3986, 2.3.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Encodes a part of a link.
#[must_use]
pub fn encoded(part: &str) -> String {
    utf8_percent_encode(part, RESERVED).to_string()
}

/// Decodes a part of a link. A part that is not UTF-8 then is left as it is.
pub(super) fn decoded(part: &str) -> String {
    let decoded = percent_decode_str(part).decode_utf8();
    decoded.map_or_else(|_| part.to_owned(), Into::into)
}

/// Splits a query into names and values. Values are decoded, and `&amp;` separates like `&`: links in HTML have it.
pub(super) fn pairs(query: &str) -> Vec<(String, String)> {
    let query = query.replace("&amp;", "&");
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (decoded(name.trim()), decoded(value.trim())))
        .collect()
}
