//! Searches in lists the node cannot search.

pub(crate) use qortal_search::Words;

use crate::declare::Context;

/// Notes that only the first `most` items of a list were searched, if it may have more.
pub(crate) fn note_searched(cx: &Context, length: usize, most: u32) {
    if length >= most as usize {
        cx.note(format!(
            "Only the first {most} of the node's list were searched."
        ));
    }
}
