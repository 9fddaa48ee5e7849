//! The size limit of answers with messages.

use crate::declare::{Page, Reply};

/// The approximate bytes of all messages of one answer; the rest is left for the next page.
const MOST_BYTES: usize = 10_000;
/// Bytes of a message besides text and names: addresses, times, references and a signature of 88 characters.
pub(super) const FIXED_BYTES: usize = 420;

/// As much of a page as these bytes allow, and its first item whatever it has; and how many items come with the next page.
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

/// Notes how much of a page was left out because of its size.
pub(super) fn cut<T>(reply: Reply<T>, left_out: usize) -> Reply<T> {
    match left_out {
        0 => reply,
        left_out => reply.note(format!(
            "{left_out} more of this page are left out to keep this answer near {MOST_BYTES} bytes. next returns them."
        )),
    }
}
