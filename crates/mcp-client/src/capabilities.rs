//! Server capabilities: the result of `initialize` or `server/discover`.

use mcp_protocol::{Object, Revision, ServerInfo, lifecycle::SERVER_INFO};
use serde::Serialize;
use serde_json::Value;

use crate::ClientError;

/// The result of `initialize` (2024-11-05 to 2025-11-25 `basic/lifecycle`) or of `server/discover` (2026-07-28 `server/discover`).
#[derive(Debug, Default)]
pub(crate) struct ServerOffer {
    /// With a handshake, the name of the revision that the server has chosen. A client that does not support it
    /// disconnects. Without a handshake, the names of the revisions that requests may use.
    pub(crate) versions: Vec<String>,
    pub(crate) capabilities: ServerCapabilities,
    /// Optional without a handshake.
    pub(crate) server_info: Option<ServerInfo>,
    pub(crate) instructions: Option<String>,
    has_handshake: bool,
}

/// The capabilities of a server (`ServerCapabilities` of all revisions).
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct ServerCapabilities {
    /// Support for tools.
    pub tools: Option<ListCapability>,
    /// Support for resources.
    pub resources: Option<ListCapability>,
    /// Support for prompts.
    pub prompts: Option<ListCapability>,
    /// Whether the server completes arguments. Servers before 2025-03-26 cannot declare this.
    pub completions: bool,
    /// Whether the server sends log messages.
    pub logging: bool,
    /// Whether clients may request tool calls as tasks (2025-11-25). Later revisions declare this in `extensions`.
    pub tasks: bool,
    /// Experimental capabilities.
    pub experimental: Object,
    /// Extensions and their settings, by name.
    pub extensions: Object,
}

/// The notifications that a server sends about a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListCapability {
    /// Whether the server sends notifications of changes to the list.
    pub list_changed: bool,
    /// Whether clients can subscribe to changes of a single resource.
    pub subscribe: bool,
}

impl ServerOffer {
    /// Reads the result.
    ///
    /// # Errors
    /// Returns [`ClientError::Decode`] if a required field is missing.
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
            Some(_) => {
                return Err(ClientError::Decode(
                    "protocolVersion is not a string".to_owned(),
                ));
            }
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

    /// Returns the latest of its revisions that this crate supports.
    pub(crate) fn revision(&self) -> Option<Revision> {
        latest(&self.versions, self.has_handshake)
    }
}

/// Returns the latest of these revisions that this crate supports.
pub(crate) fn latest(versions: &[String], has_handshake: bool) -> Option<Revision> {
    let mut known = Revision::ALL.iter().copied().rev();
    known.find(|it| {
        it.has_handshake() == has_handshake && versions.iter().any(|name| name == it.name())
    })
}

/// Reads a list of revision names.
///
/// # Errors
/// Returns [`ClientError::Decode`] if the value is not a list.
pub(crate) fn names(versions: Option<&Value>) -> Result<Vec<String>, ClientError> {
    let versions = versions.and_then(Value::as_array);
    let none = || ClientError::Decode("the supported protocol versions are not a list".to_owned());
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
