//! Serialization of results as JSON text, without an intermediate tree of values.

use std::{fmt::Display, io::Write};

use serde_json::{Value, to_writer};

use crate::{Object, ResultNotes, types::SAFE};

/// The amount of detail in a result.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OutputDetail {
    /// The fields that every result of this kind has.
    #[default]
    Usual,
    /// The result without the fields that are present only [in full](crate::Property::only_in_full).
    Summary,
    /// All fields.
    Full,
}

/// The limits on lists that continue in another result.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Pages {
    /// Maximum number of items in each list.
    pub most: usize,
    /// Maximum size of a list's items, in bytes, if the list can continue after any item.
    pub bytes: usize,
    /// The largest number of items that was written to one list.
    pub longest: usize,
    /// The number of items that were written of an incomplete list, until the note on it is written.
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
    /// Records the number of written items of a list, and the total number.
    pub fn record(&mut self, shown: usize, all: usize) {
        self.longest = self.longest.max(shown);
        if shown < all {
            self.cut = Some(shown);
        }
    }
}

/// A JSON serializer. It also collects notes on the result.
///
/// In an object, write a name before each value. In an array, begin an item before each value. The writer adds commas
/// and colons. Calls in this order produce valid JSON.
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
    /// The limits on lists that continue in another result.
    #[doc(hidden)]
    pub pages: Pages,
    /// The notes on the result.
    pub notes: ResultNotes,
}

/// Initial capacity, sufficient for most results.
const USUAL_BYTES: usize = 512;

/// The note on omitted parts.
const TOO_DEEP: &str = "Parts that are nested more than 100 levels deep are {}.";

impl JsonWriter {
    /// Maximum nesting depth of foreign values in a result. JSON parsers have limits, some of 128 levels.
    #[doc(hidden)]
    pub const DEEPEST: usize = 100;

    /// Creates a writer with this amount of detail.
    #[must_use]
    #[doc(hidden)]
    pub fn new(extent: OutputDetail) -> Self {
        Self {
            text: Vec::with_capacity(USUAL_BYTES),
            extent,
            ..Self::default()
        }
    }

    /// Returns the amount of detail.
    #[must_use]
    #[doc(hidden)]
    pub const fn detail_level(&self) -> OutputDetail {
        self.extent
    }

    /// Returns whether the next value is inside a list.
    #[must_use]
    #[doc(hidden)]
    pub const fn is_in_list(&self) -> bool {
        self.lists > 0
    }

    /// Returns the number of open objects and arrays.
    #[must_use]
    #[doc(hidden)]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the number of bytes written so far.
    #[doc(hidden)]
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns the number of bytes including everything that was [skipped](Self::skip).
    #[doc(hidden)]
    #[must_use]
    pub const fn bytes_in_full(&self) -> usize {
        self.text.len() + self.left_out
    }

    /// Counts the fields that `write` writes, without adding them to the result.
    #[doc(hidden)]
    pub fn skip(&mut self, write: impl FnOnce(&mut Self)) {
        let before = self.text.len();
        write(self);
        self.left_out += self.text.len() - before;
        self.text.truncate(before);
    }

    /// Removes everything after the first `bytes`: complete items at the end of an array, or complete fields of an
    /// object.
    #[doc(hidden)]
    pub fn forget_after(&mut self, bytes: usize) {
        self.text.truncate(bytes);
    }

    /// Writes an object. `write` writes its fields. Objects and arrays nested more than [`DEEPEST`](Self::DEEPEST)
    /// levels deep are written as null, with a note.
    pub fn object(&mut self, write: impl FnOnce(&mut Self)) {
        if self.is_too_deep() {
            return;
        }
        self.open(b'{');
        write(self);
        self.close(b'}');
    }

    /// Writes an array, with the same maximum depth. `write` writes its items.
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

    /// Begins a field of an object. Write its value next.
    pub fn begin_field(&mut self, name: &str) {
        self.separate(b'{');
        self.string(name);
        self.text.push(b':');
    }

    /// Begins a field whose name has two parts. The second part must not need escapes.
    #[doc(hidden)]
    pub fn name_parts(&mut self, beginning: &str, end: &str) {
        self.separate(b'{');
        self.string(beginning);
        self.text.pop();
        self.text.extend_from_slice(end.as_bytes());
        self.text.extend_from_slice(b"\":");
    }

    /// Begins an item of an array. Write its value next.
    pub fn begin_item(&mut self) {
        self.separate(b'[');
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) {
        done(to_writer(&mut self.text, text));
    }

    /// Writes a value as a string. The value must format as ASCII without quotes, backslashes and control characters,
    /// such as a number or an address.
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

    /// Writes an integer.
    pub fn integer(&mut self, number: i64) {
        done(to_writer(&mut self.text, &number));
    }

    /// Writes a non-negative integer.
    pub fn unsigned(&mut self, number: u64) {
        done(to_writer(&mut self.text, &number));
    }

    /// Notes the digits of an integer beyond 2^53, which JavaScript programs round.
    pub(crate) fn note_integer(&mut self, number: &serde_json::Number, place: &str) {
        let is_safe = number
            .as_i64()
            .is_some_and(|it| (-SAFE..=SAFE).contains(&it));
        if !is_safe {
            self.notes.add(format!("{place} is exactly {number}."));
        }
    }

    /// Writes a boolean.
    pub fn boolean(&mut self, it: bool) {
        let word: &[u8] = if it { b"true" } else { b"false" };
        self.text.extend_from_slice(word);
    }

    /// Writes null.
    pub fn null(&mut self) {
        self.text.extend_from_slice(b"null");
    }

    /// Writes a value, with the same maximum depth.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Object(members) => self.object_value(members),
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

    /// Writes an object from a map of values, like [`value`](Self::value).
    pub fn object_value(&mut self, members: &Object) {
        self.object(|json| {
            for (name, value) in members {
                json.begin_field(name);
                json.value(value);
            }
        });
    }

    /// Returns the JSON text, and the notes on it.
    #[must_use]
    #[doc(hidden)]
    pub fn finish(self) -> (String, ResultNotes) {
        let text = String::from_utf8(self.text);
        let text = text.expect("texts and ASCII alone are written");
        (text, self.notes)
    }

    /// Writes null instead of a value that is nested too deeply. Returns whether it did.
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

    /// Writes a comma, unless the text ends with this opening bracket. No value ends with an opening bracket, so the
    /// bracket starts the current object or array.
    fn separate(&mut self, bracket: u8) {
        if self.text.last().is_some_and(|it| *it != bracket) {
            self.text.push(b',');
        }
    }
}

/// Asserts that writing succeeded. Writes to memory do not fail.
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
