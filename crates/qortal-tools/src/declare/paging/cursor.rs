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
/// Bytes that most keys fit in.
const USUAL_KEY: usize = 24;

/// The method of finding the next page of a list. `catalog/cursor.rs` has the reason for each tool.
pub(crate) enum Cursor<T> {
    /// Skips as many rows as have been shown.
    Offset,
    /// Continues after the last row of this page, wherever it is by then.
    AfterRow(SortKey<T>),
    /// Skips rows from a fixed newest row: the newest one of the first page, or one at the time of the last row of this page.
    /// A list has its newest rows first if the first field is set.
    Pinned(bool, fn(&T) -> Option<Timestamp>),
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

    /// Returns the keys of rows in their displayed form, so that they can be copied: one text, and the end of each key in it.
    pub(super) fn of(&self, rows: &[T]) -> (String, Vec<usize>) {
        let mut text = String::with_capacity(rows.len().saturating_mul(USUAL_KEY));
        let ends = rows.iter().map(|row| {
            text.extend(clean(&(self.key)(row)).chars().take(MOST_KEY));
            text.len()
        });
        let ends = ends.collect();
        (text, ends)
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
