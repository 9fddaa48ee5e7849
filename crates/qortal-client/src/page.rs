//! Paging of lists.

use crate::setters::setters;

/// A page of a list.
///
/// A limit is always sent, because without one the Core answers with everything it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Page {
    /// The maximum number of elements; 0 is rejected, since the Core treats it as "all".
    pub limit: u32,
    /// How many elements to skip.
    pub offset: u32,
    /// Whether the list is read from its end; the page is taken from the reversed list.
    pub reverse: bool,
}

setters!(Page {
    with_limit(limit: u32),
    with_offset(offset: u32),
    with_reverse(reverse: bool),
});

impl Page {
    /// The first `limit` elements.
    #[must_use]
    pub const fn first(limit: u32) -> Self {
        Self {
            limit,
            offset: 0,
            reverse: false,
        }
    }

    /// The last `limit` elements, the last one first.
    #[must_use]
    pub const fn last(limit: u32) -> Self {
        Self {
            limit,
            offset: 0,
            reverse: true,
        }
    }

    /// The page after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self {
            offset: self.offset.saturating_add(self.limit),
            ..self
        }
    }
}
