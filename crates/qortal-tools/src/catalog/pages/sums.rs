//! The sums of a list that is read to its end, added up over its windows.

use std::collections::BTreeMap;

use qortal_types::Amount;
use serde_json::{Map, Value};

use crate::Object;

/// The fields of an answer that contain sums.
const MEMBERS: [&str; 2] = ["totals", "months"];
const PARTS: [&str; 4] = ["received", "paid", "fees", "net"];
const ROWS: &str = "rows";

/// The sums so far. `None` if the list has none, or if they do not cover all rows read.
#[derive(Debug)]
pub(super) struct ListSums(Option<BTreeMap<Key, Sum>>);

/// The index of the field, the month for the second field, and the coin.
type Key = (usize, String, String);

#[derive(Debug, Default)]
struct Sum {
    parts: [Amount; PARTS.len()],
    rows: u64,
}

impl Default for ListSums {
    fn default() -> Self {
        Self(Some(BTreeMap::new()))
    }
}

impl ListSums {
    /// Discards the sums.
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }

    /// Adds the sums of an answer if it begins a window, and so has those of all its rows.
    pub(super) fn add(&mut self, answer: &Object, begins: bool) {
        let sums = self.0.take();
        self.0 = match begins {
            true => sums.and_then(|sums| added(sums, answer)),
            false => sums.filter(|sums| !sums.is_empty()),
        };
    }

    /// Returns the sums in the form of answers.
    pub(super) fn lines(&self) -> Vec<Object> {
        let sums = self.0.iter().flatten();
        let lines = sums.map(|((_, month, coin), sum)| {
            let mut line = Map::new();
            if !month.is_empty() {
                line.insert("month".to_owned(), month.as_str().into());
            }
            line.insert("coin".to_owned(), coin.as_str().into());
            for (name, amount) in PARTS.iter().zip(&sum.parts) {
                line.insert((*name).to_owned(), amount.to_string().into());
            }
            line.insert(ROWS.to_owned(), sum.rows.into());
            line
        });
        lines.collect()
    }
}

/// Adds the sums of an answer. Returns `None` if it has none, or has an invalid one.
fn added(mut sums: BTreeMap<Key, Sum>, answer: &Object) -> Option<BTreeMap<Key, Sum>> {
    answer.get(MEMBERS[0])?;
    for (index, member) in MEMBERS.iter().enumerate() {
        let lines = answer.get(*member).and_then(Value::as_array);
        for line in lines.into_iter().flatten() {
            let text = |name| line.get(name).and_then(Value::as_str);
            let month = text("month").unwrap_or_default().to_owned();
            let sum = sums.entry((index, month, text("coin")?.to_owned()));
            let sum = sum.or_default();
            sum.rows = sum.rows.checked_add(line.get(ROWS)?.as_u64()?)?;
            for (name, amount) in PARTS.iter().zip(&mut sum.parts) {
                *amount = amount.checked_add(text(name)?.parse().ok()?)?;
            }
        }
    }
    Some(sums)
}
