//! The state of a connection, independent of the transport: requests in flight, subscriptions, and server requests.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
};

use mcp_protocol::{Object, RequestId, Revision, lifecycle, transport::HeaderParameter};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{ClientConfig, ClientError, Progress, listener::Listener, tasks::Tasks};

/// `_meta` key of requests: the client's name and version.
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

/// A callback for the progress of one request.
pub(crate) type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// Sends a message that has no response, in a revision. Delivery is not guaranteed. The permit is released afterwards.
pub(crate) type Say = Box<dyn Fn(String, Revision, Option<OwnedSemaphorePermit>) + Send + Sync>;

/// A request that awaits its response.
pub(crate) struct Waiting {
    pub(crate) answer: oneshot::Sender<Result<Value, ClientError>>,
    pub(crate) on_progress: Option<OnProgress>,
}

pub(crate) struct Conversation {
    pub(crate) config: ClientConfig,
    say: Say,
    pub(crate) tasks: Tasks,
    /// Cancelled when the connection has ended.
    pub(crate) ended: CancellationToken,
    revision: Mutex<Revision>,
    last_id: AtomicI64,
    /// One permit for each request in flight.
    pub(crate) slots: Arc<Semaphore>,
    pub(crate) waiting: Mutex<HashMap<i64, Waiting>>,
    pub(crate) listeners: Mutex<HashMap<i64, Listener>>,
    /// One permit for each server request in progress.
    pub(crate) questions: Arc<Semaphore>,
    /// The server requests in progress, which the server can cancel.
    pub(crate) asked: Mutex<HashMap<RequestId, CancellationToken>>,
    /// The number of server requests that have been answered.
    pub(crate) answered: AtomicUsize,
    /// The parameters that calls repeat in headers, by tool.
    pub(crate) header_parameters: Mutex<HashMap<String, Vec<HeaderParameter>>>,
}

impl Conversation {
    pub(crate) fn new(config: ClientConfig, say: Say, tasks: Tasks) -> Arc<Self> {
        let limits = config.limits;
        Arc::new(Self {
            revision: Mutex::new(config.revision.unwrap_or(Revision::LATEST_HANDSHAKE)),
            config,
            say,
            tasks,
            ended: CancellationToken::new(),
            last_id: AtomicI64::new(0),
            slots: Arc::new(Semaphore::new(limits.requests_in_flight.max(1))),
            waiting: Mutex::default(),
            listeners: Mutex::default(),
            questions: Arc::new(Semaphore::new(limits.server_requests)),
            asked: Mutex::default(),
            answered: AtomicUsize::new(0),
            header_parameters: Mutex::default(),
        })
    }

    /// Returns the revision in use, or the one being tried.
    pub(crate) fn revision(&self) -> Revision {
        *self.revision.lock()
    }

    pub(crate) fn speak(&self, revision: Revision) {
        *self.revision.lock() = revision;
    }

    pub(crate) fn next_id(&self) -> i64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Sends a message that has no response.
    pub(crate) fn say(&self, text: String, slot: Option<OwnedSemaphorePermit>) {
        (self.say)(text, self.revision(), slot);
    }

    /// Returns whether a server request is in progress, or has been answered since the count was `answered`.
    pub(crate) fn is_asked_since(&self, answered: usize) -> bool {
        !self.asked.lock().is_empty() || self.answered.load(Ordering::Relaxed) != answered
    }

    /// Adds the `_meta` fields of every request.
    pub(crate) fn add_meta(&self, params: &mut Object, progress_token: Option<i64>) {
        let revision = self.revision();
        if revision.has_handshake() && progress_token.is_none() {
            return;
        }
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        let Some(meta) = meta.as_object_mut() else {
            return;
        };
        if let Some(token) = progress_token {
            meta.insert("progressToken".to_owned(), token.into());
        }
        if !revision.has_handshake() {
            let version = lifecycle::PROTOCOL_VERSION.to_owned();
            meta.insert(version, revision.name().into());
            let capabilities = lifecycle::CLIENT_CAPABILITIES.to_owned();
            meta.insert(capabilities, self.config.capabilities(revision));
            meta.insert(CLIENT_INFO.to_owned(), self.config.info(revision));
        }
    }

    /// Completes a request. A response without a request in flight is ignored: the request was cancelled, or already
    /// answered.
    pub(crate) fn complete(&self, id: i64, outcome: Result<Value, ClientError>) {
        self.listeners.lock().remove(&id);
        match self.waiting.lock().remove(&id) {
            // The caller may be gone by now.
            Some(waiting) => drop(waiting.answer.send(outcome)),
            None => tracing::debug!(id, "ignoring a response to no request in flight"),
        }
    }

    /// Ends the connection. All requests in flight fail.
    pub(crate) fn end(&self, why: impl Fn() -> ClientError) {
        for (_, waiting) in self.waiting.lock().drain() {
            drop(waiting.answer.send(Err(why())));
        }
        self.listeners.lock().clear();
        self.ended.cancel();
    }
}
