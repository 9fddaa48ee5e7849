//! The connection to a server: the conversation and its transport.

use std::{ops::Deref, sync::Arc};

use crate::{ClientError, conversation::Conversation, http::Http, limits::in_time, lines::Writer};
use mcp_protocol::{Object, jsonrpc};

/// The transport of messages to the server.
#[derive(Clone)]
pub(crate) enum Link {
    Lines(Arc<Writer>),
    Http(Arc<Http>),
}

/// The connection to a server.
#[derive(Clone)]
pub(crate) struct Peer {
    pub(crate) conversation: Arc<Conversation>,
    pub(crate) link: Link,
}

impl Deref for Peer {
    type Target = Conversation;

    fn deref(&self) -> &Conversation {
        &self.conversation
    }
}

impl Peer {
    /// Sends a notification.
    pub(crate) async fn notify(&self, method: &str, params: Object) -> Result<(), ClientError> {
        let text = jsonrpc::notification(method, params);
        match &self.link {
            Link::Lines(writer) => writer.send(text, None),
            Link::Http(http) => {
                let limit = self.config.limits.request_timeout;
                in_time(method, limit, http.say(text, self.revision())).await
            }
        }
    }
}
