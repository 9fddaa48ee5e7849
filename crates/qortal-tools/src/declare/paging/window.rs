//! The rows that a page is taken from, and the call for the next page.

use std::cmp::Ordering;

use qortal_types::Timestamp;
use serde_json::Value;

use super::{BESIDE, Cursor, NextPage, OFFSET, Page, START_AFTER, Slice, SortKey, cursor::Keys};
use crate::{
    context::{Context, Next},
    declare::{
        count,
        range::{AFTER, BEFORE, after},
    },
};

/// Rows of a list, in its order.
pub(super) struct Window<T> {
    /// The place of the first one in the list.
    first: u32,
    items: Vec<T>,
    /// The places among them of rows that could not be read.
    gaps: Vec<usize>,
    /// Rows that could not be read, if their places are not known.
    left_out: usize,
    /// Whether the list ends with them.
    pub(super) is_last: bool,
}

impl<T> Window<T> {
    /// The rows of the last answer of the node.
    pub(super) fn of(cx: &Context, items: Vec<T>, first: u32) -> Self {
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

    pub(super) const fn whole(items: Vec<T>) -> Self {
        Self {
            first: 0,
            items,
            gaps: Vec::new(),
            left_out: 0,
            is_last: true,
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.items.len().saturating_add(self.gaps.len())
    }

    /// Whether it has a page that begins here, and knows whether there is another.
    pub(super) fn has_page(&self, begins: usize, limit: u32) -> bool {
        self.is_last || self.rows().saturating_sub(begins) > limit as usize
    }

    /// The place of an item among the rows.
    fn place(&self, index: usize) -> usize {
        let gaps = self.gaps.iter();
        gaps.fold(index, |place, gap| place + usize::from(*gap <= place))
    }

    /// Returns the place after the row with this key that was the last one before `expected`, or the place where it would be. Returns `None`
    /// if that is not among these rows.
    pub(super) fn after(
        &self,
        key: &SortKey<T>,
        start_after: &str,
        expected: usize,
    ) -> Option<usize> {
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

    /// Takes the page that begins at a place. Every page of a list is made here.
    pub(super) fn page(
        mut self,
        cx: &Context,
        slice: &Slice,
        cursor: Cursor<T>,
        begins: usize,
    ) -> Page<T> {
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

    /// Returns the facts about these rows that the next page needs. So many of them are before this page.
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
    /// Only how many there are.
    Counted,
    /// The keys of the rows of the page.
    Keys(Keys),
    Times {
        times: Vec<Option<Timestamp>>,
        /// The number of them that are before the page.
        earlier: usize,
        newest_first: bool,
        /// Whether the first one is the first of the list.
        begins_list: bool,
    },
}

impl Following {
    /// The call for what comes after the first rows of the page.
    fn after(&self, rows: u32) -> Option<Next> {
        let offset = (OFFSET, self.offset.saturating_add(rows).into());
        let items = items_in(rows as usize, &self.gaps);
        let position = match &self.last {
            LastRows::Counted => None,
            LastRows::Keys(keys) => {
                // Of rows that cannot be read, many may come after it.
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
                // Others of that time may be before the rows that are known.
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
