//! Removal of base64-encoded block data that a server repeats in texts or the structured value, where no model can read it.

use std::{borrow::Cow, collections::HashMap};

use serde_json::Value;

use super::{block::Body, media::canonical, part::named, view::ResultView};

/// The letters that two runs of Base64 share before one is taken for the other. Headers of images share fewer.
const SHARED: usize = 64;
/// The most slashes of one run after which Base64 may begin: looking after each would take more time than the text is long.
const SLASHES: usize = 16;

/// The Base64 of a result's blocks, by its first letters.
pub(super) struct Repeated<'a>(HashMap<[u8; SHARED], (&'a [u8], String)>);

impl<'a> Repeated<'a> {
    pub(super) fn of(view: &ResultView<'a>) -> Self {
        let blocks = view
            .blocks
            .iter()
            .filter_map(|it| match it.body.clone().inlined() {
                Body::Media(what, it) => {
                    let data = it.blob?;
                    let url = data.strip_prefix("data:").and_then(|it| it.split_once(','));
                    let data = url.map_or(data, |(_, data)| data).as_bytes();
                    let key = Letters { text: data, at: 0 }.key()?;
                    let mime_type = it.mime_type.and_then(canonical);
                    let note = format!("[{}]", named(what, mime_type.as_deref(), it.uri));
                    Some((key, (data, note)))
                }
                _ => None,
            });
        Self(blocks.collect())
    }

    /// The text with a note in the place of each repetition; `None` if it has none.
    pub(super) fn noted_in(&self, text: &str) -> Option<String> {
        if self.0.is_empty() || text.len() < SHARED {
            return None;
        }
        let bytes = text.as_bytes();
        let (mut out, mut copied, mut at) = (String::new(), 0, 0);
        while let Some(byte) = bytes.get(at) {
            // The letter of an escape sequence in JSON is none of Base64.
            at += match byte {
                b'\\' => 2,
                it if letter(*it).is_none() => 1,
                _ => {
                    let end = run(bytes, at);
                    // A slash is a letter, and in an address it is what stands before one.
                    let slashes = (at..end).filter(|it| bytes.get(*it) == Some(&b'/'));
                    let mut starts =
                        std::iter::once(at).chain(slashes.take(SLASHES).map(|it| it + 1));
                    let found = starts.find_map(|it| Some((it, self.found(bytes, it)?)));
                    let Some((start, (end, note))) = found else {
                        at = end;
                        continue;
                    };
                    out += text.get(copied..start).unwrap_or("");
                    out += note;
                    copied = end;
                    end - at
                }
            };
        }
        (copied > 0).then(|| out + text.get(copied..).unwrap_or(""))
    }

    /// Returns the end of a block's Base64 that begins here, and the note for the block.
    fn found(&self, bytes: &[u8], at: usize) -> Option<(usize, &str)> {
        let mut letters = Letters { text: bytes, at };
        let (data, note) = self.0.get(&letters.key()?)?;
        let mut data = Letters { text: data, at: 0 }.skip(SHARED);
        // Over line breaks only as far as it is the same.
        let mut last = letters.at;
        while letters.next().is_some_and(|it| data.next() == Some(it)) {
            last = letters.at;
        }
        let end = run(bytes, last);
        let padding = bytes.get(end..).unwrap_or_default().iter();
        let padding = padding.take_while(|it| **it == b'=').count();
        Some((end + padding, note))
    }

    /// Replaces what strings of the value repeat, and returns whether one does.
    pub(super) fn note_in_value(&self, value: &mut Cow<'_, Value>) -> bool {
        !self.0.is_empty() && self.note_in(value.to_mut())
    }

    fn note_in(&self, value: &mut Value) -> bool {
        let any = |is_in, it| self.note_in(it) || is_in;
        match value {
            Value::String(text) => {
                let noted = self.noted_in(text);
                noted.map(|it| *text = it).is_some()
            }
            Value::Array(items) => items.iter_mut().fold(false, any),
            Value::Object(members) => members.values_mut().fold(false, any),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}

/// Returns the end of the letters from here on.
fn run(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let letters = rest.iter().position(|it| letter(*it).is_none());
    at + letters.unwrap_or(rest.len())
}

/// Letters of Base64 in the standard alphabet, over line breaks, also those of JSON in a text, to the first other byte.
struct Letters<'t> {
    text: &'t [u8],
    /// Behind the last letter.
    at: usize,
}

impl Letters<'_> {
    fn key(&mut self) -> Option<[u8; SHARED]> {
        let mut key = [0; SHARED];
        for letter in &mut key {
            *letter = self.next()?;
        }
        Some(key)
    }
}

impl Iterator for Letters<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        loop {
            let rest = self.text.get(self.at..)?;
            self.at += match rest {
                [b'\r' | b'\n', ..] => 1,
                [b'\\', b'r' | b'n', ..] => 2,
                [b'\\', b'/', ..] => 1,
                [byte, ..] => {
                    let letter = letter(*byte)?;
                    self.at += 1;
                    return Some(letter);
                }
                [] => return None,
            };
        }
    }
}

/// The letter in the standard alphabet.
fn letter(byte: u8) -> Option<u8> {
    match byte {
        b'-' => Some(b'+'),
        b'_' => Some(b'/'),
        b'+' | b'/' => Some(byte),
        _ => byte.is_ascii_alphanumeric().then_some(byte),
    }
}
