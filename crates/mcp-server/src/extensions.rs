//! What a transport knows about a request, by type, and who calls by that: what limits per client are counted by.

use std::{
    any::{Any, type_name},
    borrow::Borrow,
    fmt, iter,
    marker::PhantomData,
    mem,
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use crate::Grant;

/// What a transport knows about a request besides its message: one value of each type.
///
/// `mcp-http` inserts the head of the HTTP request and, behind an authorization, what the token grants. An
/// empty map allocates nothing, each value is one allocation, and a clone shares them.
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
        assert_eq!(format!("{before:?}"), r#"{"&str", "u8"}"#);
        assert!(before.is_same(&before.clone()) && !extensions.is_same(&before));
    }
}
