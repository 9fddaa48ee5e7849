//! The revision of each message on a stream.

use std::sync::Arc;

use mcp_protocol::{ErrorObject, Method, Request, Revision, lifecycle, transport};
use mcp_server::transport::Session;

/// The session of a stream, once `initialize` has opened it.
#[derive(Debug, Default)]
pub(crate) struct StreamSession {
    session: Option<Arc<Session>>,
}

impl StreamSession {
    /// Returns the revision of a request. An `initialize` request opens a session and negotiates the revision of
    /// requests that name none.
    ///
    /// # Errors
    /// Returns an error if the request names no revision before `initialize`, or names an unsupported one.
    pub(crate) fn revision_of(&mut self, request: &Request) -> Result<Revision, ErrorObject> {
        let params = request.params.as_ref();
        if transport::has_revision_in_meta(params) {
            return transport::revision_name_in_meta(params)
                .and_then(transport::per_request_revision);
        }
        if request.method == Method::Initialize.as_str() {
            let revision = transport::negotiate_revision(request)?;
            self.session = Some(Arc::new(Session::open(revision, request)));
            return Ok(revision);
        }
        match self.negotiated() {
            Some(revision) => Ok(revision),
            // A ping may come before anything else (`basic/lifecycle`).
            None if request.method == Method::Ping.as_str() => Ok(Revision::LATEST_HANDSHAKE),
            None => Err(ErrorObject::invalid_params(format_args!(
                "initialize must be sent first, or _meta must contain {} (a string)",
                lifecycle::PROTOCOL_VERSION
            ))),
        }
    }

    /// Returns the negotiated revision, which applies to batches and invalid lines.
    pub(crate) fn negotiated(&self) -> Option<Revision> {
        self.session.as_ref().map(|it| it.revision())
    }

    /// Returns the session, once it has been opened.
    pub(crate) fn get(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    /// Returns whether the revision allows an error response without an ID.
    pub(crate) fn errors_without_id(&self) -> bool {
        self.negotiated()
            .is_none_or(|revision| revision.features().errors_without_id)
    }
}
