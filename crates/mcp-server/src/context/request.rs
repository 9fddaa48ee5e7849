//! The context of a request, and the client for which limits are counted.

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

/// The network part of an IPv6 address. A host controls all addresses of its network (RFC 6177).
const NETWORK: u128 = !0 << 64;

/// The context of a request: the transport's facts about it, the list variant, and the channel to the client. The
/// server determines the list variant from the facts. The [`CallContext`](crate::CallContext) of tool, prompt and
/// resource calls contains it.
///
/// ```
/// use mcp_server::{Extensions, AuthInfo, RequestContext};
///
/// let mut extensions = Extensions::new();
/// extensions.insert(AuthInfo::for_subject("ada"));
/// let cx = RequestContext::from_extensions(extensions);
/// assert_eq!(cx.subject(), Some("ada"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct RequestContext {
    extensions: Extensions,
    /// The list variant, or `None` until it is determined.
    scope: Option<ListVariant>,
    channel: Option<Arc<ClientChannel>>,
    session: Option<Arc<Session>>,
}

impl RequestContext {
    /// Creates the context of a request with these `extensions`.
    ///
    /// [`crate::Server::request_context`] also creates one, and determines the list variant before the request is
    /// handled.
    #[must_use]
    pub fn from_extensions(extensions: Extensions) -> Self {
        Self {
            extensions,
            ..Self::default()
        }
    }

    mcp_protocol::setters! {
        /// Sets the channel for messages that precede the response.
        with_channel(channel: Arc<ClientChannel>) { channel = Some(channel) }
        /// Sets the session of a request that has no channel.
        in_session(session: Arc<Session>) { session = Some(session) }
    }

    /// Returns the same request with this list variant.
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

    /// Returns the transport's facts about the request: over HTTP, its head and the permissions of its token.
    #[must_use]
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    /// Returns the permissions and the subject of the request, or `None` if no authorization is required.
    #[must_use]
    pub fn auth(&self) -> Option<&AuthInfo> {
        self.extensions.get()
    }

    /// Returns the user or client behind the request.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.auth()?.subject.as_deref()
    }

    /// Returns the identity of the client for rate and concurrency limits.
    #[must_use]
    pub fn caller_key(&self) -> CallerKey {
        CallerKey::from_extensions(&self.extensions)
    }

    /// Returns the list variant. It is the default one if the server has no list variants.
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

    /// Returns whether the client shows views, according to its session or the `_meta` field of the request.
    pub(crate) fn view_support(&self, revision: Revision, meta: Option<&Object>) -> ViewSupport {
        if revision.has_handshake() {
            let session = self.session();
            return session.map_or(ViewSupport::Unknown, |session| session.view_support());
        }
        let declared = meta.and_then(|meta| meta.get(CLIENT_CAPABILITIES)?.as_object());
        declared.map_or(ViewSupport::Unknown, ViewSupport::of)
    }

    /// Returns the owner of the request's tasks: one caller, list variant and revision. The owner is JSON, so different
    /// owners never have equal strings.
    pub(crate) fn owner(&self, rules: &Features) -> String {
        let scope = self.list_variant();
        json!([rules.name, scope.is_shared(), scope.key(), self.subject()]).to_string()
    }
}

/// The source IP address of a request.
///
/// A transport adds the address to the [`Extensions`](crate::Extensions) if available. It distinguishes clients without
/// a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PeerIp(IpAddr);

impl PeerIp {
    /// Creates the peer address of a client.
    #[must_use]
    pub const fn new(address: IpAddr) -> Self {
        Self(address)
    }

    /// Returns the IP address.
    #[must_use]
    pub const fn ip(self) -> IpAddr {
        self.0
    }
}

/// The identity of one client: its subject if known, otherwise its IP address.
///
/// ```
/// use mcp_server::{CallerKey, Extensions, AuthInfo};
///
/// let mut extensions = Extensions::new();
/// assert!(!CallerKey::from_extensions(&extensions).is_known());
/// extensions.insert(AuthInfo::for_subject("ada"));
/// assert_eq!(CallerKey::from_extensions(&extensions), CallerKey::from_subject_or_address(Some("ada"), None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallerKey(Identity);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Identity {
    User(String),
    Address(IpAddr),
    /// A client of a transport that serves only one client, or does not identify its clients.
    Unknown,
}

impl CallerKey {
    /// Returns the client of a request with these extensions: the subject of its [`AuthInfo`], or else its
    /// [`PeerIp`].
    #[must_use]
    pub fn from_extensions(extensions: &Extensions) -> Self {
        let grant = extensions.get::<AuthInfo>();
        Self::from_subject_or_address(
            grant.and_then(|it| it.subject.as_deref()),
            extensions.get().copied(),
        )
    }

    /// Creates the identity of the client with this subject, or else at this address.
    #[must_use]
    pub fn from_subject_or_address(subject: Option<&str>, peer: Option<PeerIp>) -> Self {
        Self(match (subject, peer) {
            (Some(subject), _) => Identity::User(subject.to_owned()),
            (None, Some(PeerIp(address))) => Identity::Address(network(address)),
            (None, None) => Identity::Unknown,
        })
    }

    /// Returns whether the client can be distinguished from others.
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
