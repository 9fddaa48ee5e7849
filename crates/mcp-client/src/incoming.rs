//! Messages of the server: responses, notifications and server requests.

use std::sync::{Arc, atomic::Ordering};

use mcp_protocol::{
    ErrorObject, Method, Object, Request, RequestId, ServerRequest,
    jsonrpc::{
        InvalidMessage, Message, MessageOrBatch, Notification, ReadLimits, parse_with_limits,
    },
};
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;

use crate::{
    ClientError, ClientLimits, NotificationBody, ServerNotification, conversation::Conversation,
    id::own_id,
};

impl Conversation {
    /// Handles the messages on one line.
    pub(crate) fn receive_line(self: &Arc<Self>, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        match messages(line, &self.config.limits) {
            Ok(messages) => {
                for message in messages {
                    self.receive(message);
                }
            }
            Err(invalid) => self.receive_invalid(line, &invalid),
        }
    }

    pub(crate) fn receive(self: &Arc<Self>, message: Message) {
        match message {
            Message::Response(response) => match response.id.as_ref().and_then(own_id) {
                Some(id) => self.complete(id, response.outcome.map_err(ClientError::Rpc)),
                None => tracing::warn!(?response.outcome, "ignoring a response with an unknown ID"),
            },
            Message::Notification(notification) => self.receive_notification(notification),
            Message::Request(request) => self.receive_request(request),
        }
    }

    /// Handles a line that is not a JSON-RPC message. If it has the ID of a request in flight, that request fails.
    fn receive_invalid(&self, line: &[u8], invalid: &InvalidMessage) {
        let why = &invalid.error.message;
        tracing::warn!(why, "the server sent a line that is not a JSON-RPC message");
        let id = serde_json::from_slice::<Object>(line);
        let id = id.ok().filter(|it| !it.contains_key("method"));
        let id = id.and_then(|it| RequestId::read(it.get("id")?));
        if let Some(id) = id.as_ref().and_then(own_id) {
            self.complete(id, Err(ClientError::Decode(why.clone())));
        }
    }

    fn receive_notification(&self, notification: Notification) {
        let notification = ServerNotification::new(notification);
        match &notification.kind {
            NotificationBody::Progress(progress) => {
                let id = own_id(&progress.token);
                let on_progress =
                    id.and_then(|id| self.waiting.lock().get(&id)?.on_progress.clone());
                // The lock is released first, because the callback is code of the program.
                if let Some(on_progress) = on_progress {
                    return on_progress(progress.clone());
                }
            }
            NotificationBody::Cancelled(id) => {
                if let Some(question) = self.asked.lock().remove(id) {
                    return question.cancel();
                }
            }
            _ => (),
        }
        let mut is_heard = false;
        for (&id, listener) in self.listeners.lock().iter() {
            is_heard |= listener.hear(id, &notification);
        }
        if !is_heard {
            self.config.handler.tell(notification);
        }
    }

    fn receive_request(self: &Arc<Self>, request: Request) {
        if !self.revision().has_handshake() {
            // The client must not respond (2026-07-28 `basic/patterns`).
            let method = request.method;
            return tracing::warn!(
                method,
                "the server sent a request in a protocol version without server requests"
            );
        }
        let Ok(slot) = Arc::clone(&self.questions).try_acquire_owned() else {
            let method = request.method;
            return tracing::warn!(method, "the server sent too many requests at once");
        };
        let (id, method) = (request.id, request.method);
        if method == Method::Ping.as_str() {
            return self.answer(&id, Ok(Object::new()), slot);
        }
        let Some(question) = ServerRequest::read(&method, request.params.unwrap_or_default())
        else {
            return self.answer(&id, Err(ErrorObject::method_not_found(&method)), slot);
        };
        let taken_back = CancellationToken::new();
        self.asked.lock().insert(id.clone(), taken_back.clone());
        let asked = PendingRequest {
            to: Arc::clone(self),
            id,
            slot: Some(slot),
        };
        self.tasks.spawn(async move {
            let mut asked = asked;
            let answer = asked.to.config.handler.ask(question);
            if let Some(answer) = taken_back.run_until_cancelled(answer).await {
                asked.answer(answer);
            }
        });
    }

    fn answer(
        &self,
        id: &RequestId,
        answer: Result<Object, ErrorObject>,
        slot: OwnedSemaphorePermit,
    ) {
        let (member, value) = match answer {
            Ok(result) => ("result", result.into()),
            Err(error) => ("error", error.to_value()),
        };
        let response = json!({"jsonrpc": "2.0", "id": id.to_value(), member: value});
        self.say(response.to_string(), Some(slot));
    }
}

/// A server request in progress. If the handler panics, the response is an error.
struct PendingRequest {
    to: Arc<Conversation>,
    id: RequestId,
    slot: Option<OwnedSemaphorePermit>,
}

impl PendingRequest {
    /// Sends the response, unless one has been sent or the server has cancelled the request.
    fn answer(&mut self, answer: Result<Object, ErrorObject>) {
        let is_open = self.to.asked.lock().remove(&self.id).is_some();
        if let Some(slot) = self.slot.take().filter(|_| is_open) {
            self.to.answered.fetch_add(1, Ordering::Relaxed);
            self.to.answer(&self.id, answer, slot);
        }
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        self.answer(Err(ErrorObject::opaque_internal()));
    }
}

/// Returns the messages of one line or body.
pub(crate) fn messages(
    bytes: &[u8],
    limits: &ClientLimits,
) -> Result<Vec<Message>, InvalidMessage> {
    let limits = ReadLimits::default().with_values(limits.message_values);
    Ok(match parse_with_limits(bytes, limits)? {
        MessageOrBatch::Single(message) => vec![message],
        // Invalid items of a batch are skipped.
        MessageOrBatch::Batch(items) => items.into_iter().flatten().collect(),
    })
}
