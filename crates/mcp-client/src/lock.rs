//! Locks that are held for a few statements.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Ignores poison: the data is valid after every statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
