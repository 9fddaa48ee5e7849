//! Writing an answer as JSON text, without a tree of values in between.

use std::{fmt::Display, io::Write};

use serde_json::{Value, to_writer};

use crate::{Object, OutputNotes, types::SAFE};

/// How much of an answer is written.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OutputDetail {
    /// What every answer of this kind has.
    #[default]
    Usual,
    /// Without the members that are only there [in full](crate::Property::only_in_full).
    Summary,
    /// Everything.
    Full,
}

/// How much is written of lists that go on in another answer.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Pages {
    /// The most items of each.
    pub most: usize,
    /// The most bytes of the items of a list, where that goes on wherever it is cut.
    pub bytes: usize,
    /// The most items that one was written with.
    pub longest: usize,
    /// How many items were written of a list that has more, until what is said of that was written.
    pub cut: Option<usize>,
}

impl Default for Pages {
    fn default() -> Self {
        Self {
            most: usize::MAX,
            bytes: usize::MAX,
            longest: 0,
            cut: None,
        }
    }
}

impl Pages {
    /// Says how many items of a list were written, of so many.
    pub fn record(&mut self, shown: usize, all: usize) {
        self.longest = self.longest.max(shown);
        if shown < all {
            self.cut = Some(shown);
        }
    }
}

/// Writes JSON, and collects what has to be said about it.
///
/// Values follow names in an object and items in an array; commas and colons are its own business. What is written in that
/// order is valid JSON.
///
/// ```
/// let mut json = tool_schema::JsonWriter::default();
/// json.object(|json| {
///     json.begin_field("title");
///     json.string("\"Emma\"");
///     json.begin_field("years");
///     json.array(|json| {
///         for year in [1815, 1816] {
///             json.begin_item();
///             json.unsigned(year);
///         }
///     });
/// });
/// let (text, _) = json.finish();
/// assert_eq!(text, r#"{"title":"\"Emma\"","years":[1815,1816]}"#);
/// ```
#[derive(Debug, Default)]
pub struct JsonWriter {
    text: Vec<u8>,
    extent: OutputDetail,
    depth: usize,
    lists: usize,
    left_out: usize,
    /// How much is written of lists that go on in another answer.
    #[doc(hidden)]
    pub pages: Pages,
    /// What has to be said about the answer.
    pub notes: OutputNotes,
}

/// Room for most answers.
const USUAL_BYTES: usize = 512;

/// The note on parts that are left out.
const TOO_DEEP: &str = "Parts that are nested more than 100 levels deep are {}.";

impl JsonWriter {
    /// The deepest that values of others are nested in an answer: parsers of JSON have limits, some of 128 levels.
    #[doc(hidden)]
    pub const DEEPEST: usize = 100;

    /// A writer of this much of an answer.
    #[must_use]
    #[doc(hidden)]
    pub fn new(extent: OutputDetail) -> Self {
        Self {
            text: Vec::with_capacity(USUAL_BYTES),
            extent,
            ..Self::default()
        }
    }

    /// How much is written.
    #[must_use]
    #[doc(hidden)]
    pub const fn detail_level(&self) -> OutputDetail {
        self.extent
    }

    /// Whether what is written next is in a list.
    #[must_use]
    #[doc(hidden)]
    pub const fn is_in_list(&self) -> bool {
        self.lists > 0
    }

    /// How many objects and arrays are open.
    #[must_use]
    #[doc(hidden)]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// How many bytes were written so far.
    #[doc(hidden)]
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns the number of bytes with everything that was [skipped](Self::skip).
    #[doc(hidden)]
    #[must_use]
    pub const fn bytes_in_full(&self) -> usize {
        self.text.len() + self.left_out
    }

    /// Counts the members that `write` writes, which are not in the answer.
    #[doc(hidden)]
    pub fn skip(&mut self, write: impl FnOnce(&mut Self)) {
        let before = self.text.len();
        write(self);
        self.left_out += self.text.len() - before;
        self.text.truncate(before);
    }

    /// Forgets what was written after the first `bytes`: whole items at the end of an array, or whole members of an object.
    #[doc(hidden)]
    pub fn forget_after(&mut self, bytes: usize) {
        self.text.truncate(bytes);
    }

    /// Writes an object, whose members `write` writes. Objects and arrays that would be nested more than [`DEEPEST`](Self::DEEPEST) deep
    /// are null, which is noted.
    pub fn object(&mut self, write: impl FnOnce(&mut Self)) {
        if self.is_too_deep() {
            return;
        }
        self.open(b'{');
        write(self);
        self.close(b'}');
    }

    /// Writes an array, whose items `write` writes, within the same depth.
    pub fn array(&mut self, write: impl FnOnce(&mut Self)) {
        if self.is_too_deep() {
            return;
        }
        self.open(b'[');
        self.lists += 1;
        write(self);
        self.lists -= 1;
        self.close(b']');
    }

    /// Begins a member of an object; its value comes next.
    pub fn begin_field(&mut self, name: &str) {
        self.separate(b'{');
        self.string(name);
        self.text.push(b':');
    }

    /// Begins a member whose name is in two parts, of which the end needs no escapes.
    #[doc(hidden)]
    pub fn name_parts(&mut self, beginning: &str, end: &str) {
        self.separate(b'{');
        self.string(beginning);
        self.text.pop();
        self.text.extend_from_slice(end.as_bytes());
        self.text.extend_from_slice(b"\":");
    }

    /// Begins an item of an array; its value comes next.
    pub fn begin_item(&mut self) {
        self.separate(b'[');
    }

    /// Writes a text.
    pub fn string(&mut self, text: &str) {
        done(to_writer(&mut self.text, text));
    }

    /// Writes what is shown as ASCII without quotes, backslashes and control characters, such as a number or an address, as a
    /// text.
    pub fn ascii_string(&mut self, shown: &impl Display) {
        self.text.push(b'"');
        let first = self.text.len();
        done(write!(self.text, "{shown}"));
        debug_assert!(
            self.text.iter().skip(first).all(|it| is_plain(*it)),
            "{shown} has to be escaped"
        );
        self.text.push(b'"');
    }

    /// Writes a whole number.
    pub fn integer(&mut self, number: i64) {
        done(to_writer(&mut self.text, &number));
    }

    /// Writes a whole number that is not negative.
    pub fn unsigned(&mut self, number: u64) {
        done(to_writer(&mut self.text, &number));
    }

    /// Notes the digits of an integer beyond 2^53, which programs in JavaScript round.
    pub(crate) fn note_integer(&mut self, number: &serde_json::Number, place: &str) {
        let is_safe = number
            .as_i64()
            .is_some_and(|it| (-SAFE..=SAFE).contains(&it));
        if !is_safe {
            self.notes.add(format!("{place} is exactly {number}."));
        }
    }

    /// Writes true or false.
    pub fn boolean(&mut self, it: bool) {
        let word: &[u8] = if it { b"true" } else { b"false" };
        self.text.extend_from_slice(word);
    }

    /// Writes null.
    pub fn null(&mut self) {
        self.text.extend_from_slice(b"null");
    }

    /// Writes a value, within the same depth.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Object(members) => self.members(members),
            Value::Array(items) => self.array(|json| {
                for item in items {
                    json.begin_item();
                    json.value(item);
                }
            }),
            Value::String(text) => self.string(text),
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                done(to_writer(&mut self.text, value));
            }
        }
    }

    /// Writes an object of values, as [`value`](Self::value) does.
    pub fn members(&mut self, members: &Object) {
        self.object(|json| {
            for (name, value) in members {
                json.begin_field(name);
                json.value(value);
            }
        });
    }

    /// The JSON, and what has to be said about it.
    #[must_use]
    #[doc(hidden)]
    pub fn finish(self) -> (String, OutputNotes) {
        let text = String::from_utf8(self.text);
        let text = text.expect("texts and ASCII alone are written");
        (text, self.notes)
    }

    /// Writes null in the place of what would be nested too deep.
    fn is_too_deep(&mut self) -> bool {
        let is_too_deep = self.depth >= Self::DEEPEST;
        if is_too_deep {
            self.null();
            self.notes.add_field(TOO_DEEP, "null");
        }
        is_too_deep
    }

    fn open(&mut self, bracket: u8) {
        self.depth += 1;
        self.text.push(bracket);
    }

    fn close(&mut self, bracket: u8) {
        self.depth -= 1;
        self.text.push(bracket);
    }

    /// No value ends with the bracket that begins one, so that it is the beginning of what is open.
    fn separate(&mut self, bracket: u8) {
        if self.text.last().is_some_and(|it| *it != bracket) {
            self.text.push(b',');
        }
    }
}

/// Memory takes what is written.
fn done<E: std::fmt::Debug>(written: Result<(), E>) {
    debug_assert!(written.is_ok(), "{written:?}");
}

fn is_plain(byte: u8) -> bool {
    (byte.is_ascii_graphic() || byte == b' ') && !matches!(byte, b'"' | b'\\')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_written_as_serde_writes_them() {
        let value =
            json!({"a": [1, -2, 2.5, null, true, "é\n\u{1F600}\""], "b": {}, "c": [], "": [[{}]]});
        let mut json = JsonWriter::default();
        json.value(&value);
        assert_eq!(json.finish().0, value.to_string());
    }

    #[test]
    fn what_is_nested_too_deep_is_null() {
        let nested = |levels| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        for (levels, is_whole) in [
            (JsonWriter::DEEPEST, true),
            (JsonWriter::DEEPEST + 1, false),
        ] {
            let mut json = JsonWriter::default();
            json.value(&nested(levels));
            let (text, _) = json.finish();
            let whole = nested(levels).to_string();
            assert_eq!(text == whole, is_whole);
            assert_eq!(text.contains("null"), !is_whole);
            serde_json::from_str::<Value>(&text).unwrap();
        }
    }

    #[test]
    fn what_is_left_out_or_forgotten_leaves_valid_json() {
        let mut json = JsonWriter::default();
        json.object(|json| {
            json.skip(|json| {
                json.begin_field("first");
                json.unsigned(1);
            });
            json.begin_field("list");
            json.array(|json| {
                assert!(json.is_in_list());
                json.begin_item();
                json.string("kept");
                let bytes = json.bytes();
                json.begin_item();
                json.string("forgotten");
                json.forget_after(bytes);
            });
            json.name_parts("time", "Iso");
            json.ascii_string(&7);
        });
        assert_eq!(json.bytes_in_full() - json.bytes(), "\"first\":1".len());
        assert_eq!(json.finish().0, r#"{"list":["kept"],"timeIso":"7"}"#);
    }
}
