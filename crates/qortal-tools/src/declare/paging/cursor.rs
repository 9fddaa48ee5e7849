//! The continuation of a list after a page, while rows are added and removed.

use std::{borrow::Cow, cmp::Ordering};

use qortal_client::api::transactions::Transaction;
use qortal_types::{Amount, Timestamp};

use crate::support::untrusted::clean;

/// The parameter with the key of the last row of the page before.
pub(crate) const START_AFTER: &str = "start_after";

/// Maximum length of a key, in characters. A longer one would be tedious to copy. The names of accounts and groups are
/// shorter.
const MOST_KEY: usize = 60;

/// The usual upper bound on the length of a key, in characters.
const USUAL_KEY: usize = 16;

/// The keys of rows, concatenated in one text.
pub(super) struct Keys {
    text: String,
    /// The end of each key.
    ends: Vec<usize>,
}

impl Keys {
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let before = index.checked_sub(1).and_then(|it| self.ends.get(it));
        let begin = before.copied().unwrap_or(0);
        self.text.get(begin..*self.ends.get(index)?)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|it| self.get(it))
    }
}

/// The method of finding the next page of a list. `catalog/cursor.rs` has the reason for each tool.
pub(crate) enum Cursor<T> {
    /// Skips as many rows as have been shown.
    Offset,
    /// Continues after the last row of this page, wherever it is by then.
    AfterRow(SortKey<T>),
    /// Skips rows from a fixed newest row: the newest one of the first page, or one at the time of the last row of this page.
    Pinned {
        time: fn(&T) -> Option<Timestamp>,
        newest_first: bool,
    },
}

impl<T> Cursor<T> {
    /// Returns the cursor of a list by time.
    pub(crate) const fn by_time(newest_first: bool, time: fn(&T) -> Option<Timestamp>) -> Self {
        Self::Pinned { time, newest_first }
    }
}

/// The keys of the rows of a list, and their order.
pub(crate) struct SortKey<T> {
    by: By,
    /// Whether the list is read from its end.
    pub(super) reverse: bool,
    key: fn(&T) -> Cow<'_, str>,
}

/// The order of a list by the keys of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// By code points: the Core's order of names.
    Characters,
    /// By upper-case characters: the Core's order of the names of groups (collation `SQL_TEXT_UCC`).
    Letters,
    /// By the number that each key begins with.
    Number,
    /// By something else, so that a removed row leaves no trace of its place.
    Other,
}

impl<T> SortKey<T> {
    pub(crate) const fn new(by: By, reverse: bool, key: fn(&T) -> Cow<'_, str>) -> Self {
        Self { by, reverse, key }
    }

    /// Returns the keys of rows in their displayed form, so that they can be copied.
    pub(super) fn of<'a>(&self, rows: impl ExactSizeIterator<Item = &'a T>) -> Keys
    where
        T: 'a,
    {
        let mut keys = Keys {
            text: String::with_capacity(rows.len().saturating_mul(USUAL_KEY)),
            ends: Vec::with_capacity(rows.len()),
        };
        for row in rows {
            let key = (self.key)(row);
            let shown = clean(&key);
            let end = shown.char_indices().nth(MOST_KEY);
            let end = end.map_or(shown.len(), |(end, _)| end);
            keys.text.push_str(shown.get(..end).unwrap_or_default());
            keys.ends.push(keys.text.len());
        }
        keys
    }

    /// Compares two keys. Returns `None` if the order does not determine the result.
    pub(super) fn compare(&self, left: &str, right: &str) -> Option<Ordering> {
        let number = |it: &str| it.split(' ').next()?.parse::<Amount>().ok();
        let order = match self.by {
            By::Characters => left.cmp(right),
            By::Letters => left.to_uppercase().cmp(&right.to_uppercase()),
            By::Number => number(left)?.cmp(&number(right)?),
            By::Other => return None,
        };
        Some(if self.reverse { order.reverse() } else { order })
    }
}

impl SortKey<Transaction> {
    /// Orders transactions by creation time, then by signature.
    pub(crate) const fn by_time(reverse: bool) -> Self {
        Self {
            // The numbers have the same number of digits.
            by: By::Characters,
            reverse,
            key: |it| {
                let signature = it.signature.as_ref().map(ToString::to_string);
                let signature = signature.unwrap_or_default();
                let beginning = signature.get(..8).unwrap_or_default();
                format!("{} {beginning}", it.timestamp.millis()).into()
            },
        }
    }
}
