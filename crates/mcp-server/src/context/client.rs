//! The caller of a request, by which limits per client are counted.

use std::net::{IpAddr, Ipv6Addr};

use crate::context::{AuthInfo, Extensions};

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
/// use mcp_server::{ClientIdentity, Extensions, AuthInfo};
///
/// let mut extensions = Extensions::new();
/// assert!(!ClientIdentity::of(&extensions).is_known());
/// extensions.insert(AuthInfo::for_subject("ada"));
/// assert_eq!(ClientIdentity::of(&extensions), ClientIdentity::new(Some("ada"), None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClientIdentity(Identity);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Identity {
    User(String),
    Address(IpAddr),
    /// Of a transport that serves one client, or does not tell.
    Unknown,
}

impl ClientIdentity {
    /// The client of a request that came with these: the subject of its [`AuthInfo`], else its [`PeerAddress`].
    #[must_use]
    pub fn of(extensions: &Extensions) -> Self {
        let grant = extensions.get::<AuthInfo>();
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
