//! Which revision a message on this stream is read as.

use std::sync::Arc;

use mcp_protocol::{ErrorObject, Request, Revision, lifecycle};
use mcp_server::Session;

/// What the stream remembers: the session its `initialize` led to.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    session: Option<Arc<Session>>,
}

impl Opened {
    /// The revision of one request; an `initialize` settles it for those that name none.
    pub(crate) fn revision_of(&mut self, request: &Request) -> Result<Revision, ErrorObject> {
        let params = request.params.as_ref();
        if lifecycle::names_revision(params) {
            return lifecycle::named_revision(params).and_then(lifecycle::served_revision);
        }
        if request.method == "initialize" {
            let revision = lifecycle::negotiated_revision(request)?;
            self.session = Some(Arc::new(Session::open(revision, request)));
            return Ok(revision);
        }
        match self.negotiated() {
            Some(revision) => Ok(revision),
            // A ping may come before anything else (`basic/lifecycle`).
            None if request.method == "ping" => Ok(Revision::LATEST_HANDSHAKE),
            None => Err(ErrorObject::invalid_params(format_args!(
                "_meta must hold {} (a string), or send initialize first",
                lifecycle::PROTOCOL_VERSION
            ))),
        }
    }

    /// The revision of messages that belong to no request of their own: batches and unreadable lines.
    pub(crate) fn negotiated(&self) -> Option<Revision> {
        self.session.as_ref().map(|it| it.revision())
    }

    /// The session, once there is one.
    pub(crate) fn session(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    /// Whether an error without an id can be said here: not to a client whose revision demands one.
    pub(crate) fn errors_without_id(&self) -> bool {
        self.negotiated()
            .is_none_or(|revision| revision.rules().errors_without_id)
    }
}
