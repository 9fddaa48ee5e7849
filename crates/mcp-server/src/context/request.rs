//! The context of a request, which its transport makes, and the caller by which limits per client are counted.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use mcp_protocol::{Features, Object, Revision, lifecycle::CLIENT_CAPABILITIES, ui::ViewSupport};
use serde_json::json;

use crate::{
    context::{AuthInfo, Extensions, ListVariant},
    session::{ClientChannel, Session},
};

/// The part of an IPv6 address that belongs to one network; a host has all addresses of its network (RFC 6177).
const NETWORK: u128 = !0 << 64;

/// The context of a request: what its transport knows about it, the scope that the server determines from that, and the way to its
/// client. Calls of tools, prompts and resources get it as part of their [`CallContext`](crate::CallContext).
///
/// ```
/// use mcp_server::{Extensions, AuthInfo, RequestContext};
///
/// let mut extensions = Extensions::new();
/// extensions.insert(AuthInfo::for_subject("ada"));
/// let cx = RequestContext::new(extensions);
/// assert_eq!(cx.subject(), Some("ada"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct RequestContext {
    extensions: Extensions,
    /// `None` until it is determined.
    scope: Option<ListVariant>,
    channel: Option<Arc<ClientChannel>>,
    session: Option<Arc<Session>>,
}

impl RequestContext {
    /// Returns the context of a request that came with `extensions`.
    ///
    /// [`crate::Server::request_context`] makes one too, and determines the scope before the request is handled.
    #[must_use]
    pub fn new(extensions: Extensions) -> Self {
        Self {
            extensions,
            ..Self::default()
        }
    }

    mcp_protocol::setters! {
        /// Adds the channel on which messages before the response are sent.
        with_channel(channel: Arc<ClientChannel>) { channel = Some(channel) }
        /// Adds the session of a request that has no channel.
        in_session(session: Arc<Session>) { session = Some(session) }
    }

    /// Returns the same request in a scope.
    pub(crate) fn in_scope(&self, scope: ListVariant) -> Self {
        Self {
            scope: Some(scope),
            ..self.clone()
        }
    }

    /// Returns the same request with other extensions.
    pub(crate) fn with_extensions(&self, extensions: Extensions) -> Self {
        Self {
            extensions,
            ..self.clone()
        }
    }

    /// Returns the facts that the transport has added: over HTTP the head of the request, and the grant of its token.
    #[must_use]
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    /// Returns the permissions of the request, and its subject; `None` where no access is required.
    #[must_use]
    pub fn auth(&self) -> Option<&AuthInfo> {
        self.extensions.get()
    }

    /// Returns the user or client that sent the request.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.auth()?.subject.as_deref()
    }

    /// Returns the client that limits are counted by.
    #[must_use]
    pub fn client(&self) -> ClientIdentity {
        ClientIdentity::from_extensions(&self.extensions)
    }

    /// Returns the scope; the default one if the server has no scopes.
    #[must_use]
    pub fn list_variant(&self) -> &ListVariant {
        self.scope.as_ref().unwrap_or(ListVariant::EVERYONE)
    }

    pub(crate) fn has_scope(&self) -> bool {
        self.scope.is_some()
    }

    pub(crate) fn channel(&self) -> Option<&Arc<ClientChannel>> {
        self.channel.as_ref()
    }

    pub(crate) fn session(&self) -> Option<&Arc<Session>> {
        let of_channel = self.channel.as_ref().and_then(|channel| channel.session());
        of_channel.or(self.session.as_ref())
    }

    /// Returns whether the client shows views, by its session or the `_meta` of the request.
    pub(crate) fn view_support(&self, revision: Revision, meta: Option<&Object>) -> ViewSupport {
        if revision.has_handshake() {
            let session = self.session();
            return session.map_or(ViewSupport::Unknown, |session| session.view_support());
        }
        let declared = meta.and_then(|meta| meta.get(CLIENT_CAPABILITIES)?.as_object());
        declared.map_or(ViewSupport::Unknown, ViewSupport::of)
    }

    /// Returns the owner of the tasks of this request: one caller, in one scope and revision. As JSON, no two have the same text.
    pub(crate) fn owner(&self, rules: &Features) -> String {
        let scope = self.list_variant();
        json!([rules.name, scope.is_shared(), scope.key(), self.subject()]).to_string()
    }
}

/// The network address that a request came from.
///
/// A transport that knows it adds it to the [`Extensions`](crate::Extensions): clients without a subject are distinguished
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
/// assert!(!ClientIdentity::from_extensions(&extensions).is_known());
/// extensions.insert(AuthInfo::for_subject("ada"));
/// assert_eq!(ClientIdentity::from_extensions(&extensions), ClientIdentity::new(Some("ada"), None));
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
    pub fn from_extensions(extensions: &Extensions) -> Self {
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
