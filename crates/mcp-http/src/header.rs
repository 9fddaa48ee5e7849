//! HTTP headers: values that must not be repeated, media types, and `X-Request-ID`, which identifies a request in the
//! logs of clients, proxies and this server.

use std::{
    collections::hash_map::RandomState,
    fmt::Write,
    hash::{BuildHasher, Hasher},
    sync::atomic::{AtomicU64, Ordering},
};

use hyper::{
    HeaderMap,
    header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue},
};

pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum length of an accepted ID, because IDs appear in logs.
const MAX_ID_LEN: usize = 128;
/// The `Accept` header of clients that follow the specification.
const BOTH: &[u8] = b"application/json, text/event-stream";

/// The error for a repeated header that must not be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DuplicateHeader;

/// Returns the only value of a header, without surrounding white space.
///
/// # Errors
/// Returns an error if the header is repeated.
pub(crate) fn single_value<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a [u8]>, DuplicateHeader> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    match values.next() {
        None => Ok(first.map(|value| value.as_bytes().trim_ascii())),
        Some(_) => Err(DuplicateHeader),
    }
}

/// A generator of IDs for requests without one.
#[derive(Debug)]
pub(crate) struct RequestIds {
    /// A random prefix, so the IDs of two processes behind one load balancer differ.
    prefix: String,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        let prefix = RandomState::new().build_hasher().finish();
        Self {
            prefix: format!("{prefix:016x}-"),
            next: AtomicU64::new(1),
        }
    }

    /// Returns the client's ID if it is 1 to 128 visible ASCII characters, or else a new ID.
    pub(crate) fn of(&self, headers: &HeaderMap) -> HeaderValue {
        if let Ok(Some(value)) = single_value(headers, &X_REQUEST_ID)
            && (1..=MAX_ID_LEN).contains(&value.len())
            && value.iter().all(u8::is_ascii_graphic)
            && let Some(value) = headers.get(X_REQUEST_ID)
        {
            return value.clone();
        }
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        // The exact capacity, because a longer string would need a second allocation.
        let mut id = String::with_capacity(self.prefix.len() + hex_len(n));
        id.push_str(&self.prefix);
        // Writing to a string never fails.
        let _written = write!(id, "{n:x}");
        HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("unnamed"))
    }
}

/// Returns the number of hexadecimal digits of a number.
fn hex_len(n: u64) -> usize {
    n.checked_ilog2().map_or(1, |bits| bits as usize / 4 + 1)
}

/// Returns whether the body is declared as JSON. Parameters such as a charset are ignored.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    match single_value(headers, &CONTENT_TYPE) {
        Ok(Some(value)) => essence(value).eq_ignore_ascii_case(b"application/json"),
        Ok(None) | Err(DuplicateHeader) => false,
    }
}

/// Returns whether the body has a content encoding, such as gzip.
pub(crate) fn is_encoded(headers: &HeaderMap) -> bool {
    headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// Returns whether the client accepts JSON, or the event stream that every revision also requires in `Accept`.
///
/// The check is lenient, because no revision defines a response to anything else. Without the header everything is
/// accepted, and a client that lists one of the two types may get JSON.
pub(crate) fn accepts_answer(headers: &HeaderMap) -> bool {
    accepts(headers, [b"application", b"json"]) || accepts_events(headers)
}

/// Returns whether the client accepts an event stream. Without the header everything is accepted.
pub(crate) fn accepts_events(headers: &HeaderMap) -> bool {
    accepts(headers, [b"text", b"event-stream"])
}

/// Returns whether the client is a web browser. It accepts HTML and lists neither media type of MCP clients by name. A
/// wildcard does not count as a name.
pub(crate) fn is_browser(headers: &HeaderMap) -> bool {
    names(headers, b"text/html")
        && !names(headers, b"application/json")
        && !names(headers, b"text/event-stream")
}

/// Returns whether the media type is listed by name with a weight above 0.
fn names(headers: &HeaderMap, name: &[u8]) -> bool {
    let values = headers.get_all(ACCEPT).iter();
    let mut ranges = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    ranges.any(|range| essence(range).eq_ignore_ascii_case(name) && !has_zero_weight(range))
}

/// Returns whether the most specific range that matches one of the two types has a weight above 0 (RFC 9110 §12.5.1).
/// Without the header, returns `true`.
fn accepts(headers: &HeaderMap, [kind, subkind]: [&[u8]; 2]) -> bool {
    if let Ok(None | Some(BOTH)) = single_value(headers, &ACCEPT) {
        return true;
    }
    let values = headers.get_all(ACCEPT).iter();
    let ranges = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    let matching = ranges.filter_map(|range| {
        let slash = essence(range).iter().position(|byte| *byte == b'/')?;
        let (range_kind, range_subkind) = essence(range).split_at_checked(slash)?;
        let range_subkind = range_subkind.strip_prefix(b"/")?;
        let specificity = match (range_kind, range_subkind) {
            (b"*", b"*") => 0,
            (it, b"*") if it.eq_ignore_ascii_case(kind) => 1,
            (it, sub) if it.eq_ignore_ascii_case(kind) && sub.eq_ignore_ascii_case(subkind) => 2,
            _ => return None,
        };
        Some((specificity, !has_zero_weight(range)))
    });
    matching.max().is_some_and(|(_, accepted)| accepted)
}

/// Returns whether a range has a weight of zero: `q=0`, `q=0.000` and the like.
fn has_zero_weight(range: &[u8]) -> bool {
    range.split(|byte| *byte == b';').skip(1).any(|parameter| {
        let parameter = parameter.trim_ascii();
        let weight = match parameter.split_at_checked(2) {
            Some((b"q=" | b"Q=", weight)) => weight,
            Some(_) | None => return false,
        };
        !weight.is_empty() && weight.iter().all(|byte| matches!(byte, b'0' | b'.'))
    })
}

/// Returns a media type without its parameters.
fn essence(value: &[u8]) -> &[u8] {
    let essence = value.split(|byte| *byte == b';').next();
    essence.unwrap_or_default().trim_ascii()
}

#[cfg(test)]
mod tests {
    use hyper::header::COOKIE;

    use super::*;

    #[test]
    fn a_value_is_given_once_and_trimmed() {
        let mut headers = HeaderMap::new();
        assert_eq!(single_value(&headers, &COOKIE), Ok(None));
        headers.append(COOKIE, HeaderValue::from_static(" \ta b\t "));
        assert_eq!(single_value(&headers, &COOKIE), Ok(Some(b"a b".as_slice())));
        headers.append(COOKIE, HeaderValue::from_static("a b"));
        assert_eq!(single_value(&headers, &COOKIE), Err(DuplicateHeader));
    }

    fn headers(name: HeaderName, values: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(&name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn a_response_is_acceptable_unless_both_types_are_excluded() {
        for (accept, expect) in [
            (&[] as &[_], true),
            (&["application/json, text/event-stream"], true),
            (&["application/json", "text/event-stream"], true),
            (&["Application/JSON;charset=utf-8"], true),
            (&["text/event-stream"], true),
            (&["*/*"], true),
            (&["application/*;q=0.1"], true),
            (&["application/json;q=0, */*"], true),
            (&["application/json;q=0"], false),
            (&["application/json; q=0.000, text/html"], false),
            (&["application/json;q=0, text/event-stream;q=0, */*"], false),
            (&["text/html"], false),
            (&["image/*"], false),
            (&["nonsense"], false),
            (&[""], false),
        ] {
            assert_eq!(
                accepts_answer(&headers(ACCEPT, accept)),
                expect,
                "{accept:?}"
            );
        }
    }

    #[test]
    fn a_browser_asks_for_html_and_for_nothing_of_the_protocol() {
        let chromium = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
        for (accept, expect) in [
            (&[chromium] as &[_], true),
            (&["text/html"], true),
            (&["Text/HTML;charset=utf-8"], true),
            (&["text/html, application/json;q=0"], true),
            (&["text/html", "application/json"], false),
            (&["text/html, text/event-stream"], false),
            (&["text/html;q=0, */*"], false),
            (&["application/json, text/event-stream"], false),
            (&["text/*"], false),
            (&["*/*"], false),
            (&[""], false),
            (&[], false),
        ] {
            assert_eq!(is_browser(&headers(ACCEPT, accept)), expect, "{accept:?}");
        }
    }

    #[test]
    fn json_is_recognized_in_any_spelling() {
        for (content_type, expect) in [
            (&["application/json"] as &[_], true),
            (&["Application/Json ; charset=UTF-8"], true),
            (&["application/json-rpc"], false),
            (&["text/plain"], false),
            (&[""], false),
            (&[], false),
            (&["application/json", "application/json"], false),
        ] {
            let headers = headers(CONTENT_TYPE, content_type);
            assert_eq!(is_json(&headers), expect, "{content_type:?}");
        }
    }
}
