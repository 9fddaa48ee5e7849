//! How a list goes on after a page while rows come and leave.

use std::{borrow::Cow, cmp::Ordering};

use qortal_client::api::transactions::Transaction;
use qortal_types::{Amount, Timestamp};

use crate::support::untrusted::clean;

/// What the last row of the page before is known by.
pub(crate) const START_AFTER: &str = "start_after";

/// The most characters of what a row is known by: a longer one would be much to copy. The names of accounts and groups are shorter.
const MOST_KEY: usize = 60;

/// How the next page of a list is found. `catalog/cursor.rs` has the reason for each tool.
pub(crate) enum Cursor<T> {
    /// After as many rows.
    Offset,
    /// After the last row of this page, wherever it is by then.
    AfterRow(SortKey<T>),
    /// After as many rows up to the newest one that there was on the first page, or at the time of the last row of this page.
    Pinned {
        time: fn(&T) -> Option<Timestamp>,
        newest_first: bool,
    },
}

impl<T> Cursor<T> {
    /// That of a list by time.
    pub(crate) const fn by_time(newest_first: bool, time: fn(&T) -> Option<Timestamp>) -> Self {
        Self::Pinned { time, newest_first }
    }
}

/// What the rows of a list are known by, and in which order they are.
pub(crate) struct SortKey<T> {
    by: By,
    /// Whether the list is read from its end.
    pub(super) reverse: bool,
    key: fn(&T) -> Cow<'_, str>,
}

/// The order of a list, by what its rows are known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// Code points: the Core's order of names.
    Characters,
    /// Upper-case characters: the Core's order of the names of groups (collation `SQL_TEXT_UCC`).
    Letters,
    /// The number that each begins with.
    Number,
    /// Something else, so that a row that is gone leaves no place behind.
    Other,
}

impl<T> SortKey<T> {
    pub(crate) const fn new(by: By, reverse: bool, key: fn(&T) -> Cow<'_, str>) -> Self {
        Self { by, reverse, key }
    }

    /// What a row is known by, as it is shown, so that it can be copied.
    pub(super) fn of(&self, row: &T) -> String {
        let shown = (self.key)(row);
        clean(&shown).chars().take(MOST_KEY).collect()
    }

    /// `None` if the order says nothing about them.
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
    /// Transactions by the time at which they were made, and by their signatures.
    pub(crate) const fn by_time(reverse: bool) -> Self {
        Self {
            // Numbers of as many digits.
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
