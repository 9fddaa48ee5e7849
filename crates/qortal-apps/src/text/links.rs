//! Addresses in plain text, found as Qortal Hub makes them clickable
//! (Qortal/Qortal-Hub `src/components/Chat/MessageDisplay.tsx`, `linkify` and `processText`, commit c93f78a2).

use std::ops::Range;

const BEGINNINGS: [&str; 4] = ["https://", "http://", "qortal://", "www."];

/// Returns the places of the addresses in a text, in order. An address ends before white space and `<`.
pub fn links(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + first(text.get(from..)?)?;
        let rest = text.get(start..)?;
        let end = rest.find(|c: char| c.is_whitespace() || c == '<');
        from = end.map_or(text.len(), |it| start + it);
        Some(start..from)
    })
}

/// Returns the first place at which an address begins: not in the middle of a word.
fn first(text: &str) -> Option<usize> {
    let mut is_in_word = false;
    for (place, c) in text.char_indices() {
        if !is_in_word && matches!(c, 'h' | 'q' | 'w') {
            let rest = text.get(place..)?;
            if BEGINNINGS.iter().any(|it| rest.starts_with(it)) {
                return Some(place);
            }
        }
        is_in_word = c.is_alphanumeric() || c == '_';
    }
    None
}
