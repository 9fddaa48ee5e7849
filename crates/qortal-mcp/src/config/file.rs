//! The configuration file, in TOML.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::config::ConfigError;

/// What a file can say. A member that is not known is refused, so that a misspelled one is not ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    pub(super) node: Option<String>,
    pub(super) api_key_file: Option<PathBuf>,
    pub(super) http_timeout: Option<f64>,
    pub(super) allow_public_fallback: Option<bool>,
    pub(super) public_nodes: Option<Vec<String>>,
    pub(super) fallback_cooldown_seconds: Option<f64>,
    pub(super) surface: Option<String>,
    pub(super) toolsets: Option<Vec<String>>,
    pub(super) tools: Option<Vec<String>>,
    pub(super) exclude_tools: Option<Vec<String>>,
    pub(super) output_schemas: Option<String>,
    pub(super) listen: Option<SocketAddr>,
    pub(super) sessions: Option<bool>,
}

/// Every member of the file with its meaning, for the manual.
pub(super) const MEMBERS: &[(&str, &str)] = &[
    ("node", "URL of the node, as `--node`."),
    (
        "api_key_file",
        "Path of the API key file, as `--api-key-file`.",
    ),
    (
        "http_timeout",
        "Seconds that one question to the node may take.",
    ),
    (
        "allow_public_fallback",
        "`true` allows to ask public nodes when the node does not answer.",
    ),
    ("public_nodes", "URLs of public nodes, a list."),
    (
        "fallback_cooldown_seconds",
        "Seconds for which a node that did not answer is not asked again.",
    ),
    ("surface", "How many tools to list, as `--surface`."),
    (
        "toolsets",
        "Only these families of tools, a list, as `--toolsets`.",
    ),
    ("tools", "These tools as well, a list, as `--tools`."),
    (
        "exclude_tools",
        "Never these tools, a list, as `--exclude-tools`.",
    ),
    (
        "output_schemas",
        "Whether listed tools come with the schemas of their answers, as `--output-schemas`.",
    ),
    ("listen", "Where `qortal-mcp http` listens, as `--listen`."),
    (
        "sessions",
        "`true` gives clients over HTTP sessions, as `--sessions`.",
    ),
];

impl File {
    pub(super) fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
            what: "configuration file",
            path: path.to_owned(),
            source,
        })?;
        toml::from_str(&text).map_err(|err| ConfigError::File {
            path: path.to_owned(),
            message: err.to_string(),
        })
    }
}
