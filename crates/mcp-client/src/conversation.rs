//! What goes on between client and server, whatever carries it: the requests that wait, and who hears what.

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

/// `_meta` key of requests: who the client is.
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

/// What hears of the progress of one request.
pub(crate) type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// Sends a message that has no answer, in a revision. It may not arrive; the room that it takes is free afterwards.
pub(crate) type Say = Box<dyn Fn(String, Revision, Option<OwnedSemaphorePermit>) + Send + Sync>;

/// A request whose answer has not come.
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
    /// One for each request in flight.
    pub(crate) slots: Arc<Semaphore>,
    pub(crate) waiting: Mutex<HashMap<i64, Waiting>>,
    pub(crate) listeners: Mutex<HashMap<i64, Listener>>,
    /// One for each request of the server that is being answered.
    pub(crate) questions: Arc<Semaphore>,
    /// Those requests that can be taken back.
    pub(crate) asked: Mutex<HashMap<RequestId, CancellationToken>>,
    /// How many questions have been answered.
    pub(crate) answered: AtomicUsize,
    /// The parameters that calls repeat in headers, of the tools that have some.
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

    /// The revision that is spoken, or being tried.
    pub(crate) fn revision(&self) -> Revision {
        *self.revision.lock()
    }

    pub(crate) fn speak(&self, revision: Revision) {
        *self.revision.lock() = revision;
    }

    pub(crate) fn next_id(&self) -> i64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Sends a message that has no answer.
    pub(crate) fn say(&self, text: String, slot: Option<OwnedSemaphorePermit>) {
        (self.say)(text, self.revision(), slot);
    }

    /// Whether the server waits for an answer, or has got one since there were so many.
    pub(crate) fn is_asked_since(&self, answered: usize) -> bool {
        !self.asked.lock().is_empty() || self.answered.load(Ordering::Relaxed) != answered
    }

    /// Adds what every request says in `_meta`.
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

    /// Completes a request. What answers none is ignored: it has been cancelled, or answered already.
    pub(crate) fn complete(&self, id: i64, outcome: Result<Value, ClientError>) {
        self.listeners.lock().remove(&id);
        match self.waiting.lock().remove(&id) {
            // The one that waited may be gone by now.
            Some(waiting) => drop(waiting.answer.send(outcome)),
            None => tracing::debug!(id, "an answer to no request in flight is ignored"),
        }
    }

    /// Ends the connection: nothing that waits will be answered.
    pub(crate) fn end(&self, why: impl Fn() -> ClientError) {
        for (_, waiting) in self.waiting.lock().drain() {
            drop(waiting.answer.send(Err(why())));
        }
        self.listeners.lock().clear();
        self.ended.cancel();
    }
}
