//! What only the owner of a node may see.

use std::net::IpAddr;

use crate::declare::{Context, ToolError};

/// Whether a URL is that of a node on this machine.
pub(crate) fn is_loopback(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or(rest);
    let host = match authority.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next(),
        None => authority.split(':').next(),
    };
    let host = host.unwrap_or(authority);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|it| it.is_loopback())
}

impl Context {
    /// Fails unless the node is plainly the user's own: what the Core tells everyone about its keys and settings is nevertheless
    /// private to its owner, and anyone can configure a node of someone else.
    pub(crate) fn require_own_node(&self) -> Result<(), ToolError> {
        if is_loopback(self.node.url()) || self.node.has_api_key() {
            return Ok(());
        }
        Err(ToolError::OwnerOnly)
    }
}
