//! The size limit of answers with messages.

use crate::declare::{Page, Reply};

/// Approximate maximum size of all messages in one answer, in bytes. The rest is left for the next page.
const MOST_BYTES: usize = 10_000;
/// Size of a message besides text and names, in bytes: addresses, times, references and a signature of 88 characters.
pub(super) const FIXED_BYTES: usize = 420;

/// Returns as much of a page as these bytes allow, and at least its first item, with the number of items left for the
/// next page.
pub(super) fn within_bytes<T, N>(
    page: Page<T, N>,
    bytes: impl Fn(&T) -> usize,
) -> (Page<T, N>, usize) {
    let asked = page.items.len();
    let mut sum = 0_usize;
    let fitting = page.items.iter().take_while(|it| {
        sum = sum.saturating_add(bytes(it));
        sum <= MOST_BYTES
    });
    let fitting = fitting.count().max(1);
    let page = page.shortened_to(fitting);
    let left_out = asked - page.items.len();
    (page, left_out)
}

/// Notes how many items of a page were left out because of its size.
pub(super) fn cut<T>(reply: Reply<T>, left_out: usize) -> Reply<T> {
    match left_out {
        0 => reply,
        left_out => reply.note(format!(
            "{left_out} more of this page are left out to keep this answer near {MOST_BYTES} bytes. next returns them."
        )),
    }
}
