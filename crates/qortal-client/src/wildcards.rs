//! Searches for `%` and `_`, which the Core treats as wildcards and which cannot be escaped.

use crate::{Endpoint, Node, NodeError, Observation, PageRequest, answer::Record, call::Call};

/// Rows that are looked at. A text of nothing but wildcards finds all that there are, for which the node needs seconds, each time it is asked
/// for a page of them. A row has a few hundred bytes, at most 4,500.
const MOST_ROWS: u32 = 1_000;

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
        page: PageRequest,
        call: impl Fn(PageRequest) -> Call,
        fits: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>, NodeError> {
        // A limit that cannot be sent is refused as everywhere.
        if page.limit == 0 {
            return self.list(call(page)).await;
        }
        let asked = PageRequest::first(MOST_ROWS).with_reverse(page.reverse);
        // Its gaps are not those of the page.
        let read = self.read(call(asked), Self::rows::<T>).await?;
        let limit = MOST_ROWS as usize;
        let may_be_more = read.places() >= limit;
        let rows = read.into_iter().filter(fits).skip(page.offset as usize);
        let rows: Vec<T> = rows.take(page.limit as usize).collect();
        if may_be_more && rows.len() < page.limit as usize {
            self.note(Observation::TooManyRows { endpoint, limit });
        }
        Ok(rows)
    }
}
