//! The requested part of a list, the rows that contain its page, and the call for the next page.

use std::cmp::Ordering;

use qortal_client::PageRequest;
use qortal_types::Timestamp;
use serde_json::Value;
use tool_schema::CappedInt;

use super::{Cursor, NextPage, OFFSET, Page, START_AFTER, SortKey, cursor::Keys, page::Total};
use crate::{
    ToolError,
    context::{Context, Next},
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
#[derive(Debug, Clone)]
pub(crate) struct Slice {
    pub(crate) limit: u32,
    pub(crate) offset: u32,
    /// Whether the tool has the parameter `offset`.
    has_offset: bool,
    /// The key of the last row of the page before, which is near the offset.
    start_after: Option<String>,
}

impl Slice {
    /// Creates the slice at the beginning of a list.
    pub(crate) const fn first(limit: u32) -> Self {
        Self {
            limit,
            offset: 0,
            has_offset: false,
            start_after: None,
        }
    }

    pub(crate) const fn new<const MOST: u32, const FARTHEST: u32>(
        limit: CappedInt<1, MOST>,
        offset: CappedInt<0, FARTHEST>,
    ) -> Self {
        Self {
            limit: limit.value(),
            offset: offset.value(),
            has_offset: true,
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
        let window = Window::whole(rows);
        let offset = self.offset as usize;
        let begins = match (&cursor, &self.start_after) {
            (Cursor::AfterRow(key), Some(start_after)) => {
                let begins = window.after(key, start_after, offset);
                begins.unwrap_or_else(|| lost(cx, offset))
            }
            _ => offset,
        };
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
        let rows = async |page| ask(page).await.map_err(Into::into);
        let Some(start_after) = &self.start_after else {
            let rows = rows(self.one_more(key.reverse)).await?;
            return Ok(self.of(cx, Cursor::AfterRow(key), rows));
        };
        let mut beside = BESIDE;
        loop {
            let first = self.offset.saturating_sub(beside);
            let before = self.offset - first;
            let asked = before.saturating_add(self.limit).saturating_add(beside);
            let page = PageRequest::first(asked.saturating_add(1)).with_offset(first);
            let mut window = Window::of(cx, rows(page.with_reverse(key.reverse)).await?, first);
            window.is_last = window.rows() <= asked as usize;
            let begins = window.after(&key, start_after, before as usize);
            let begins = begins.filter(|it| window.has_page(*it, self.limit));
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
        Slice::first(limit).of(cx, Cursor::Offset, rows)
    }
}

/// Notes that the last row of the page before was not found.
fn lost(cx: &Context, expected: usize) -> usize {
    cx.note(
        "The row `start_after` is no longer near `offset`, from which this page goes on: rows may come twice or be left out.",
    );
    expected
}

/// Rows of a list, in its order.
struct Window<T> {
    /// The place of the first row in the list.
    first: u32,
    items: Vec<T>,
    /// The places of unreadable rows among them.
    gaps: Vec<usize>,
    /// Number of unreadable rows whose places are unknown.
    left_out: usize,
    /// Whether the list ends with them.
    is_last: bool,
}

impl<T> Window<T> {
    /// Creates a window of the rows of the node's last response.
    fn of(cx: &Context, items: Vec<T>, first: u32) -> Self {
        let gaps = cx.gaps(items.len());
        let left_out = if gaps.is_empty() {
            cx.rows_left_out()
        } else {
            0
        };
        Self {
            first,
            items,
            gaps,
            left_out,
            is_last: false,
        }
    }

    const fn whole(items: Vec<T>) -> Self {
        Self {
            first: 0,
            items,
            gaps: Vec::new(),
            left_out: 0,
            is_last: true,
        }
    }

    fn rows(&self) -> usize {
        self.items.len().saturating_add(self.gaps.len())
    }

    /// Returns whether the rows contain the page that begins here and reveal whether there is another.
    fn has_page(&self, begins: usize, limit: u32) -> bool {
        self.is_last || self.rows().saturating_sub(begins) > limit as usize
    }

    /// Returns the place of an item among the rows.
    fn place(&self, index: usize) -> usize {
        let gaps = self.gaps.iter();
        gaps.fold(index, |place, gap| place + usize::from(*gap <= place))
    }

    /// Returns the place after the last row with this key before `expected`, or the place where it would be. Returns
    /// `None` if these rows do not contain that place.
    fn after(&self, key: &SortKey<T>, start_after: &str, expected: usize) -> Option<usize> {
        let before = expected.saturating_sub(1);
        let keys = key.of(self.items.iter());
        let of_key = keys.iter().enumerate();
        let of_key = of_key.filter(|(_, key)| *key == start_after);
        let same = of_key.map(|(index, _)| self.place(index));
        if let Some(place) = same.min_by_key(|it| it.abs_diff(before)) {
            return Some(place.saturating_add(1));
        }
        let mut has_order = true;
        let (mut less, mut until) = (0, 0);
        for it in keys.iter() {
            match key.compare(it, start_after) {
                Some(Ordering::Less) if until == less => (less, until) = (less + 1, until + 1),
                Some(Ordering::Equal) => until += 1,
                Some(Ordering::Less | Ordering::Greater) => {}
                None => has_order = false,
            }
        }
        let is_before = less == 0 && self.first > 0;
        let is_beyond = until == self.items.len() && !self.is_last;
        if !has_order || is_before || is_beyond {
            return None;
        }
        Some(expected.clamp(self.place(less), self.place(until)))
    }

    /// Takes the page that begins at a place. Every page of a list is created here.
    fn page(mut self, cx: &Context, slice: &Slice, cursor: Cursor<T>, begins: usize) -> Page<T> {
        let earlier = items_in(begins, &self.gaps).min(self.items.len());
        let is_moved = slice.has_offset && slice.offset > 0 && !self.items.is_empty();
        if matches!(cursor, Cursor::Offset) && is_moved {
            cx.note_offset();
        }
        let last = self.last_rows(cx, cursor, earlier);
        drop(self.items.drain(..earlier));
        let gaps = self.gaps.into_iter();
        let gaps: Vec<_> = gaps.filter_map(|it| it.checked_sub(begins)).collect();
        let limit = slice.limit as usize;
        let rows = self.items.len() + gaps.len() + self.left_out;
        let missing = gaps.iter().filter(|it| **it < limit).count();
        self.items.truncate(limit.saturating_sub(missing));
        let following = Following {
            call: cx.next().without(START_AFTER),
            offset: self.first.saturating_add(count(begins)),
            gaps: gaps.clone(),
            last,
        };
        let mut remainder = NextPage::of(rows > limit, count(rows.min(limit)), gaps);
        if slice.has_offset {
            remainder = remainder.followed_by(move |rows| following.after(rows));
        }
        Page {
            items: self.items,
            total: (),
            remainder,
        }
    }

    /// Returns the facts about these rows that the next page needs. `earlier` of them come before this page.
    fn last_rows(&self, cx: &Context, cursor: Cursor<T>, earlier: usize) -> LastRows {
        let (time, newest_first) = match cursor {
            Cursor::Offset => return LastRows::Counted,
            Cursor::AfterRow(key) => {
                let items = self.items.iter().skip(earlier);
                return LastRows::Keys(key.of(items));
            }
            Cursor::Pinned { time, newest_first } => (time, newest_first),
        };
        let is_open = newest_first && cx.arguments.get(BEFORE).is_none_or(Value::is_null);
        if self.is_last || (is_open && self.first > 0) {
            return LastRows::Times {
                times: self.items.iter().map(time).collect(),
                earlier,
                newest_first,
                begins_list: self.is_last,
            };
        }
        if let Some(newest) = self.items.first().and_then(time).filter(|_| is_open) {
            cx.pin_newest(newest);
        }
        LastRows::Counted
    }
}

/// Returns the number of items among the first rows.
fn items_in(rows: usize, gaps: &[usize]) -> usize {
    let gaps = gaps.iter().take_while(|it| **it < rows).count();
    rows.saturating_sub(gaps)
}

/// The rest of a list after a page.
struct Following {
    call: Next,
    /// The offset at which the page begins.
    offset: u32,
    gaps: Vec<usize>,
    last: LastRows,
}

/// The facts about the rows up to the end of a page.
enum LastRows {
    /// Only their number.
    Counted,
    /// The keys of the rows of the page.
    Keys(Keys),
    Times {
        times: Vec<Option<Timestamp>>,
        /// Number of rows before the page.
        earlier: usize,
        newest_first: bool,
        /// Whether the first row is also the first of the list.
        begins_list: bool,
    },
}

impl Following {
    /// Returns the call that continues after the first rows of the page.
    fn after(&self, rows: u32) -> Option<Next> {
        let offset = (OFFSET, self.offset.saturating_add(rows).into());
        let items = items_in(rows as usize, &self.gaps);
        let position = match &self.last {
            LastRows::Counted => None,
            LastRows::Keys(keys) => {
                // Many unreadable rows may come after it.
                let is_near = (rows as usize).saturating_sub(items) < BESIDE as usize;
                let last = items.checked_sub(1).filter(|_| is_near);
                let key = last.and_then(|it| keys.get(it));
                let key = key.filter(|it| !it.is_empty());
                key.map(|it| [offset.clone(), (START_AFTER, it.into())])
            }
            LastRows::Times {
                times,
                earlier,
                newest_first,
                begins_list,
            } => {
                let shown = times.get(..earlier + items)?;
                let last = shown.last().copied().flatten();
                let same = shown.iter().filter(|it| **it == last).count();
                // Other rows with the same time may come before the known ones.
                let last = last.filter(|_| *begins_list || same < shown.len());
                last.map(|last| {
                    let edge = match newest_first {
                        true => (BEFORE, after(last).into()),
                        false => (AFTER, last.to_string().into()),
                    };
                    [edge, (OFFSET, same.into())]
                })
            }
        };
        Some(match position {
            Some(position) => self.call.with(position),
            None => self.call.with([offset]),
        })
    }
}
