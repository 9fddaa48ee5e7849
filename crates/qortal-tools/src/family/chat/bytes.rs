//! The size limit of answers with messages.

use crate::declare::Reply;

/// The approximate bytes of all messages of one answer; the rest is left for the next page.
pub(super) const MOST_BYTES: usize = 10_000;
/// Bytes of a message besides text and names: addresses, times, references and a signature of 88 characters.
pub(super) const FIXED_BYTES: usize = 420;

/// Notes how much of a page was left out because of its size.
pub(super) fn cut<T>(reply: Reply<T>, left_out: usize) -> Reply<T> {
    match left_out {
        0 => reply,
        left_out => reply.note(format!(
            "{left_out} more of this page are left out to keep this answer near {MOST_BYTES} bytes. next returns them."
        )),
    }
}
