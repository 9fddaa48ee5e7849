//! A part of a chain: the embedded one, which is parsed on first use, or a variant of it.

use std::{
    ops::Deref,
    sync::{Arc, LazyLock},
};

/// Function that makes a part on first use.
type Make<T> = Box<dyn FnOnce() -> T + Send>;

/// A table, or another part of a chain. Unused parts add no cost to a node's start.
#[derive(Debug)]
pub(crate) enum Part<T: 'static> {
    /// Embedded in this crate or made by it, and read once per process.
    Recorded(&'static LazyLock<T>),
    /// Made for one chain on first use.
    Later(Arc<LazyLock<T, Make<T>>>),
    /// Owned by one chain.
    Own(T),
}

impl<T: Clone> Clone for Part<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Recorded(part) => Self::Recorded(part),
            Self::Later(part) => Self::Later(Arc::clone(part)),
            Self::Own(part) => Self::Own(part.clone()),
        }
    }
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Recorded(part) => part,
            Self::Later(part) => part,
            Self::Own(part) => part,
        }
    }
}

impl<T: Default> Default for Part<T> {
    fn default() -> Self {
        Self::Own(T::default())
    }
}

impl<T> Part<T> {
    /// Creates a part that `make` makes on first use.
    pub(crate) fn later(make: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::Later(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl<T: Clone> Part<T> {
    /// Returns the part for modification. A recorded part is copied first.
    pub(crate) fn own(&mut self) -> &mut T {
        if !matches!(self, Self::Own(_)) {
            *self = Self::Own(T::clone(self));
        }
        match self {
            Self::Own(part) => part,
            Self::Recorded(_) | Self::Later(_) => {
                unreachable!("it was made an own one just now")
            }
        }
    }
}

#[cfg(feature = "scenarios")]
impl<T: Clone> Part<Vec<T>> {
    /// Returns a part with only the rows that `keep` selects.
    pub(crate) fn only(&self, keep: impl Fn(&T) -> bool) -> Self {
        Self::Own(self.iter().filter(|row| keep(row)).cloned().collect())
    }
}
