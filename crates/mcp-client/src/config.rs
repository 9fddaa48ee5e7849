//! Who a client is, and what it does.

use std::{fmt, sync::Arc};

use mcp_protocol::{Capability, Revision, ServerInfo, TaskForm};
use serde_json::{Value, json};

use crate::{ClientHandler, ClientLimits, handler::AnyHandler};

/// Who a client is, and what it does. It can be used for several clients.
#[derive(Clone)]
pub struct ClientConfig {
    info: ServerInfo,
    pub(crate) revision: Option<Revision>,
    pub(crate) limits: ClientLimits,
    pub(crate) handler: Arc<dyn AnyHandler>,
    tasks: bool,
}

impl ClientConfig {
    /// A client of this name and version, which answers no questions.
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
        /// Speaks this revision alone. Without it the client asks the server what it knows (2026-07-28 `basic/versioning`,
        /// "Backward Compatibility"), which a program that ends at the first request it does not know cannot be asked.
        with_revision(revision: Revision) { revision = Some(revision) }
        /// Lets the server answer calls that take long with tasks, where tasks are an extension, and calls the tools as tasks that are
        /// called as such alone, where the client has to ask for that: it polls them and answers what they ask, within [`ClientLimits::task_timeout`],
        /// and the caller waits for the result as ever. A call that is dropped cancels its task.
        with_tasks() { tasks = true }
        /// With other limits.
        with_limits(limits: ClientLimits) { limits = limits }
    }

    pub(crate) fn has_tasks(&self) -> bool {
        self.tasks
    }

    /// With a handler of the server's questions and notifications.
    #[must_use]
    pub fn with_handler(mut self, handler: impl ClientHandler) -> Self {
        self.handler = Arc::new(handler);
        self
    }

    /// Who it is, as it says so in a revision.
    pub(crate) fn info(&self, revision: Revision) -> Value {
        mcp_protocol::render::server_info(&self.info, revision.features())
    }

    /// What it declares that it answers in a revision.
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
        f.debug_struct("Config")
            .field("info", &self.info)
            .field("revision", &self.revision)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
