//! The configuration of a client.

use std::{fmt, sync::Arc};

use mcp_protocol::{Capability, Revision, ServerInfo, TaskForm};
use serde_json::{Value, json};

use crate::{ClientHandler, ClientLimits, handler::AnyHandler};

/// The name, revision, limits and handler of a client. Several clients can share one configuration.
#[derive(Clone)]
pub struct ClientConfig {
    info: ServerInfo,
    pub(crate) revision: Option<Revision>,
    pub(crate) limits: ClientLimits,
    pub(crate) handler: Arc<dyn AnyHandler>,
    tasks: bool,
}

impl ClientConfig {
    /// Creates the configuration of a client with this name and version, which handles no server requests.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            info: ServerInfo::new(name, version),
            revision: None,
            limits: ClientLimits::default(),
            handler: Arc::new(()),
            tasks: false,
        }
    }

    mcp_protocol::setters! {
        /// Sets the only revision that the client uses. By default, the client first sends `server/discover` to find
        /// the server's revisions (2026-07-28 `basic/versioning`, "Backward Compatibility"). Set a handshake revision
        /// for programs that exit on an unknown first request.
        with_revision(revision: Revision) { revision = Some(revision) }
        /// Enables tasks. Where tasks are an extension, the server may answer slow calls with a task. Where the client
        /// must request tasks (2025-11-25), it does so for tools that require them. In both cases the client polls the
        /// task and answers its input requests, within [`ClientLimits::task_timeout`], and the caller waits for the
        /// result as usual. Dropping the call cancels its task.
        with_tasks() { tasks = true }
        /// Sets the limits.
        with_limits(limits: ClientLimits) { limits = limits }
    }

    pub(crate) fn has_tasks(&self) -> bool {
        self.tasks
    }

    /// Sets the handler of server requests and notifications.
    #[must_use]
    pub fn with_handler(mut self, handler: impl ClientHandler) -> Self {
        self.handler = Arc::new(handler);
        self
    }

    /// Returns the client's name and version, in the form of a revision.
    pub(crate) fn info(&self, revision: Revision) -> Value {
        mcp_protocol::render::server_info(&self.info, revision.features())
    }

    /// Returns the capabilities that the client declares in a revision.
    pub(crate) fn capabilities(&self, revision: Revision) -> Value {
        let mut declared = self.handler.declared().to_vec();
        if self.tasks && revision.features().tasks == TaskForm::Extension {
            declared.push(Capability::Tasks);
        }
        json!(Capability::to_capabilities(&declared))
    }
}

impl fmt::Debug for ClientConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConfig")
            .field("info", &self.info)
            .field("revision", &self.revision)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
