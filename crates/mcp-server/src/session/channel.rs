//! The messages to a client before the response to its request.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::session::Session;

/// Capacity of the message queue. A tool sends fewer messages between two iterations of the event loop.
const CAPACITY: usize = 64;

/// A message to a client before the response to its request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a transport has to send every kind, so that a new one is a breaking change"
)]
pub enum ChannelEvent {
    /// A serialized notification or request.
    Message(Bytes),
    /// An instruction for the transport to close the stream. The client resumes it after this time.
    ReleaseStream(Duration),
}

/// A channel for messages to a client before the response to its request. A transport creates one where it can send
/// messages. Without a channel, progress and log messages are dropped. Clones send to the same client.
#[derive(Debug, Clone)]
pub struct ClientChannel {
    outgoing: mpsc::Sender<ChannelEvent>,
    session: Option<Arc<Session>>,
    stopping: CancellationToken,
    can_release: bool,
}

impl ClientChannel {
    /// Creates a channel, and a receiver of its messages for the transport to send. Cancelling `stopping` ends requests
    /// that would not end on their own.
    #[must_use]
    pub fn new(stopping: CancellationToken) -> (Self, mpsc::Receiver<ChannelEvent>) {
        let (outgoing, receiver) = mpsc::channel(CAPACITY);
        let channel = Self {
            outgoing,
            session: None,
            stopping,
            can_release: false,
        };
        (channel, receiver)
    }

    /// Creates a channel that cannot send messages. The client receives only the response.
    #[must_use]
    pub fn new_closed(stopping: CancellationToken) -> Self {
        let (channel, _) = Self::new(stopping);
        channel
    }

    /// Adds the session of the handshake lifecycle. The channel can then also send requests to the client.
    #[must_use]
    pub fn with_session(mut self, session: Arc<Session>) -> Self {
        self.session = Some(session);
        self
    }

    /// Declares the transport's support for [`ChannelEvent::ReleaseStream`].
    #[must_use]
    pub fn with_stream_release_support(mut self) -> Self {
        self.can_release = true;
        self
    }

    /// Sends a message that must not be dropped. Waits until there is capacity for it. Returns `false` if the client
    /// has disconnected.
    ///
    /// # Cancel safety
    /// If the future is dropped before it completes, nothing is sent.
    pub async fn send(&self, message: ChannelEvent) -> bool {
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

    /// Returns whether [`ClientChannel::try_notify`] would send a message.
    pub(crate) fn has_room(&self) -> bool {
        self.outgoing.capacity() > 0
    }

    /// Sends a message, or drops it if the client reads too slowly.
    pub(crate) fn try_notify(&self, message: String) {
        let message = ChannelEvent::Message(Bytes::from(message));
        if self.outgoing.try_send(message).is_err() {
            tracing::debug!("a notification was dropped: the client does not read");
        }
    }

    /// Waits until the client has disconnected.
    pub(crate) async fn gone(&self) {
        self.outgoing.closed().await;
    }
}
