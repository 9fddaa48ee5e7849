//! The requested part of a list, the rows that contain its page, and the call for the next page.

use std::cmp::Ordering;

use qortal_client::PageRequest;
use serde_json::Value;
use tool_schema::CappedInt;

use super::{Cursor, NextPage, OFFSET, Page, START_AFTER, SortKey, page::Total};
use crate::{
    ToolError,
    context::Context,
    declare::{
        count,
        range::{AFTER, BEFORE, after},
    },
};

/// Number of extra rows requested on either side of a page, to find the last row of the page before. It allows for the
/// rows that are added and removed while a client reads.
const BESIDE: u32 = 10;

/// Number of extra rows in the second request, if the first does not contain that row.
const FAR: u32 = 200;

/// The requested part of a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slice {
    pub(crate) limit: u32,
    pub(crate) offset: u32,
    /// The key of the last row of the page before, which is near the offset.
    start_after: Option<String>,
}

impl Slice {
    pub(crate) const fn new<const MOST: u32, const FARTHEST: u32>(
        limit: CappedInt<1, MOST>,
        offset: CappedInt<0, FARTHEST>,
    ) -> Self {
        Self {
            limit: limit.value(),
            offset: offset.value(),
            start_after: None,
        }
    }

    /// Sets the key of the row to continue after.
    pub(crate) fn start_after(self, start_after: Option<String>) -> Self {
        let start_after = start_after.filter(|it| !it.is_empty());
        Self {
            start_after,
            ..self
        }
    }

    /// Returns whether the slice is at the beginning of the list.
    pub(crate) const fn is_first(&self) -> bool {
        self.offset == 0 && self.start_after.is_none()
    }

    /// Lowers the limit to one that the node sets in this case, with a note.
    pub(crate) fn at_most(&self, cx: &Context, most: u32, case: &str) -> Self {
        let limit = self.limit;
        if limit > most {
            if !cx.chooses_limit {
                cx.note(format!(
                    "limit was sent as {limit} and lowered to {most}, the most it can be {case}."
                ));
            }
            cx.pin("limit", most.into());
        }
        Self {
            limit: limit.min(most),
            ..self.clone()
        }
    }

    /// Returns the page request for one row more than wanted, which reveals whether there is more.
    pub(crate) fn one_more(&self, reverse: bool) -> PageRequest {
        PageRequest::first(self.limit.saturating_add(1))
            .with_offset(self.offset)
            .with_reverse(reverse)
    }

    /// Returns the page of rows that were requested with [`Slice::one_more`]. An unreadable row counts as one of them:
    /// the next page begins after the last row of this one, readable or not.
    pub(crate) fn of<T>(&self, cx: &Context, cursor: Cursor<T>, rows: Vec<T>) -> Page<T> {
        Window::of(cx, rows, self.offset).page(cx, self, cursor, 0)
    }

    /// Returns the page of a list that arrived whole. Its offsets count the readable rows.
    pub(crate) fn of_whole<T, N: Total>(
        &self,
        cx: &Context,
        cursor: Cursor<T>,
        rows: Vec<T>,
    ) -> Page<T, N> {
        let total = N::of(count(rows.len()));
        let window = Window {
            first: 0,
            places: (0..rows.len()).collect(),
            rows: rows.len(),
            items: rows,
            is_last: true,
        };
        let offset = self.offset as usize;
        let begins = match &cursor {
            Cursor::AfterRow(key) => window.after(key, self, offset),
            Cursor::Offset | Cursor::Pinned(..) => Some(offset),
        };
        let begins = begins.unwrap_or_else(|| lost(cx, offset));
        window.page(cx, self, cursor, begins).with_total(total)
    }

    /// Reads the page of a list that the node pages. It takes a second request if the row to continue after is far from
    /// its earlier place.
    pub(crate) async fn read<T, E, F>(
        &self,
        cx: &Context,
        key: SortKey<T>,
        ask: impl Fn(PageRequest) -> F,
    ) -> Result<Page<T>, ToolError>
    where
        E: Into<ToolError>,
        F: Future<Output = Result<Vec<T>, E>>,
    {
        let mut beside = self.start_after.as_ref().map_or(0, |_| BESIDE);
        loop {
            let first = self.offset.saturating_sub(beside);
            let before = self.offset - first;
            let asked = before.saturating_add(self.limit).saturating_add(beside);
            let page = PageRequest::first(asked.saturating_add(1)).with_offset(first);
            let rows = ask(page.with_reverse(key.reverse)).await;
            let mut window = Window::of(cx, rows.map_err(Into::into)?, first);
            window.is_last = window.rows <= asked as usize;
            let is_enough =
                |begins: usize| window.rows > begins.saturating_add(self.limit as usize);
            let begins = window.after(&key, self, before as usize);
            let begins = begins.filter(|it| window.is_last || is_enough(*it));
            if begins.is_none() && beside < FAR {
                beside = FAR;
                continue;
            }
            let begins = begins.unwrap_or_else(|| lost(cx, before as usize));
            return Ok(window.page(cx, self, Cursor::AfterRow(key), begins));
        }
    }
}

impl<T> Page<T> {
    /// Returns the first rows of a list that was requested with one row more.
    pub(crate) fn first(cx: &Context, limit: u32, rows: Vec<T>) -> Self {
        let slice = Slice {
            limit,
            ..Slice::default()
        };
        slice.of(cx, Cursor::Offset, rows)
    }
}

/// Returns a key of [`SortKey::of`].
fn key_at<'k>(text: &'k str, ends: &[usize], index: usize) -> &'k str {
    let end = |it: usize| ends.get(it).copied();
    let start = index.checked_sub(1).and_then(end).unwrap_or(0);
    end(index).and_then(|it| text.get(start..it)).unwrap_or("")
}

/// Notes that the last row of the page before was not found.
fn lost(cx: &Context, expected: usize) -> usize {
    cx.note(
        "The row `start_after` is no longer near `offset`, from which this page continues: rows may occur twice or be missing.",
    );
    expected
}

/// The arguments for the rows after the first items of a page, given their offset. `None` if that is enough.
type Position = Box<dyn Fn(usize, u32) -> Option<[(&'static str, Value); 2]> + Send + Sync>;

/// Rows of a list, in its order.
struct Window<T> {
    /// The place of the first row in the list.
    first: u32,
    items: Vec<T>,
    /// The place of each item among the rows, of which some may be unreadable.
    places: Vec<usize>,
    /// Number of rows.
    rows: usize,
    /// Whether the list ends with them.
    is_last: bool,
}

impl<T> Window<T> {
    /// Creates a window of the rows of the node's last response.
    fn of(cx: &Context, items: Vec<T>, first: u32) -> Self {
        let gaps = cx.gaps(items.len());
        let odd = match gaps.len() {
            0 => cx.rows_left_out(),
            gaps => gaps,
        };
        let mut places = Vec::with_capacity(items.len());
        let readable = (0..).filter(|it| gaps.binary_search(it).is_err());
        places.extend(readable.take(items.len()));
        Self {
            first,
            places,
            rows: items.len().saturating_add(odd),
            items,
            is_last: false,
        }
    }

    /// Returns the place after the row that a slice continues after, which is near `expected`, or the place where the row
    /// would be. Returns `None` if these rows do not contain that place.
    fn after(&self, key: &SortKey<T>, slice: &Slice, expected: usize) -> Option<usize> {
        let Some(start_after) = &slice.start_after else {
            return Some(expected);
        };
        let before = expected.saturating_sub(1);
        let (text, ends) = key.of(&self.items);
        let keys: Vec<_> = (0..ends.len()).map(|it| key_at(&text, &ends, it)).collect();
        let same = keys.iter().zip(&self.places);
        let same = same.filter_map(|(key, place)| (key == start_after).then_some(*place));
        if let Some(place) = same.min_by_key(|it| it.abs_diff(before)) {
            return Some(place.saturating_add(1));
        }
        let orders = keys.iter().map(|it| key.compare(it, start_after));
        let orders = orders.collect::<Option<Vec<_>>>()?;
        let (equal, less) = (Ordering::Equal, Ordering::Less);
        let earlier = orders.iter().take_while(|it| **it != equal);
        let less = earlier.filter(|it| **it == less).count();
        let until = less + orders.iter().filter(|it| **it == equal).count();
        let is_before = less == 0 && self.first > 0;
        let is_beyond = until == self.items.len() && !self.is_last;
        if is_before || is_beyond {
            return None;
        }
        let place = |index| self.places.get(index).copied().unwrap_or(self.rows);
        Some(expected.clamp(place(less), place(until)))
    }

    /// Takes the page that begins at a place. Every page of a list is created here.
    fn page(self, cx: &Context, slice: &Slice, cursor: Cursor<T>, begins: usize) -> Page<T> {
        let earlier = self.places.partition_point(|it| *it < begins);
        if matches!(cursor, Cursor::Offset) && slice.offset > 0 && !self.items.is_empty() {
            cx.note_offset();
        }
        let position = self.position(cx, cursor, earlier);
        let limit = slice.limit as usize;
        let rows = self.rows.saturating_sub(begins);
        let end = self.places.partition_point(|it| *it < begins + limit);
        let places = self.places.get(earlier..end).unwrap_or_default();
        let places: Vec<_> = places.iter().map(|it| it - begins).collect();
        let mut items = self.items;
        items.truncate(end);
        items.drain(..earlier);
        let first = self.first.saturating_add(count(begins));
        let (call, known) = (cx.next().without(START_AFTER), places.clone());
        let after = move |rows: u32| {
            let offset = first.saturating_add(rows);
            let items = known.partition_point(|it| *it < rows as usize);
            // Many unreadable rows may come after the last item.
            let is_near = (rows as usize).saturating_sub(items) < BESIDE as usize;
            Some(match position(items, offset).filter(|_| is_near) {
                Some(position) => call.with(position),
                None => call.with([(OFFSET, offset.into())]),
            })
        };
        Page {
            items,
            total: (),
            remainder: NextPage {
                places,
                ..NextPage::new(rows > limit, count(rows.min(limit)), after)
            },
        }
    }

    /// Returns the position after the page, which `earlier` of these items precede.
    fn position(&self, cx: &Context, cursor: Cursor<T>, earlier: usize) -> Position {
        let (time, newest_first) = match cursor {
            Cursor::Offset => return Box::new(|_, _| None),
            Cursor::AfterRow(key) => {
                let (text, ends) = key.of(self.items.get(earlier..).unwrap_or_default());
                return Box::new(move |items, offset| {
                    let key = key_at(&text, &ends, items.checked_sub(1)?);
                    (!key.is_empty()).then(|| [(OFFSET, offset.into()), (START_AFTER, key.into())])
                });
            }
            Cursor::Pinned(newest_first, time) => (time, newest_first),
        };
        let is_open = newest_first && cx.arguments.get(BEFORE).is_none_or(Value::is_null);
        let begins_list = self.is_last;
        if begins_list || (is_open && self.first > 0) {
            let times: Vec<_> = self.items.iter().map(time).collect();
            return Box::new(move |items, _| {
                let shown = times.get(..earlier + items)?;
                let last = (*shown.last()?)?;
                let same = shown.iter().filter(|it| **it == Some(last)).count();
                let edge = match newest_first {
                    true => (BEFORE, after(last)),
                    false => (AFTER, last.to_string()),
                };
                // Other rows with the same time may come before the known ones.
                let is_known = begins_list || same < shown.len();
                is_known.then(|| [(edge.0, edge.1.into()), (OFFSET, same.into())])
            });
        }
        if let Some(newest) = self.items.first().and_then(time).filter(|_| is_open) {
            cx.pin_newest(newest);
        }
        Box::new(|_, _| None)
    }
}
