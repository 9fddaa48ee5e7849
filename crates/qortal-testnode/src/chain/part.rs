//! A part of a chain: the embedded one, which is parsed when it is first looked at, or one made of it.

use std::{
    ops::Deref,
    sync::{Arc, LazyLock},
};

/// What makes a part when it is first looked at.
type Make<T> = Box<dyn FnOnce() -> T + Send>;

/// A table, or another part of a chain. Starting a node costs nothing for the parts that are not asked for.
#[derive(Debug)]
pub(crate) enum Part<T: 'static> {
    /// Embedded in this crate, or made by it; read once in a process.
    Recorded(&'static LazyLock<T>),
    /// Made for one chain when it is first looked at.
    Later(Arc<LazyLock<T, Make<T>>>),
    /// Of a shorter chain.
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
    /// A part that `make` makes when it is first looked at.
    pub(crate) fn later(make: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::Later(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl<T: Clone> Part<T> {
    /// The part to change it: a copy of what was recorded.
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
    /// The rows that are to be kept.
    pub(crate) fn only(&self, keep: impl Fn(&T) -> bool) -> Self {
        Self::Own(self.iter().filter(|row| keep(row)).cloned().collect())
    }
}
