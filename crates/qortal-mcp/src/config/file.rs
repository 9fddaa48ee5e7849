//! The configuration file, in TOML.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::config::ConfigError;

/// The settings a file can contain. An unknown key is an error, so that a misspelled one is not ignored.
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

/// Every key of the file with its meaning, for the manual.
pub(super) const MEMBERS: &[(&str, &str)] = &[
    ("node", "URL of the node, as `--node`."),
    (
        "api_key_file",
        "Path of the API key file, as `--api-key-file`.",
    ),
    (
        "http_timeout",
        "Timeout of one request to the node, in seconds.",
    ),
    (
        "allow_public_fallback",
        "`true` allows requests to public nodes when the node does not answer.",
    ),
    ("public_nodes", "List of URLs of public nodes."),
    (
        "fallback_cooldown_seconds",
        "Seconds to wait before a node that did not answer is asked again.",
    ),
    ("surface", "How many tools to list, as `--surface`."),
    (
        "toolsets",
        "List of the families of tools to list, as `--toolsets`.",
    ),
    ("tools", "List of tools to list too, as `--tools`."),
    (
        "exclude_tools",
        "List of tools never to list, as `--exclude-tools`.",
    ),
    (
        "output_schemas",
        "Whether listed tools include an output schema, as `--output-schemas`.",
    ),
    (
        "listen",
        "Address `qortal-mcp http` listens on, as `--listen`.",
    ),
    (
        "sessions",
        "`true` enables sessions over HTTP, as `--sessions`.",
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
