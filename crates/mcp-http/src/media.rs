//! Media types: what a request is written in, and what answer it would take.

use hyper::{
    HeaderMap,
    header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE},
};

use crate::header;

/// Whether the body is declared to be JSON; parameters such as a charset do not matter.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    match header::single_value(headers, &CONTENT_TYPE) {
        Ok(Some(value)) => essence(value).eq_ignore_ascii_case(b"application/json"),
        Ok(None) | Err(header::DuplicateHeader) => false,
    }
}

/// Whether the body is compressed, or otherwise not what its type says.
pub(crate) fn is_encoded(headers: &HeaderMap) -> bool {
    headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// Whether the client takes JSON, or the event stream it has to list beside it in every revision.
///
/// Lenient, since no revision says what to do otherwise: no header takes everything, and a client
/// that lists only the one gets JSON all the same.
pub(crate) fn accepts_answer(headers: &HeaderMap) -> bool {
    if !headers.contains_key(ACCEPT) {
        return true;
    }
    accepts(headers, [b"application", b"json"]) || accepts(headers, [b"text", b"event-stream"])
}

/// Whether the client takes an event stream; no header takes everything.
pub(crate) fn accepts_events(headers: &HeaderMap) -> bool {
    !headers.contains_key(ACCEPT) || accepts(headers, [b"text", b"event-stream"])
}

/// Whether the most specific range that covers the type has a weight above 0 (RFC 9110 §12.5.1).
fn accepts(headers: &HeaderMap, [kind, subkind]: [&[u8]; 2]) -> bool {
    let values = headers.get_all(ACCEPT).iter();
    let ranges = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    let covering = ranges.filter_map(|range| {
        let slash = essence(range).iter().position(|byte| *byte == b'/')?;
        let (its_kind, its_subkind) = essence(range).split_at_checked(slash)?;
        let its_subkind = its_subkind.strip_prefix(b"/")?;
        let specificity = match (its_kind, its_subkind) {
            (b"*", b"*") => 0,
            (it, b"*") if it.eq_ignore_ascii_case(kind) => 1,
            (it, sub) if it.eq_ignore_ascii_case(kind) && sub.eq_ignore_ascii_case(subkind) => 2,
            _ => return None,
        };
        Some((specificity, !has_zero_weight(range)))
    });
    covering.max().is_some_and(|(_, wanted)| wanted)
}

/// Whether a range has the parameter `q=0`, in any of its spellings.
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

fn essence(value: &[u8]) -> &[u8] {
    let end = value.iter().position(|byte| *byte == b';');
    let essence = value.split_at_checked(end.unwrap_or(value.len()));
    essence.map_or(value, |(essence, _)| essence).trim_ascii()
}

#[cfg(test)]
mod tests {
    use hyper::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(name: HeaderName, values: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(&name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn an_answer_is_acceptable_unless_both_types_are_excluded() {
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
