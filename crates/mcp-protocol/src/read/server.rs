//! What a server says of itself.

use serde_json::Value;

use super::{
    Unreadable,
    members::{FromWire, Members},
};
use crate::{CacheHint, Object, Revision, ServerInfo, lifecycle::SERVER_INFO};

/// The result of `initialize` (2024-11-05 to 2025-11-25 `basic/lifecycle`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[doc(alias = "initialize")]
#[doc(alias = "server/discover")]
pub struct InitializeResult {
    /// The name of the revision that the server has chosen; a client that does not know it disconnects.
    pub protocol_version: String,
    /// What the server offers.
    pub capabilities: ServerCapabilities,
    /// Who the server is.
    pub server_info: ServerInfo,
    /// How to use the server, for models.
    pub instructions: Option<String>,
    /// `_meta`.
    pub meta: Object,
}

/// The result of `server/discover` (2026-07-28 `server/discover`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DiscoverResult {
    /// The names of the revisions that requests may name.
    pub supported_versions: Vec<String>,
    /// What the server offers.
    pub capabilities: ServerCapabilities,
    /// Who the server is, if it says so in `_meta`.
    pub server_info: Option<ServerInfo>,
    /// How to use the server, for models.
    pub instructions: Option<String>,
    /// How long the answer may be kept, and whether it may be shared.
    pub cache: CacheHint,
    /// `_meta`, without who the server is.
    pub meta: Object,
}

/// What a server offers (`ServerCapabilities` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ServerCapabilities {
    /// Tools.
    pub tools: Option<Feature>,
    /// Resources.
    pub resources: Option<Feature>,
    /// Prompts.
    pub prompts: Option<Feature>,
    /// Completion of arguments; before 2025-03-26 there was no word for it.
    pub completions: bool,
    /// Log messages.
    pub logging: bool,
    /// Experimental capabilities.
    pub experimental: Object,
    /// Extensions, with their settings.
    pub extensions: Object,
}

/// What a server notifies of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Feature {
    /// Of changes of the list.
    pub list_changed: bool,
    /// Of changes of each resource that a client subscribes to.
    pub subscribe: bool,
}

impl InitializeResult {
    /// The revision, if this crate knows it.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        let mut known = Revision::ALL.iter().copied();
        known.find(|it| it.has_handshake() && it.name() == self.protocol_version)
    }
}

impl DiscoverResult {
    /// The latest of its revisions that this crate knows.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        let is_served =
            |it: &Revision| self.supported_versions.iter().any(|name| name == it.name());
        Revision::per_request().filter(is_served).last()
    }
}

impl FromWire for InitializeResult {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("result", value)?;
        Ok(Self {
            protocol_version: members.required_string("protocolVersion")?,
            capabilities: members.read("capabilities").unwrap_or_default(),
            server_info: match members.take("serverInfo") {
                Some(server) => ServerInfo::from_wire(server)?,
                None => return Err(Unreadable::new("serverInfo", "an object", None)),
            },
            instructions: members.string("instructions"),
            meta: members.object("_meta"),
        })
    }
}

impl FromWire for DiscoverResult {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("result", value)?;
        let supported_versions = members.required_list("supportedVersions")?.into_iter();
        let mut meta = members.object("_meta");
        let server_info = meta.remove(SERVER_INFO);
        Ok(Self {
            supported_versions: supported_versions.flat_map(String::from_wire).collect(),
            capabilities: members.read("capabilities").unwrap_or_default(),
            server_info: server_info.and_then(|it| ServerInfo::from_wire(it).ok()),
            instructions: members.string("instructions"),
            cache: members.cache_hint(),
            meta,
        })
    }
}

impl FromWire for ServerInfo {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("serverInfo", value)?;
        Ok(Self {
            name: members.required_string("name")?,
            version: members.string("version").unwrap_or_default(),
            title: members.string("title"),
            description: members.string("description"),
            website_url: members.string("websiteUrl"),
            icons: members.list("icons"),
        })
    }
}

impl FromWire for ServerCapabilities {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("capabilities", value)?;
        Ok(Self {
            tools: members.read("tools"),
            resources: members.read("resources"),
            prompts: members.read("prompts"),
            completions: members.take("completions").is_some_and(|it| it.is_object()),
            logging: members.take("logging").is_some_and(|it| it.is_object()),
            experimental: members.object("experimental"),
            extensions: members.object("extensions"),
        })
    }
}

impl FromWire for Feature {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("capabilities", value)?;
        Ok(Self {
            list_changed: members.bool("listChanged").unwrap_or(false),
            subscribe: members.bool("subscribe").unwrap_or(false),
        })
    }
}
