//! Restrictions on data for a node's owner only.

use std::net::IpAddr;

use crate::declare::{Context, ToolError};

/// Returns whether a URL points to a node on this machine.
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
    /// Returns an error unless the node clearly belongs to the user. The Core returns its keys and settings to anyone,
    /// but they are private to its owner, and anyone can configure someone else's node.
    pub(crate) fn require_own_node(&self) -> Result<(), ToolError> {
        if is_loopback(self.node.url()) || self.node.has_api_key() {
            return Ok(());
        }
        Err(ToolError::OwnerOnly)
    }
}
