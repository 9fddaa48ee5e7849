//! The messages to a client while one of its requests is being answered.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::session::Session;

/// Messages that wait for the transport. More than a tool sends between two turns of the event loop.
const CAPACITY: usize = 64;

/// A message to a client before the response to its request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a transport has to send every kind, so that a new one is a breaking change"
)]
pub enum InterimMessage {
    /// A notification or a request, in its wire form.
    Message(Bytes),
    /// The transport closes the stream, and the client resumes it after this time.
    ReleaseStream(Duration),
}

/// Sends messages to a client before the response to its request. A transport makes one where it can send messages;
/// without one, progress and log messages are dropped. Clones send to the same client.
#[derive(Debug, Clone)]
pub struct ClientChannel {
    outgoing: mpsc::Sender<InterimMessage>,
    session: Option<Arc<Session>>,
    stopping: CancellationToken,
    can_release: bool,
}

impl ClientChannel {
    /// A channel, and the messages that the transport is to send. Cancelling `stopping` ends requests that would not end
    /// by themselves.
    #[must_use]
    pub fn new(stopping: CancellationToken) -> (Self, mpsc::Receiver<InterimMessage>) {
        let (outgoing, receiver) = mpsc::channel(CAPACITY);
        let channel = Self {
            outgoing,
            session: None,
            stopping,
            can_release: false,
        };
        (channel, receiver)
    }

    /// A channel on which nothing can be sent: the response comes alone.
    #[must_use]
    pub fn closed(stopping: CancellationToken) -> Self {
        let (channel, _) = Self::new(stopping);
        channel
    }

    /// Adds the session of the handshake lifecycle, in which the client can be asked, too.
    #[must_use]
    pub fn with_session(mut self, session: Arc<Session>) -> Self {
        self.session = Some(session);
        self
    }

    /// The transport supports [`InterimMessage::ReleaseStream`].
    #[must_use]
    pub fn with_stream_release_support(mut self) -> Self {
        self.can_release = true;
        self
    }

    /// Sends a message that must arrive, and waits until there is room for it; `false` if the client is gone.
    ///
    /// # Cancel safety
    /// Nothing is sent if the future is dropped before it is ready.
    pub async fn send(&self, message: InterimMessage) -> bool {
        self.outgoing.send(message).await.is_ok()
    }

    pub(crate) fn session(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    pub(crate) fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    pub(crate) fn can_release(&self) -> bool {
        self.can_release
    }

    /// Whether [`ClientChannel::try_notify`] would send.
    pub(crate) fn has_room(&self) -> bool {
        self.outgoing.capacity() > 0
    }

    /// Sends a message, or drops it if the client does not keep up.
    pub(crate) fn try_notify(&self, message: String) {
        let message = InterimMessage::Message(Bytes::from(message));
        if self.outgoing.try_send(message).is_err() {
            tracing::debug!("a notification was dropped: the client does not read");
        }
    }

    /// Waits until the client is gone.
    pub(crate) async fn gone(&self) {
        self.outgoing.closed().await;
    }
}
