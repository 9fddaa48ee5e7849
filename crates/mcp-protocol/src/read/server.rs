//! What a server says of itself.

use serde_json::Value;

use super::{
    Unreadable,
    members::{FromWire, Members},
};
use crate::{Object, Revision, ServerInfo, lifecycle::SERVER_INFO};

/// The result of `initialize` (2024-11-05 to 2025-11-25 `basic/lifecycle`) or of `server/discover` (2026-07-28 `server/discover`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[doc(alias = "initialize")]
#[doc(alias = "InitializeResult")]
#[doc(alias = "server/discover")]
#[doc(alias = "DiscoverResult")]
pub struct ServerOffer {
    /// The name of the revision that the server has chosen in a handshake, which a client that does not know it leaves; without one, the
    /// names of those that requests may name.
    pub versions: Vec<String>,
    /// What the server offers.
    pub capabilities: ServerCapabilities,
    /// Who the server is; without a handshake it need not say so.
    pub server_info: Option<ServerInfo>,
    /// How to use the server, for models.
    pub instructions: Option<String>,
    /// `_meta`, without who the server is.
    pub meta: Object,
    has_handshake: bool,
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
    /// Calls of tools can become tasks, at the wish of the client; where there are extensions, they say so.
    pub tasks: bool,
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

impl ServerOffer {
    /// The latest of its revisions that this crate knows.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        let mut known = Revision::ALL.iter().copied().rev();
        known.find(|it| {
            it.has_handshake() == self.has_handshake
                && self.versions.iter().any(|name| name == it.name())
        })
    }
}

impl FromWire for ServerOffer {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("result", value)?;
        let mut meta = members.object("_meta");
        let capabilities = members.read("capabilities").unwrap_or_default();
        let instructions = members.string("instructions");
        let (versions, server_info, has_handshake) = match members.take("protocolVersion") {
            None => {
                let versions = members.required_list("supportedVersions")?.into_iter();
                let server = meta.remove(SERVER_INFO);
                let server = server.and_then(|it| ServerInfo::from_wire(it).ok());
                (
                    versions.flat_map(String::from_wire).collect(),
                    server,
                    false,
                )
            }
            Some(Value::String(version)) => match members.take("serverInfo") {
                Some(server) => (vec![version], Some(ServerInfo::from_wire(server)?), true),
                None => return Err(Unreadable::new("serverInfo", "an object", None)),
            },
            found => {
                return Err(Unreadable::new(
                    "protocolVersion",
                    "a string",
                    found.as_ref(),
                ));
            }
        };
        Ok(Self {
            versions,
            capabilities,
            server_info,
            instructions,
            meta,
            has_handshake,
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
            tasks: members
                .take("tasks")
                .is_some_and(|it| it["requests"]["tools"]["call"].is_object()),
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
