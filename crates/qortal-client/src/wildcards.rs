//! Searches for `%` and `_`, which the Core takes for wildcards and which cannot be escaped.

use crate::{Endpoint, Node, NodeError, Observation, Page, answer::Record, call::Call};

/// Rows of the first request: in most searches a wildcard stands for nothing but itself.
const FEWEST_ROWS: u32 = 100;
/// Rows of any request. A row has a few hundred bytes, at most 4,500.
const MOST_ROWS: u32 = 1_000;
/// Rows of all requests: a text of nothing but wildcards finds all that there are, for which the node needs many seconds.
const MOST_READ: u32 = 2_000;

/// Whether the Core takes a character of a text for a wildcard: `%` for any text, `_` for any character. A backslash is a
/// letter for it.
pub(crate) fn has_wildcard(text: &str) -> bool {
    text.contains(['%', '_'])
}

/// Whether a text contains another or begins with it, without regard to case.
pub(crate) fn finds(text: &str, wanted: &str, prefix: bool) -> bool {
    let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
    if prefix {
        text.starts_with(&wanted)
    } else {
        text.contains(&wanted)
    }
}

impl Node {
    /// Returns a page of the rows that fit, out of the first ones that the Core finds; [observers](Node::observed) are told if it finds
    /// more than are read. A wildcard stands for itself too, so that it finds all that fit, and others.
    pub(crate) async fn find_exactly<T: Record>(
        &self,
        endpoint: Endpoint,
        page: Page,
        call: impl Fn(Page) -> Call,
        fits: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>, NodeError> {
        // A limit that cannot be sent is refused as everywhere.
        if page.limit == 0 {
            return self.list(call(page)).await;
        }
        let end = page.offset.saturating_add(page.limit);
        let first = Page::first(end.clamp(FEWEST_ROWS, MOST_ROWS));
        let mut asked = first.with_reverse(page.reverse);
        let (mut rows, mut skipped) = (Vec::new(), 0);
        loop {
            // Its gaps are not those of the page.
            let read = self.read(call(asked), Self::rows::<T>).await?;
            let found = read.places();
            for row in read.into_iter().filter(&fits) {
                if skipped < page.offset {
                    skipped += 1;
                } else {
                    rows.push(row);
                }
            }
            rows.truncate(page.limit as usize);
            if rows.len() == page.limit as usize || found < asked.limit as usize {
                return Ok(rows);
            }
            asked = asked.next();
            let left = MOST_READ.saturating_sub(asked.offset);
            if left == 0 {
                let limit = MOST_READ as usize;
                self.note(Observation::TooManyRows { endpoint, limit });
                return Ok(rows);
            }
            asked = asked.with_limit(left.min(MOST_ROWS));
        }
    }
}
