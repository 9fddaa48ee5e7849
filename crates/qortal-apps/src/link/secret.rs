//! Keys inside links, which are never repeated.

use std::borrow::Cow;

const SCHEME: &str = "qortal://";

/// The beginnings of a key in a query, plain and percent-encoded.
const KEYS: [&str; 3] = ["key=", "key%3D", "key%3d"];

/// What precedes a name in a query, plain, in HTML and percent-encoded.
const BEFORE: [&str; 8] = ["?", "&", "&amp;", ";", "%3F", "%26", "%3f", "%26amp;"];

/// The stand-in for a key.
const HIDDEN: &str = "…";

/// Returns a text in which each `key` of a `qortal://` link is `…`: it decrypts the file of the link.
#[must_use]
pub fn without_keys(text: &str) -> Cow<'_, str> {
    if !text.contains(SCHEME) || !KEYS.iter().any(|key| text.contains(key)) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(SCHEME) {
        let (before, link) = rest.split_at(start);
        shown.push_str(before);
        let (link, after) = link.split_at(end(link));
        hide(link, &mut shown);
        rest = after;
    }
    shown.push_str(rest);
    shown.into()
}

/// The length of a link at the beginning of a text: programs end it at a blank, a comma or a tag (Qortal/Qortal-Hub
/// c93f78a2, `convertQortalLinks` in src/utils/qortalLink/index.ts). Quotes end it in HTML.
pub(super) fn end(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '<' | '"');
    text.find(ends).unwrap_or(text.len())
}

fn hide(link: &str, shown: &mut String) {
    let mut rest = link;
    loop {
        let found = KEYS
            .iter()
            .filter_map(|key| rest.find(key).map(|at| (at, at + key.len())));
        let Some((start, end)) = found.min() else {
            return shown.push_str(rest);
        };
        let (before, after) = rest.split_at(end);
        shown.push_str(before);
        let name = rest.get(..start).unwrap_or_default();
        rest = after;
        if BEFORE.iter().any(|it| name.ends_with(it)) {
            let end = ["&", "%26", "#"]
                .iter()
                .filter_map(|it| after.find(it))
                .min();
            shown.push_str(HIDDEN);
            rest = after.get(end.unwrap_or(after.len())..).unwrap_or_default();
        }
    }
}
