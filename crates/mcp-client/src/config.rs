//! Who a client is, and what it does.

use std::{fmt, sync::Arc};

use mcp_protocol::{Revision, ServerInfo, client};
use serde_json::{Value, json};

use crate::{Handler, Limits, handler::AnyHandler};

/// Who a client is, and what it does. It can be used for several clients.
#[derive(Clone)]
pub struct Config {
    info: ServerInfo,
    pub(crate) revision: Option<Revision>,
    pub(crate) limits: Limits,
    pub(crate) handler: Arc<dyn AnyHandler>,
}

impl Config {
    /// A client of this name and version, which answers no questions.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            info: ServerInfo::new(name, version),
            revision: None,
            limits: Limits::default(),
            handler: Arc::new(()),
        }
    }

    mcp_protocol::setters! {
        /// Speaks this revision alone. Without it the client asks the server what it knows (2026-07-28 `basic/versioning`,
        /// "Backward Compatibility"), which a program that ends at the first request it does not know cannot be asked.
        with_revision(revision: Revision) { revision = Some(revision) }
        /// With other limits.
        with_limits(limits: Limits) { limits = limits }
    }

    /// With a handler of the server's questions and notifications.
    #[must_use]
    pub fn with_handler(mut self, handler: impl Handler) -> Self {
        self.handler = Arc::new(handler);
        self
    }

    /// Who it is, as it says so in a revision.
    pub(crate) fn info(&self, revision: Revision) -> Value {
        mcp_protocol::render::server_info(&self.info, revision.rules())
    }

    /// What it declares that it answers.
    pub(crate) fn capabilities(&self) -> Value {
        json!(client::declare(self.handler.declared()))
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("info", &self.info)
            .field("revision", &self.revision)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
