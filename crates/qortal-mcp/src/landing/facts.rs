//! What the pages know of the server.

use std::sync::Arc;

use qortal_tools::Catalog;

use crate::access::ServerAccess;

/// What all pages know of the server.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) catalog: Arc<Catalog>,
    /// The endpoints: that of the configured surface first.
    pub(super) endpoints: Vec<String>,
    pub(super) public_url: Option<String>,
    /// Whether the node is the simulated one.
    pub(super) is_demo: bool,
    pub(super) access: ServerAccess,
    /// Whether others than the operator may see the page: they learn less of the node.
    pub(super) is_public: bool,
}

impl Facts {
    /// The address of an endpoint, as the client has to write it.
    pub(super) fn address(&self, host: Option<&str>, path: &str) -> String {
        match &self.public_url {
            Some(url) => format!("{url}{path}"),
            // TLS ends before this server, if anywhere: what is said of that on the way is not checked.
            None => format!("http://{}{path}", host.unwrap_or("localhost")),
        }
    }

    /// The endpoint of the configured surface.
    pub(super) fn endpoint(&self) -> &str {
        self.endpoints.first().map_or("/mcp", String::as_str)
    }
}
