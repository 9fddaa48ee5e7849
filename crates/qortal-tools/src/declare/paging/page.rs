//! A page as a part of an answer: its rows, and the call for more.

use std::fmt;

use serde_json::Value;
use tool_schema::{JsonWriter, Object, Output, Property};

use super::OFFSET;
use crate::{
    context::{Context, Next},
    declare::{Qortal, count},
    support::untrusted::write_whole,
};

/// The field that reports whether there is more.
pub(in crate::declare) const TRUNCATED: &str = "truncated";

/// Returns the call that continues after the first rows of a page, if there is one.
type After = Box<dyn Fn(u32) -> Option<Next> + Send + Sync>;

/// The fields `truncated` and `next`: whether an answer leaves something out, and the call for it. They come after the
/// list or lists that they describe.
///
/// The doc comment of a field of this type becomes the description of `truncated`.
#[derive(Default)]
pub(crate) struct NextPage {
    pub(crate) truncated: bool,
    /// Whether there is more after the page.
    pub(super) is_more: bool,
    /// The number of the node's rows in the page.
    pub(super) rows: u32,
    /// The place of each item among them, if it is not the index: others have no item here.
    pub(super) places: Vec<usize>,
    /// The call for the rest. `None` if the page cannot be cut.
    pub(super) after: Option<After>,
}

impl NextPage {
    /// Creates the continuation of a page of `rows` rows.
    pub(crate) fn new(
        is_more: bool,
        rows: u32,
        after: impl Fn(u32) -> Option<Next> + Send + Sync + 'static,
    ) -> Self {
        Self {
            truncated: is_more,
            is_more,
            rows,
            places: Vec::new(),
            after: Some(Box::new(after)),
        }
    }

    /// Combines the continuations of two lists whose pages begin at the same place.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            truncated: self.truncated || other.truncated,
            is_more: self.is_more || other.is_more,
            rows: self.rows.max(other.rows),
            places: Vec::new(),
            after: self.after.or(other.after),
        }
    }

    /// Returns the number of rows before the item after the first `shown` ones.
    fn rows_before(&self, shown: usize) -> u32 {
        count(self.places.get(shown).copied().unwrap_or(shown))
    }
}

impl fmt::Debug for NextPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NextPage")
            .field("truncated", &self.truncated)
            .finish_non_exhaustive()
    }
}

impl Output<Qortal> for NextPage {
    fn schema() -> Object {
        <bool as Output<Qortal>>::schema()
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        json.boolean(self.truncated);
    }

    fn write_field(&self, _: &str, json: &mut JsonWriter) {
        let cut = json.pages.cut.take();
        Output::<Qortal>::write_field(&(self.truncated || cut.is_some()), TRUNCATED, json);
        let rows = match cut {
            Some(shown) => self.rows_before(shown),
            None if self.is_more => self.rows,
            None => 0,
        };
        // There is no next page after one whose rows were all unreadable.
        let after = self.after.as_ref().filter(|_| rows > 0);
        let next = after.and_then(|after| after(rows));
        Output::<Qortal>::write_field(&next, "next", json);
    }

    fn add_properties(_: &str, doc: &'static str, members: &mut Vec<Property>) {
        <bool as Output<Qortal>>::add_properties(TRUNCATED, doc, members);
        let next = "The call for more rows.";
        <Option<Next> as Output<Qortal>>::add_properties("next", next, members);
    }
}

/// The rows of a page whose [`NextPage`] is another field, possibly shared with other lists.
#[derive(Debug)]
pub(crate) struct Rows<T>(pub(crate) Vec<T>);

impl<T> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T: Output<Qortal>> Output<Qortal> for Rows<T> {
    fn schema() -> Object {
        Vec::<T>::schema()
    }

    fn nested_properties() -> Vec<Property> {
        Vec::<T>::nested_properties()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        write_rows(&self.0, usize::MAX, member, json);
    }
}

/// Writes the items of a page that an answer has room for, at least one for each page.
fn write_rows<T: Output<Qortal>>(
    items: &[T],
    most_bytes: usize,
    member: &str,
    json: &mut JsonWriter,
) {
    let mut shown = 0;
    json.array(|json| {
        // Measured in full, so that a page has the same rows at any level of detail.
        let mut bytes = 0_usize;
        for item in items.iter().take(json.pages.most) {
            let before = json.bytes();
            json.begin_item();
            let first = json.bytes_in_full();
            item.write(member, json);
            bytes = bytes.saturating_add(json.bytes_in_full() - first);
            if bytes > most_bytes && shown > 0 {
                json.forget_after(before);
                return;
            }
            shown += 1;
        }
    });
    json.pages.record(shown, items.len());
    if shown < items.len() {
        json.notes.add(format!("This answer has room for {shown} of the {} rows. In a shell, `qortal-mcp call TOOL --all --output FILE` writes all rows.", items.len()));
    }
}

/// A text that continues in another answer.
#[derive(Debug)]
pub(crate) struct Characters(pub(crate) String);

impl Output<Qortal> for Characters {
    fn schema() -> Object {
        <String as Output<Qortal>>::schema()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        let characters = self.0.chars().count();
        let mut ends = self.0.char_indices().map(|(end, _)| end);
        let end = ends.nth(json.pages.most).unwrap_or(self.0.len());
        write_whole(self.0.get(..end).unwrap_or_default(), member, json);
        json.pages
            .record(characters.min(json.pages.most), characters);
    }
}

/// A part of a list: its items, `total` if the length of the list is known, and the [`NextPage`].
#[derive(Debug)]
pub(crate) struct Page<T, N = ()> {
    pub(crate) items: Vec<T>,
    pub(crate) total: N,
    pub(crate) remainder: NextPage,
}

impl<T, N> Page<T, N> {
    /// Converts each item of the page.
    pub(crate) fn map<U>(self, mut into: impl FnMut(T) -> U) -> Page<U, N> {
        self.filter_map(|it| Some(into(it)))
    }

    /// Converts each item of the page, and drops those that map to `None`.
    pub(crate) fn filter_map<U>(self, mut into: impl FnMut(T) -> Option<U>) -> Page<U, N> {
        let items = self.items.into_iter().zip(self.remainder.places);
        let items = items.filter_map(|(item, place)| Some((into(item)?, place)));
        let (items, places) = items.unzip();
        Page {
            items,
            total: self.total,
            remainder: NextPage {
                places,
                ..self.remainder
            },
        }
    }

    /// Sets the number of all items of the list.
    pub(crate) fn with_total<M>(self, total: M) -> Page<T, M> {
        Page {
            items: self.items,
            total,
            remainder: self.remainder,
        }
    }

    /// Marks the page as continued if `is_more`.
    pub(crate) fn or_more(mut self, is_more: bool) -> Self {
        self.remainder.truncated |= is_more;
        self.remainder.is_more |= is_more;
        self
    }

    /// Continues a part of a list with the next part, in which an argument differs, after its last page.
    pub(crate) fn followed_by(mut self, cx: &Context, changed: Option<(&str, Value)>) -> Self {
        let Some(changed) = changed.filter(|_| !self.remainder.is_more) else {
            return self;
        };
        let call = cx.next().without(OFFSET).with([changed]);
        let (rows, after) = (self.remainder.rows, self.remainder.after.take());
        self.remainder.rows = rows.max(1);
        self.remainder.after = Some(Box::new(move |shown| match &after {
            Some(after) if shown < rows => after(shown),
            Some(_) | None => Some(call.with([])),
        }));
        self.or_more(true)
    }

    /// Keeps the first items of the page. The next page has the rest.
    pub(crate) fn shortened_to(mut self, shown: usize) -> Self {
        if shown < self.items.len() {
            self.items.truncate(shown);
            self.remainder.rows = self.remainder.rows_before(shown);
            return self.or_more(true);
        }
        self
    }

    /// Continues a list whose start is set by a parameter: the value after the first rows of the page.
    pub(crate) fn beginning_at(
        mut self,
        cx: &Context,
        parameter: &'static str,
        start: impl Fn(u32) -> u32 + Send + Sync + 'static,
    ) -> Self {
        let call = cx.next();
        let after = move |rows| Some(call.with([(parameter, start(rows).into())]));
        self.remainder.after = Some(Box::new(after));
        self
    }
}

/// The number of all rows of a list that arrived whole, for pages that report it.
pub(crate) trait Total {
    fn of(rows: u32) -> Self;
}

impl Total for () {
    fn of(_: u32) -> Self {}
}

impl Total for u32 {
    fn of(rows: u32) -> Self {
        rows
    }
}

impl Total for Option<u32> {
    fn of(rows: u32) -> Self {
        Some(rows)
    }
}

impl<T: Output<Qortal>, N: Output<Qortal>> Output<Qortal> for Page<T, N> {
    fn schema() -> Object {
        Vec::<T>::schema()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        write_rows(&self.items, json.pages.bytes, member, json);
    }

    fn write_field(&self, name: &str, json: &mut JsonWriter) {
        json.begin_field(name);
        self.write(name, json);
        self.total.write_field("total", json);
        self.remainder.write_field("", json);
    }

    fn add_properties(name: &str, doc: &'static str, members: &mut Vec<Property>) {
        Vec::<T>::add_properties(name, doc, members);
        N::add_properties("total", "How many there are in all.", members);
        NextPage::add_properties("", "Whether there are more.", members);
    }
}

/// An unknown total, which adds no field.
impl Output<Qortal> for () {
    fn schema() -> Object {
        Object::new()
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        json.null();
    }

    fn write_field(&self, _: &str, _: &mut JsonWriter) {}

    fn add_properties(_: &str, _: &'static str, _: &mut Vec<Property>) {}
}
