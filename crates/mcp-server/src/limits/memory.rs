//! A memory budget for everything that a process holds for clients and their requests.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bytes::Bytes;
use mcp_protocol::{ErrorObject, error::INTERNAL_ERROR};

/// Bytes of each reservation that are not counted, so that ordinary messages get through when the budget is exhausted.
/// The number of connections and calls limits these.
const FREE: usize = 64 << 10;
/// Size of a value in a parsed message, in bytes, in addition to its own text.
const VALUE: usize = 96;

/// A memory budget in bytes. Incoming messages, arguments in use, results being parsed and results being written
/// reserve memory from it. Reservations fail when the budget is exhausted. Clones share the budget.
///
/// ```
/// use mcp_server::MemoryBudget;
///
/// let budget = MemoryBudget::new(1 << 20);
/// let mut held = budget.empty_reservation();
/// assert!(held.try_grow_to(1 << 20));
/// assert!(!budget.empty_reservation().try_grow_to(1 << 20));
/// drop(held);
/// assert!(budget.empty_reservation().try_grow_to(1 << 20));
/// ```
#[derive(Debug, Clone)]
pub struct MemoryBudget(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bytes: usize,
    used: AtomicUsize,
}

impl MemoryBudget {
    /// Creates a budget of this many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Inner {
            bytes,
            used: AtomicUsize::new(0),
        }))
    }

    /// Returns an empty reservation.
    #[must_use]
    pub fn empty_reservation(&self) -> MemoryReservation {
        MemoryReservation {
            budget: self.clone(),
            bytes: 0,
        }
    }

    /// Returns the number of reserved bytes, without the uncounted part of each reservation.
    #[must_use]
    pub fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }

    /// Returns the total size of the budget, in bytes.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.0.bytes
    }

    fn take(&self, bytes: usize) -> bool {
        // Most messages are small: they need not touch what all threads share.
        if bytes == 0 {
            return true;
        }
        let used = &self.0.used;
        let fits = |used: usize| used.checked_add(bytes).filter(|it| *it <= self.0.bytes);
        used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits)
            .is_ok()
    }
}

impl Default for MemoryBudget {
    /// Returns a budget of 256 MiB.
    fn default() -> Self {
        Self::new(256 << 20)
    }
}

/// A part of a [`MemoryBudget`], released when it is dropped.
#[derive(Debug)]
pub struct MemoryReservation {
    budget: MemoryBudget,
    /// The number of bytes counted in the budget.
    bytes: usize,
}

impl MemoryReservation {
    /// Grows the reservation to a total of `bytes`. The first 64 KiB are not counted. Returns `false` and leaves the
    /// reservation unchanged if the budget is exhausted.
    #[must_use]
    pub fn try_grow_to(&mut self, bytes: usize) -> bool {
        let counted = bytes.saturating_sub(FREE);
        let more = counted.saturating_sub(self.bytes);
        if !self.budget.take(more) {
            return false;
        }
        self.bytes += more;
        true
    }

    /// Returns whether the reservation holds no counted bytes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Returns the same bytes. They hold the reservation until they are dropped, for example after being written.
    #[must_use]
    pub fn attach_to(self, bytes: Bytes) -> Bytes {
        if self.bytes == 0 {
            return bytes;
        }
        Bytes::from_owner(ReservedBytes {
            bytes,
            _reservation: self,
        })
    }
}

struct ReservedBytes {
    bytes: Bytes,
    _reservation: MemoryReservation,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for MemoryReservation {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.budget.0.used.fetch_sub(self.bytes, Ordering::Relaxed);
        }
    }
}

/// Returns the error for a request beyond the memory budget.
pub fn out_of_memory() -> ErrorObject {
    let message = "The server has no memory left for a message of this size. Send or ask for less, or try again in a few seconds.";
    ErrorObject::new(INTERNAL_ERROR, message)
}

/// Estimates the memory of a parsed message, including its text. For a small message, whose tree is never counted in a
/// budget, returns the upper bound.
#[must_use]
pub fn parsed_size_estimate(message: &[u8]) -> usize {
    let most = message.len().saturating_mul(1 + VALUE);
    if most <= FREE {
        return most;
    }
    let begins_value = |byte: &&u8| matches!(byte, b',' | b'[' | b'{');
    let values = message.iter().filter(begins_value).count();
    message.len() + values * VALUE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reserved_is_bounded_and_given_back() {
        let budget = MemoryBudget::new(1_000);
        assert_eq!(budget.limit(), 1_000);
        let mut first = budget.empty_reservation();
        assert!(first.try_grow_to(FREE + 600));
        let mut second = budget.empty_reservation();
        assert!(!second.try_grow_to(FREE + 500));
        // Ordinary messages need no budget.
        assert!(second.try_grow_to(FREE));
        assert_eq!(budget.used(), 600);
        // What was not counted is not given back.
        assert!(second.is_empty() && !first.is_empty());
        // Smaller than before takes nothing back.
        assert!(first.try_grow_to(10) && first.try_grow_to(FREE + 1_000));
        assert_eq!(budget.used(), 1_000);
        drop(first);
        assert_eq!(budget.used(), 0);
        assert!(second.try_grow_to(FREE + 1));
        let written = second.attach_to(Bytes::from_static(b"abc"));
        assert_eq!((&written[..], budget.used()), (&b"abc"[..], 1));
        drop(written);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn the_first_bytes_of_a_reservation_are_free() {
        let nothing = MemoryBudget::new(0);
        assert!(nothing.empty_reservation().try_grow_to(64 << 10));
        assert!(!nothing.empty_reservation().try_grow_to((64 << 10) + 1));
    }

    #[test]
    fn many_small_values_cost_more_than_their_text() {
        let text = format!("\"{}\"", "a".repeat(2_000));
        assert_eq!(parsed_size_estimate(text.as_bytes()), 2_002);
        assert!((12..=FREE).contains(&parsed_size_estimate(b"\"aaaaaaaaaa\"")));
        assert_eq!(
            parsed_size_estimate(&b"[1,".repeat(1_000)),
            3_000 + 2_000 * VALUE
        );
    }
}
