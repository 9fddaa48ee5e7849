//! Requests in flight. Dropping one cancels it.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use mcp_protocol::{Method, Object, jsonrpc};
use serde_json::{Value, json};
use tokio::{
    sync::{OwnedSemaphorePermit, oneshot},
    task::AbortHandle,
};

use crate::{
    ClientError,
    conversation::{OnProgress, Waiting},
    http::Headers,
    id::wire_id,
    limits::in_time,
    open,
    peer::{Link, Peer},
};

impl Peer {
    /// Sends a request without progress.
    pub(crate) async fn ask(&self, method: &str, params: Object) -> Result<Value, ClientError> {
        let limit = self.config.limits.request_timeout;
        self.request(method, params, None, limit).await
    }

    /// Sends a request and returns its result unchanged. The limit does not expire while the server waits for a
    /// response of the client. If the server no longer has the session, the client sends the request again in a new
    /// one.
    pub(crate) async fn request(
        &self,
        method: &str,
        params: Object,
        on_progress: Option<OnProgress>,
        limit: Duration,
    ) -> Result<Value, ClientError> {
        let has_session = matches!(&self.link, Link::Http(it) if it.has_session());
        let again = has_session.then(|| (params.clone(), on_progress.clone()));
        let outcome = self.request_once(method, params, on_progress, limit).await;
        match (outcome, again) {
            (Err(ClientError::SessionEnded), Some((params, on_progress))) => {
                in_time(method, limit, open::renew(self)).await?;
                self.request_once(method, params, on_progress, limit).await
            }
            (outcome, _) => outcome,
        }
    }

    pub(crate) async fn request_once(
        &self,
        method: &str,
        params: Object,
        on_progress: Option<OnProgress>,
        limit: Duration,
    ) -> Result<Value, ClientError> {
        let begun = InFlight::begin(self, self.next_id(), method, params, on_progress);
        let mut in_flight = in_time(method, limit, begun).await?;
        loop {
            let answered = self.answered.load(Ordering::Relaxed);
            match in_time(method, limit, in_flight.answer()).await {
                Err(ClientError::TimedOut { .. }) if self.is_asked_since(answered) => (),
                outcome => return outcome,
            }
        }
    }
}

/// A request in flight.
pub(crate) struct InFlight {
    peer: Peer,
    id: i64,
    is_initialize: bool,
    answer: oneshot::Receiver<Result<Value, ClientError>>,
    /// The task that carries the request over HTTP.
    task: Option<AbortHandle>,
    /// The permit of the request, or `None` if it does not count toward the limit.
    pub(crate) slot: Option<OwnedSemaphorePermit>,
}

impl InFlight {
    /// Sends a request as soon as there is a permit for it.
    pub(crate) async fn begin(
        peer: &Peer,
        id: i64,
        method: &str,
        mut params: Object,
        on_progress: Option<OnProgress>,
    ) -> Result<Self, ClientError> {
        let slot = Arc::clone(&peer.slots).acquire_owned().await;
        let slot = slot.map_err(|_| ClientError::Closed)?;
        peer.add_meta(&mut params, on_progress.as_ref().map(|_| id));
        let (sender, answer) = oneshot::channel();
        let waiting = Waiting {
            answer: sender,
            on_progress,
        };
        peer.waiting.lock().insert(id, waiting);
        let mut in_flight = Self {
            peer: peer.clone(),
            id,
            is_initialize: method == Method::Initialize.as_str(),
            answer,
            task: None,
            slot: Some(slot),
        };
        match &peer.link {
            Link::Lines(writer) => {
                writer.send(jsonrpc::request(&wire_id(id), method, params), None)?;
            }
            Link::Http(http) => {
                let headers = Headers::of(peer, method, &params);
                let text = jsonrpc::request(&wire_id(id), method, params);
                let (http, to) = (Arc::clone(http), Arc::clone(&peer.conversation));
                in_flight.task = Some(peer.tasks.spawn(async move {
                    if let Err(why) = http.exchange(&to, id, headers, text).await {
                        to.complete(id, Err(why));
                    }
                }));
            }
        }
        // The connection may have ended since the permit was acquired.
        match peer.ended.is_cancelled() {
            true => Err(ClientError::Closed),
            false => Ok(in_flight),
        }
    }

    /// Waits for the response. Dropping this future does not cancel the request.
    pub(crate) async fn answer(&mut self) -> Result<Value, ClientError> {
        (&mut self.answer).await.unwrap_or(Err(ClientError::Closed))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let peer = &self.peer;
        peer.listeners.lock().remove(&self.id);
        let is_open = peer.waiting.lock().remove(&self.id).is_some();
        if let Some(task) = &self.task {
            // Without a handshake, closing the connection cancels a request (2026-07-28 `basic/patterns/cancellation`).
            task.abort();
        }
        // `initialize` is never cancelled (`basic/utilities/cancellation`).
        if !is_open || self.is_initialize {
            return;
        }
        let params = Object::from_iter([("requestId".to_owned(), json!(self.id))]);
        let text = jsonrpc::notification("notifications/cancelled", params);
        peer.say(text, self.slot.take());
    }
}
