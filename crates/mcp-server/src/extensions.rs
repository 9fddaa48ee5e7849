//! What a transport knows about a request, by type.

use std::{
    any::{Any, TypeId, type_name},
    fmt,
    sync::Arc,
};

/// What a transport knows about a request besides its message: one value of each type.
///
/// `mcp-http` inserts the head of the HTTP request and, behind an authorization, what the token grants. An
/// empty map allocates nothing, and a clone shares the values.
#[derive(Clone, Default)]
pub struct Extensions(Option<Arc<Vec<Extension>>>);

#[derive(Clone)]
struct Extension {
    type_id: TypeId,
    type_name: &'static str,
    value: Arc<dyn Any + Send + Sync>,
}

impl Extensions {
    /// An empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Adds a value, and replaces one of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.insert_arc(Arc::new(value));
    }

    /// Adds a value that is shared with others, and replaces one of the same type.
    pub fn insert_arc<T: Send + Sync + 'static>(&mut self, value: Arc<T>) {
        let values = Arc::make_mut(self.0.get_or_insert_default());
        values.retain(|it| it.type_id != TypeId::of::<T>());
        values.push(Extension {
            type_id: TypeId::of::<T>(),
            type_name: type_name::<T>(),
            value,
        });
    }

    /// Adds the values of others, and replaces those of the same types.
    pub(crate) fn extend(&mut self, others: &Self) {
        for other in others.0.iter().flat_map(|it| it.iter()) {
            let values = Arc::make_mut(self.0.get_or_insert_default());
            values.retain(|it| it.type_id != other.type_id);
            values.push(other.clone());
        }
    }

    /// The value of this type, if there is one.
    #[must_use]
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let mut values = self.0.iter().flat_map(|it| it.iter());
        let found = values.find(|it| it.type_id == TypeId::of::<T>())?;
        found.value.downcast_ref()
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.0.iter().flat_map(|it| it.iter());
        f.debug_set()
            .entries(values.map(|it| it.type_name))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(format!("{before:?}"), r#"{"u8", "&str"}"#);
    }
}
