//! A part of a chain: the embedded one, which is parsed when it is first looked at, or one made of it.

use std::ops::Deref;
use std::sync::LazyLock;

/// A table, or another part of a chain. Starting a node costs nothing for the parts that are not asked for.
#[derive(Debug, Clone)]
pub(crate) enum Part<T: 'static> {
    /// Embedded in this crate, or made by it; read once in a process.
    Recorded(&'static LazyLock<T>),
    /// Of a shorter chain.
    Own(T),
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Recorded(part) => part,
            Self::Own(part) => part,
        }
    }
}

impl<T: Clone> Part<T> {
    /// The part to change it: a copy of what was recorded.
    pub(crate) fn own(&mut self) -> &mut T {
        if let Self::Recorded(part) = self {
            *self = Self::Own(T::clone(part));
        }
        match self {
            Self::Own(part) => part,
            Self::Recorded(_) => unreachable!("it was made an own one just now"),
        }
    }
}

impl<T: Clone> Part<Vec<T>> {
    /// A table without rows.
    pub(crate) fn empty() -> Self {
        Self::Own(Vec::new())
    }

    /// The rows that are to be kept.
    pub(crate) fn only(&self, keep: impl Fn(&T) -> bool) -> Self {
        Self::Own(self.iter().filter(|row| keep(row)).cloned().collect())
    }
}
