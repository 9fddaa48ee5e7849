//! The user's own nodes: how several are written, and which key goes to which.

use std::path::{Path, PathBuf};

use mcp_operate::secret::OperatorFileKind;
use qortal_client::{ApiKey, OwnNode};
use toml::Value;

use super::{error::ConfigError, setting::Setting, settings::Values, variable};
use crate::env;

/// An API key file has 22 characters; a file this long is something else.
const API_KEY_FILE: OperatorFileKind = OperatorFileKind::secret("API key file", 1024);

/// Own nodes, in the order of preference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnNodes(Vec<NodeAndKey>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct NodeAndKey {
    url: String,
    api_key_file: Option<PathBuf>,
}

/// A variable and a flag have `URL` or `URL=PATH` between commas, the file tables.
impl Setting for OwnNodes {
    const EXPECTED: &str =
        "URLs, each with =PATH if it has an API key file, or tables with url and api_key_file";

    fn from_text(text: &str) -> Option<Self> {
        let words = text.split(',').map(str::trim).filter(|it| !it.is_empty());
        let nodes: Option<Vec<_>> = words.map(NodeAndKey::from_text).collect();
        nodes.filter(|it| !it.is_empty()).map(Self)
    }

    fn from_toml(value: &Value) -> Option<Self> {
        let rows = value.as_array()?.iter();
        let nodes: Option<Vec<_>> = rows.map(NodeAndKey::from_toml).collect();
        nodes.map(Self)
    }
}

impl NodeAndKey {
    fn from_text(text: &str) -> Option<Self> {
        match text.split_once('=') {
            Some((_, "")) => None,
            Some((url, path)) => Self::new(url, Some(path)),
            None => Self::new(text, None),
        }
    }

    fn from_toml(value: &Value) -> Option<Self> {
        if let Some(url) = value.as_str() {
            return Self::new(url, None);
        }
        let table = value.as_table()?;
        let url = table.get("url")?.as_str()?;
        match table.get("api_key_file") {
            Some(path) if table.len() == 2 => Self::new(url, Some(path.as_str()?)),
            None if table.len() == 1 => Self::new(url, None),
            _ => None,
        }
    }

    fn new(url: &str, path: Option<&str>) -> Option<Self> {
        let url = url.trim();
        url.contains("://").then(|| Self {
            url: url.to_owned(),
            api_key_file: path.map(|it| Path::new(it.trim()).to_owned()),
        })
    }
}

/// The nodes to ask, at least one, each with its key. `node` comes first, where it `is_named` or no other is; its key is not that of another.
pub(super) fn own_nodes(
    values: &Values,
    is_named: bool,
    environment: &dyn Fn(&str) -> Option<String>,
    warnings: &mut Vec<String>,
) -> Result<(OwnNode, Vec<OwnNode>), ConfigError> {
    let mut named = Vec::new();
    for node in values.nodes.iter().flat_map(|it| &it.0) {
        let file = node.api_key_file.as_ref();
        let key = file.map(|it| api_key(it, warnings)).transpose()?;
        named.push(OwnNode::new(&node.url).with_api_key(key));
    }
    let key = variable::read(
        environment,
        env::QORTAL_MCP_API_KEY,
        Some(env::QORTAL_API_KEY),
    )?;
    let key = match (&values.api_key_file, key) {
        (Some(path), _) => Some(api_key(path, warnings)?),
        (None, Some((_, key))) => Some(ApiKey::new(&key)?),
        (None, None) => None,
    };
    if !is_named && !named.is_empty() {
        if key.is_some() {
            return Err(ConfigError::Wrong(
                "an API key is set without the node it belongs to, and several nodes are named\nhint: name its node with --node, or set api_key_file for each node".to_owned(),
            ));
        }
        return Ok((named.remove(0), named));
    }
    Ok((OwnNode::new(&values.node).with_api_key(key), named))
}

fn api_key(path: &Path, warnings: &mut Vec<String>) -> Result<ApiKey, ConfigError> {
    let file = API_KEY_FILE.read(path)?;
    warnings.extend(file.warning);
    Ok(ApiKey::new(&file.text)?)
}

#[cfg(test)]
mod tests;
