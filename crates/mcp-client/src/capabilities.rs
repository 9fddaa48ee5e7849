//! What a server says of itself, before anything is asked of it.

use mcp_protocol::{Object, Revision, ServerInfo, lifecycle::SERVER_INFO};
use serde::Serialize;
use serde_json::Value;

use crate::ClientError;

/// The result of `initialize` (2024-11-05 to 2025-11-25 `basic/lifecycle`) or of `server/discover` (2026-07-28 `server/discover`).
#[derive(Debug, Default)]
pub(crate) struct ServerOffer {
    /// The name of the revision that the server has chosen in a handshake, which a client that does not know it leaves; without one, the
    /// names of those that requests may name.
    pub(crate) versions: Vec<String>,
    pub(crate) capabilities: ServerCapabilities,
    /// Without a handshake it need not say so.
    pub(crate) server_info: Option<ServerInfo>,
    pub(crate) instructions: Option<String>,
    has_handshake: bool,
}

/// What a server offers (`ServerCapabilities` of all revisions).
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct ServerCapabilities {
    /// Tools.
    pub tools: Option<ListCapability>,
    /// Resources.
    pub resources: Option<ListCapability>,
    /// Prompts.
    pub prompts: Option<ListCapability>,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListCapability {
    /// Of changes of the list.
    pub list_changed: bool,
    /// Of changes of each resource that a client subscribes to.
    pub subscribe: bool,
}

impl ServerOffer {
    /// Reads it.
    ///
    /// # Errors
    /// [`ClientError::Decode`] if a member is missing without which it means nothing.
    pub(crate) fn read(result: &Value) -> Result<Self, ClientError> {
        let versions = result.get("supportedVersions");
        let (versions, server_info, has_handshake) = match result.get("protocolVersion") {
            Some(Value::String(version)) => {
                let server = result.get("serverInfo").cloned().unwrap_or_default();
                (
                    vec![version.clone()],
                    Some(serde_json::from_value(server)?),
                    true,
                )
            }
            None | Some(Value::Null) => {
                let server = result.get("_meta").and_then(|it| it.get(SERVER_INFO));
                let server = server.and_then(|it| serde_json::from_value(it.clone()).ok());
                (names(versions)?, server, false)
            }
            Some(_) => return Err(ClientError::Decode("protocolVersion is no text".to_owned())),
        };
        let instructions = result.get("instructions").and_then(Value::as_str);
        Ok(Self {
            versions,
            capabilities: ServerCapabilities::read(result.get("capabilities")),
            server_info,
            instructions: instructions.map(str::to_owned),
            has_handshake,
        })
    }

    /// The latest of its revisions that this crate knows.
    pub(crate) fn revision(&self) -> Option<Revision> {
        latest(&self.versions, self.has_handshake)
    }
}

/// The latest of these revisions that this crate knows.
pub(crate) fn latest(versions: &[String], has_handshake: bool) -> Option<Revision> {
    let mut known = Revision::ALL.iter().copied().rev();
    known.find(|it| {
        it.has_handshake() == has_handshake && versions.iter().any(|name| name == it.name())
    })
}

/// The names of revisions in a list.
///
/// # Errors
/// [`ClientError::Decode`] if it is no list.
pub(crate) fn names(versions: Option<&Value>) -> Result<Vec<String>, ClientError> {
    let versions = versions.and_then(Value::as_array);
    let none = || ClientError::Decode("the names of revisions are no list".to_owned());
    let names = versions.ok_or_else(none)?.iter().filter_map(Value::as_str);
    Ok(names.map(str::to_owned).collect())
}

impl ServerCapabilities {
    fn read(declared: Option<&Value>) -> Self {
        let object = |name: &str| declared?.get(name)?.as_object();
        let feature = |name| {
            let feature = object(name)?;
            let is = |name: &str| feature.get(name).and_then(Value::as_bool).unwrap_or(false);
            Some(ListCapability {
                list_changed: is("listChanged"),
                subscribe: is("subscribe"),
            })
        };
        Self {
            tools: feature("tools"),
            resources: feature("resources"),
            prompts: feature("prompts"),
            completions: object("completions").is_some(),
            logging: object("logging").is_some(),
            tasks: declared
                .and_then(|it| it.pointer("/tasks/requests/tools/call"))
                .is_some_and(Value::is_object),
            experimental: object("experimental").cloned().unwrap_or_default(),
            extensions: object("extensions").cloned().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_server_says_what_it_is_and_what_it_offers() {
        let capabilities = json!({
            "tools": {"listChanged": true},
            "resources": {"subscribe": true, "listChanged": "yes"},
            "prompts": null,
            "completions": {},
            "experimental": {"x": {}},
            "extensions": {"io.example/y": {}},
        });
        let server = json!({"name": "s", "version": "1", "icons": "none"});
        let result = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": capabilities,
            "serverInfo": server,
            "instructions": "Use it.",
        });
        let read = ServerOffer::read(&result).unwrap();
        assert_eq!(read.revision(), Some(Revision::V2025_06_18));
        assert_eq!(read.server_info, Some(ServerInfo::new("s", "1")));
        assert_eq!(read.instructions.as_deref(), Some("Use it."));
        let offered = &read.capabilities;
        assert!(offered.tools.unwrap().list_changed && !offered.tools.unwrap().subscribe);
        assert!(offered.resources.unwrap().subscribe && !offered.resources.unwrap().list_changed);
        assert!(offered.prompts.is_none() && offered.completions && !offered.logging);
        assert!(offered.experimental.contains_key("x"));
        assert!(offered.extensions.contains_key("io.example/y"));
        for (version, revision) in [("2026-07-28", None), ("2030-01-01", None)] {
            let mut result = result.clone();
            result["protocolVersion"] = version.into();
            let read = ServerOffer::read(&result).unwrap();
            assert_eq!(
                (read.versions.concat().as_str(), read.revision()),
                (version, revision)
            );
        }
        for member in ["protocolVersion", "serverInfo"] {
            let mut result = result.clone();
            result[member] = 7.into();
            assert!(ServerOffer::read(&result).is_err(), "{member}");
        }

        let discovered = json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28", "2030-01-01", 7],
            "capabilities": capabilities,
            "_meta": {"io.modelcontextprotocol/serverInfo": server, "x": 1},
            "ttlMs": -1,
            "cacheScope": "private",
        });
        let discovered = ServerOffer::read(&discovered).unwrap();
        assert_eq!(discovered.revision(), Some(Revision::V2026_07_28));
        assert_eq!(discovered.versions.len(), 2);
        assert_eq!(discovered.server_info, Some(ServerInfo::new("s", "1")));
        assert_eq!(discovered.capabilities, read.capabilities);
    }

    #[test]
    fn members_of_another_kind_are_left_out() {
        for odd in [json!(7), json!([]), json!("a"), json!(null)] {
            let said = json!({
                "supportedVersions": [],
                "capabilities": odd,
                "_meta": odd,
                "instructions": {},
            });
            let read = ServerOffer::read(&said).unwrap();
            assert_eq!(read.capabilities, ServerCapabilities::default());
            assert_eq!((read.server_info, read.instructions), (None, None));
            assert!(ServerOffer::read(&odd).is_err());
        }
    }
}
