//! The transport's facts about a request, by type.

use std::{
    any::{Any, type_name},
    borrow::Borrow,
    fmt, iter,
    marker::PhantomData,
    mem,
    sync::Arc,
};

/// The transport's facts about a request in addition to its message: one value of each type.
///
/// `mcp-http` inserts the head of the HTTP request and, with authorization, the permissions of the token. An empty map
/// allocates nothing, each value is one allocation, and clones share the values.
///
/// ```
/// use mcp_server::Extensions;
///
/// struct Tenant(u32);
///
/// let mut extensions = Extensions::new();
/// extensions.insert(Tenant(7));
/// assert_eq!(extensions.get::<Tenant>().map(|it| it.0), Some(7));
/// ```
#[derive(Clone, Default)]
pub struct Extensions(Option<Arc<dyn Extension>>);

/// A value, and the values that were inserted before it.
trait Extension: Send + Sync {
    fn value(&self) -> &(dyn Any + Send + Sync);
    fn type_name(&self) -> &'static str;
    fn earlier(&self) -> &Extensions;
}

/// A value of type `T`, stored as a `V`.
struct Inserted<T, V> {
    value: V,
    earlier: Extensions,
    value_type: PhantomData<fn() -> T>,
}

impl<T: Send + Sync + 'static, V: Borrow<T> + Send + Sync> Extension for Inserted<T, V> {
    fn value(&self) -> &(dyn Any + Send + Sync) {
        let value: &T = self.value.borrow();
        value
    }

    fn type_name(&self) -> &'static str {
        type_name::<T>()
    }

    fn earlier(&self) -> &Extensions {
        &self.earlier
    }
}

impl Extensions {
    /// Creates an empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Inserts a value. It replaces an earlier value of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.hold::<T, T>(value);
    }

    /// Inserts a shared value. It replaces an earlier value of the same type.
    pub fn insert_arc<T: Send + Sync + 'static>(&mut self, value: Arc<T>) {
        self.hold::<T, Arc<T>>(value);
    }

    fn hold<T, V>(&mut self, value: V)
    where
        T: Send + Sync + 'static,
        V: Borrow<T> + Send + Sync + 'static,
    {
        self.0 = Some(Arc::new(Inserted {
            value,
            earlier: mem::take(self),
            value_type: PhantomData,
        }));
    }

    /// Returns whether nothing was inserted since this map was cloned from `earlier`.
    pub(crate) fn is_same(&self, earlier: &Self) -> bool {
        match (&self.0, &earlier.0) {
            (Some(own), Some(earlier)) => Arc::ptr_eq(own, earlier),
            (None, None) => true,
            _ => false,
        }
    }

    /// Returns the value of this type, if there is one.
    #[must_use]
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.iter().find_map(|it| it.value().downcast_ref())
    }

    /// Iterates over the values, starting with the one that was inserted last.
    fn iter(&self) -> impl Iterator<Item = &dyn Extension> {
        iter::successors(self.0.as_deref(), |it| it.earlier().0.as_deref())
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Vec::new();
        for it in self.iter() {
            if !names.contains(&it.type_name()) {
                names.push(it.type_name());
            }
        }
        f.debug_set().entries(names).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Extensions;

    #[test]
    fn a_value_is_found_by_its_type_and_replaced_by_the_next_of_it() {
        let mut extensions = Extensions::new();
        assert_eq!(extensions.get::<u8>(), None);
        extensions.insert(1_u8);
        extensions.insert("one");
        let before = extensions.clone();
        extensions.insert(2_u8);
        assert_eq!(extensions.get(), Some(&2_u8));
        assert_eq!(extensions.get(), Some(&"one"));
        assert_eq!(before.get(), Some(&1_u8));
        assert_eq!(format!("{before:?}"), r#"{"&str", "u8"}"#);
        assert!(before.is_same(&before.clone()) && !extensions.is_same(&before));
    }
}
