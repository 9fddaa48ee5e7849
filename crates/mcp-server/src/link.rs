//! The way back to a client while one of its requests is under way.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::session::Session;

/// How many messages a transport should take before it has passed one on.
pub const OUTGOING: usize = 64;

/// What a request has to say before its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// A notification or a request, in its wire form.
    Message(Bytes),
    /// The client shall be let go, and ask for the rest after this time.
    Poll(Duration),
}

/// Carries what a request has to say before its response. A transport makes one where the client can
/// be told something at all; without one, progress and log messages go nowhere.
#[derive(Debug)]
pub struct Link {
    outgoing: mpsc::Sender<Outgoing>,
    session: Option<Arc<Session>>,
    stopping: CancellationToken,
    can_poll: bool,
}

impl Link {
    /// A link that sends on `outgoing`, which should hold [`OUTGOING`] messages. `stopping` tells
    /// requests that have no end of their own to end.
    #[must_use]
    pub fn new(outgoing: mpsc::Sender<Outgoing>, stopping: CancellationToken) -> Self {
        Self {
            outgoing,
            session: None,
            stopping,
            can_poll: false,
        }
    }

    /// Within a session of the handshake lifecycle: the client can be asked, too.
    #[must_use]
    pub fn in_session(mut self, session: Arc<Session>) -> Self {
        self.session = Some(session);
        self
    }

    /// The transport takes [`Outgoing::Poll`].
    #[must_use]
    pub fn with_polling(mut self) -> Self {
        self.can_poll = true;
        self
    }

    pub(crate) fn session(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    pub(crate) fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    pub(crate) fn can_poll(&self) -> bool {
        self.can_poll
    }

    /// Says something that may be lost: a client that does not read gets no more of it.
    pub(crate) fn mention(&self, message: String) {
        let message = Outgoing::Message(Bytes::from(message));
        if self.outgoing.try_send(message).is_err() {
            tracing::debug!("the client does not take what a request says");
        }
    }

    /// Says something that must arrive; `false` if the client has gone.
    pub(crate) async fn say(&self, message: Outgoing) -> bool {
        self.outgoing.send(message).await.is_ok()
    }

    /// Waits until nobody listens any more.
    pub(crate) async fn closed(&self) {
        self.outgoing.closed().await;
    }
}
