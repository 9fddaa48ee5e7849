//! List variants: the parts of a server that requests can see. Lists and caches depend on them.

use std::{any::Any, fmt, sync::Arc};

/// A set of lists and instructions that a request sees.
///
/// Lists depend only on the list variant, and variants with equal keys have equal lists. A page created for one request
/// serves all other requests of its variant, and never a request of another variant. Requests have the default variant
/// unless the server determines one.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_server::ListVariant;
///
/// struct Catalog(Vec<&'static str>);
///
/// let scope = ListVariant::public("fr").with_data(Arc::new(Catalog(vec!["pain", "vin"])));
/// let catalog = scope.data::<Catalog>().ok_or("it was added")?;
/// assert_eq!((scope.key(), catalog.0.len()), ("fr", 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct ListVariant(Option<Arc<Inner>>);

struct Inner {
    key: Box<str>,
    is_shared: bool,
    value: Option<Arc<dyn Any + Send + Sync>>,
}

impl ListVariant {
    pub(crate) const EVERYONE: &'static Self = &Self(None);

    /// Creates a variant independent of the caller, for example one for each path. Shared caches may store its lists.
    #[must_use]
    pub fn public(key: impl Into<String>) -> Self {
        Self::new(key.into(), true, None)
    }

    /// Creates a variant that depends on the caller or on the caller's choice. Its lists have `cacheScope: private`.
    #[must_use]
    pub fn private(key: impl Into<String>) -> Self {
        Self::new(key.into(), false, None)
    }

    fn new(key: String, is_shared: bool, value: Option<Arc<dyn Any + Send + Sync>>) -> Self {
        Self(Some(Arc::new(Inner {
            key: key.into(),
            is_shared,
            value,
        })))
    }

    /// Adds a value for the sets. They can get it with [`ListVariant::data`]. Variants with equal keys must have equal
    /// values.
    #[must_use]
    pub fn with_data<T: Send + Sync + 'static>(self, value: Arc<T>) -> Self {
        Self::new(self.key().to_owned(), self.is_shared(), Some(value))
    }

    /// Returns the key, which is empty for the default variant.
    #[must_use]
    pub fn key(&self) -> &str {
        self.0.as_ref().map_or("", |it| &it.key)
    }

    /// Returns whether shared caches may store the lists of this variant.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.0.as_ref().is_none_or(|it| it.is_shared)
    }

    /// Returns the value of this type added by [`ListVariant::with_data`].
    #[must_use]
    pub fn data<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let value = self.0.as_ref()?.value.clone()?;
        value.downcast().ok()
    }

    /// Returns the purpose of signed text about `subject` that is valid only in this variant.
    pub(crate) fn purpose(&self, subject: String) -> String {
        if self.is_default() {
            return subject;
        }
        let kind = if self.is_shared() {
            "shared"
        } else {
            "private"
        };
        let key = self.key();
        // With the length no other key and subject have the same purpose.
        format!("{} {kind} {key} {subject}", key.len())
    }

    /// Returns whether this is the variant of a server without list variants.
    pub(crate) fn is_default(&self) -> bool {
        self.key().is_empty() && self.is_shared()
    }
}

impl PartialEq for ListVariant {
    fn eq(&self, other: &Self) -> bool {
        (self.is_shared(), self.key()) == (other.is_shared(), other.key())
    }
}

impl Eq for ListVariant {}

impl std::hash::Hash for ListVariant {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.is_shared(), self.key()).hash(state);
    }
}

impl fmt::Debug for ListVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("key", &self.key())
            .field("is_shared", &self.is_shared())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
        sync::Arc,
    };

    use super::ListVariant;

    #[test]
    fn scopes_differ_by_key_and_kind() {
        assert_eq!(ListVariant::default(), ListVariant::public(""));
        for (scope, expect) in [
            (ListVariant::public(""), true),
            (ListVariant::private(""), false),
            (ListVariant::public("a"), false),
            (ListVariant::private("a"), false),
        ] {
            assert_eq!(scope.is_default(), expect, "{scope:?}");
        }
        assert_ne!(ListVariant::default(), ListVariant::private(""));
        assert_ne!(ListVariant::public("a"), ListVariant::private("a"));
        assert_eq!(
            ListVariant::private("a"),
            ListVariant::private("a").with_data(Arc::new(7_u8))
        );
        let scope = ListVariant::private("a").with_data(Arc::new(7_u8));
        assert_eq!(scope.data(), Some(Arc::new(7_u8)));
        assert_eq!(scope.data::<u16>(), None);
        let shown = r#"Scope { key: "a", is_shared: false, .. }"#;
        assert_eq!(format!("{scope:?}"), shown);
    }

    #[test]
    fn scopes_that_differ_rarely_share_a_bucket() {
        let of =
            |scope: ListVariant| BuildHasherDefault::<DefaultHasher>::default().hash_one(scope);
        let hashes = [
            of(ListVariant::public("a")),
            of(ListVariant::public("b")),
            of(ListVariant::private("a")),
        ];
        assert_eq!(HashSet::from(hashes).len(), hashes.len());
    }
}
