//! What a transport knows about a request, by type; who calls by that, which limits per client are counted by; and the part of the
//! server that the request can see.

use std::{
    any::{Any, type_name},
    borrow::Borrow,
    fmt, iter,
    marker::PhantomData,
    mem,
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use crate::context::Grant;

/// What a transport knows about a request besides its message: one value of each type.
///
/// `mcp-http` inserts the head of the HTTP request and, behind an authorization, what the token grants. An
/// empty map allocates nothing, each value is one allocation, and a clone shares them.
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

/// A value, and those that were inserted before it.
trait Extension: Send + Sync {
    fn value(&self) -> &(dyn Any + Send + Sync);
    fn type_name(&self) -> &'static str;
    fn earlier(&self) -> &Extensions;
}

/// A value of type `T`, held as a `V`.
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
    /// An empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Adds a value, which is found instead of an earlier one of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.hold::<T, T>(value);
    }

    /// Adds a value that is shared with others, and is found instead of an earlier one of the same type.
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

    /// Whether nothing was added to these since they were cloned from `earlier`.
    pub(crate) fn is_same(&self, earlier: &Self) -> bool {
        match (&self.0, &earlier.0) {
            (Some(own), Some(earlier)) => Arc::ptr_eq(own, earlier),
            (None, None) => true,
            _ => false,
        }
    }

    /// The value of this type, if there is one.
    #[must_use]
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.iter().find_map(|it| it.value().downcast_ref())
    }

    /// From the last one that was inserted to the first.
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

/// The part of an IPv6 address that belongs to one network; a host has all addresses of its network (RFC 6177).
const NETWORK: u128 = !0 << 64;

/// The network address that a request came from.
///
/// A transport that knows it adds it to the [`Extensions`](crate::Extensions): clients without a subject are told apart
/// by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PeerAddress(IpAddr);

impl PeerAddress {
    /// The client at this address.
    #[must_use]
    pub const fn new(address: IpAddr) -> Self {
        Self(address)
    }

    /// The address.
    #[must_use]
    pub const fn address(self) -> IpAddr {
        self.0
    }
}

/// One client: a user where that is known, an address otherwise.
///
/// ```
/// use mcp_server::{Client, Extensions, Grant};
///
/// let mut extensions = Extensions::new();
/// assert!(!Client::of(&extensions).is_known());
/// extensions.insert(Grant::of("ada"));
/// assert_eq!(Client::of(&extensions), Client::new(Some("ada"), None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Client(Identity);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Identity {
    User(String),
    Address(IpAddr),
    /// Of a transport that serves one client, or does not tell.
    Unknown,
}

impl Client {
    /// The client of a request that came with these: the subject of its [`Grant`], else its [`PeerAddress`].
    #[must_use]
    pub fn of(extensions: &Extensions) -> Self {
        let grant = extensions.get::<Grant>();
        Self::new(
            grant.and_then(|it| it.subject.as_deref()),
            extensions.get().copied(),
        )
    }

    /// The client with this subject, else at this address.
    #[must_use]
    pub fn new(subject: Option<&str>, peer: Option<PeerAddress>) -> Self {
        Self(match (subject, peer) {
            (Some(subject), _) => Identity::User(subject.to_owned()),
            (None, Some(PeerAddress(address))) => Identity::Address(network(address)),
            (None, None) => Identity::Unknown,
        })
    }

    /// Whether it can be told apart from others.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.0 != Identity::Unknown
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// The part of a server that a request can see: its lists and instructions.
///
/// Lists depend on the scope alone, and scopes with equal keys have equal lists: a page made for one request serves all
/// others of its scope, and no request of another. Requests have the default scope unless the server determines one.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_server::Scope;
///
/// struct Catalog(Vec<&'static str>);
///
/// let scope = Scope::shared("fr").with_value(Arc::new(Catalog(vec!["pain", "vin"])));
/// let catalog = scope.value::<Catalog>().ok_or("it was added")?;
/// assert_eq!((scope.key(), catalog.0.len()), ("fr", 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Scope(Option<Arc<Inner>>);

struct Inner {
    key: Box<str>,
    is_shared: bool,
    value: Option<Arc<dyn Any + Send + Sync>>,
}

impl Scope {
    pub(crate) const EVERYONE: &'static Self = &Self(None);

    /// A scope that does not depend on the caller, for example one for each path: shared caches may keep its lists.
    #[must_use]
    pub fn shared(key: impl Into<String>) -> Self {
        Self::new(key.into(), true, None)
    }

    /// A scope that depends on the caller or on the caller's choice: its lists have `cacheScope: private`.
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

    /// Adds a value for the sets, which they get with [`Scope::value`]. Scopes with equal keys must have equal values.
    #[must_use]
    pub fn with_value<T: Send + Sync + 'static>(self, value: Arc<T>) -> Self {
        Self::new(self.key().to_owned(), self.is_shared(), Some(value))
    }

    /// The key; empty for the default scope.
    #[must_use]
    pub fn key(&self) -> &str {
        self.0.as_ref().map_or("", |it| &it.key)
    }

    /// Whether shared caches may keep the lists of this scope.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.0.as_ref().is_none_or(|it| it.is_shared)
    }

    /// The value of this type that [`Scope::with_value`] added.
    #[must_use]
    pub fn value<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let value = self.0.as_ref()?.value.clone()?;
        value.downcast().ok()
    }

    /// The purpose of signed text about `subject` that is valid in this scope alone.
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

    /// Whether it is the scope of a server without scopes.
    pub(crate) fn is_default(&self) -> bool {
        self.key().is_empty() && self.is_shared()
    }
}

impl PartialEq for Scope {
    fn eq(&self, other: &Self) -> bool {
        (self.is_shared(), self.key()) == (other.is_shared(), other.key())
    }
}

impl Eq for Scope {}

impl std::hash::Hash for Scope {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.is_shared(), self.key()).hash(state);
    }
}

impl fmt::Debug for Scope {
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
    };

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
        assert_eq!(format!("{before:?}"), r#"{"&str", "u8"}"#);
        assert!(before.is_same(&before.clone()) && !extensions.is_same(&before));
    }

    #[test]
    fn scopes_differ_by_key_and_kind() {
        assert_eq!(Scope::default(), Scope::shared(""));
        for (scope, expect) in [
            (Scope::shared(""), true),
            (Scope::private(""), false),
            (Scope::shared("a"), false),
            (Scope::private("a"), false),
        ] {
            assert_eq!(scope.is_default(), expect, "{scope:?}");
        }
        assert_ne!(Scope::default(), Scope::private(""));
        assert_ne!(Scope::shared("a"), Scope::private("a"));
        assert_eq!(
            Scope::private("a"),
            Scope::private("a").with_value(Arc::new(7_u8))
        );
        let scope = Scope::private("a").with_value(Arc::new(7_u8));
        assert_eq!(scope.value(), Some(Arc::new(7_u8)));
        assert_eq!(scope.value::<u16>(), None);
        let shown = r#"Scope { key: "a", is_shared: false, .. }"#;
        assert_eq!(format!("{scope:?}"), shown);
    }

    #[test]
    fn scopes_that_differ_rarely_share_a_bucket() {
        let of = |scope: Scope| BuildHasherDefault::<DefaultHasher>::default().hash_one(scope);
        let hashes = [
            of(Scope::shared("a")),
            of(Scope::shared("b")),
            of(Scope::private("a")),
        ];
        assert_eq!(HashSet::from(hashes).len(), hashes.len());
    }
}
