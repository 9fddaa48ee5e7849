//! What a handshake leaves behind: what the client can do, its subscriptions, and the questions it was sent.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{
        Mutex,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use mcp_protocol::{
    Capability, ClientRequest, ErrorObject, LogLevel, Object, Request, RequestId, Revision, jsonrpc,
};
use serde_json::Value;
use tokio::{sync::oneshot, time::timeout};

use crate::{
    ask::AskError,
    channel::{ClientChannel, Outgoing},
    lock::lock,
    subscribe::Subscription,
};

/// Questions to one client that are open at once: a person cannot answer as many.
const PENDING: usize = 64;
/// No log message is wanted.
const SILENT: u8 = u8::MAX;

/// One session of the handshake lifecycle: a stdio stream, or an HTTP session.
#[derive(Debug)]
pub struct Session {
    revision: Revision,
    /// Those that this crate knows, and nothing else the client declared: there are many sessions.
    capabilities: Vec<Capability>,
    log_level: AtomicU8,
    /// By URI; `None` while it is being subscribed to.
    subscriptions: Mutex<HashMap<String, Option<Subscription>>>,
    pending: Mutex<PendingQuestions>,
}

#[derive(Debug, Default)]
struct PendingQuestions {
    last: i64,
    waiting: HashMap<i64, oneshot::Sender<Result<Value, ErrorObject>>>,
}

impl Session {
    /// The session that an `initialize` request opens, at the revision it led to.
    #[must_use]
    pub fn open(revision: Revision, initialize: &Request) -> Self {
        let params = initialize.params.as_ref();
        let declared = params
            .and_then(|it| it.get("capabilities"))
            .and_then(Value::as_object);
        let mut capabilities = Capability::ALL.to_vec();
        capabilities.retain(|it| declared.is_some_and(|all| it.is_in(all, revision.rules())));
        Self {
            revision,
            capabilities,
            log_level: AtomicU8::new(SILENT),
            subscriptions: Mutex::default(),
            pending: Mutex::default(),
        }
    }

    /// The revision that was agreed on.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Takes the client's answer to a question; one to a question that is not open is ignored.
    pub fn answer(&self, response: jsonrpc::Response) {
        let Some(RequestId::Integer(id)) = response.id else {
            return;
        };
        let waiting = i64::try_from(id).ok();
        let waiting = waiting.and_then(|id| lock(&self.pending).waiting.remove(&id));
        if let Some(waiting) = waiting {
            // The question may have been dropped just now.
            let _ = waiting.send(response.outcome);
        }
    }

    pub(crate) fn supports(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    pub(crate) fn set_log_level(&self, level: LogLevel) {
        let level = LogLevel::ALL.iter().position(|it| *it == level);
        let level = level.and_then(|it| u8::try_from(it).ok()).unwrap_or(SILENT);
        self.log_level.store(level, Ordering::Relaxed);
    }

    pub(crate) fn wants_log(&self, level: LogLevel) -> bool {
        let least = usize::from(self.log_level.load(Ordering::Relaxed));
        LogLevel::ALL
            .get(least)
            .is_some_and(|least| level >= *least)
    }

    /// Reserves a subscription to a resource; `None` if the session has as many others as it may.
    pub(crate) fn reserve_subscription<'a>(
        &'a self,
        uri: &'a str,
        most: usize,
    ) -> Option<SubscriptionSlot<'a>> {
        let mut subscriptions = lock(&self.subscriptions);
        if subscriptions.len() >= most && !subscriptions.contains_key(uri) {
            return None;
        }
        subscriptions.entry(uri.to_owned()).or_default();
        Some(SubscriptionSlot { session: self, uri })
    }

    pub(crate) fn unsubscribe(&self, uri: &str) {
        let ended = lock(&self.subscriptions).remove(uri);
        // The guard of a set may do anything when it is dropped, so the lock is free by now.
        drop(ended);
    }

    pub(crate) fn is_subscribed_to(&self, uri: &str) -> bool {
        lock(&self.subscriptions).contains_key(uri)
    }

    pub(crate) fn subscribed_uris(&self) -> Vec<String> {
        lock(&self.subscriptions).keys().cloned().collect()
    }

    /// Asks the client on the stream of the request that the question belongs to.
    pub(crate) async fn ask(
        &self,
        channel: &ClientChannel,
        request: &ClientRequest,
        deadline: Duration,
    ) -> Result<Object, AskError> {
        let (send, receive) = oneshot::channel();
        let question = {
            let mut pending = lock(&self.pending);
            if pending.waiting.len() >= PENDING {
                return Err(AskError::Unreachable);
            }
            pending.last += 1;
            let id = pending.last;
            pending.waiting.insert(id, send);
            Question { session: self, id }
        };
        let id = RequestId::Integer(question.id.into());
        let message = jsonrpc::request(&id, request.method(), request.params());
        let answer = async {
            if !channel.send(Outgoing::Message(message.into())).await {
                return Err(AskError::Unreachable);
            }
            receive.await.map_err(|_| AskError::Unreachable)
        };
        let outcome = match timeout(deadline, answer).await {
            Ok(outcome) => outcome?,
            Err(_) => return Err(AskError::TimedOut),
        };
        match outcome {
            Ok(Value::Object(answer)) if request.is_answered_by(&answer) => Ok(answer),
            Ok(_) => Err(AskError::Malformed),
            Err(error) => Err(AskError::Refused(error)),
        }
    }
}

/// A place for one more subscription; free again when dropped, unless it was filled.
pub(crate) struct SubscriptionSlot<'a> {
    session: &'a Session,
    uri: &'a str,
}

impl SubscriptionSlot<'_> {
    /// The client is subscribed now. An earlier subscription to the resource ends, and this one too if the client
    /// has unsubscribed meanwhile.
    pub(crate) fn fill(self, subscription: Subscription) {
        let ended = match lock(&self.session.subscriptions).get_mut(self.uri) {
            Some(kept) => kept.replace(subscription),
            None => Some(subscription),
        };
        drop(ended);
    }
}

impl Drop for SubscriptionSlot<'_> {
    fn drop(&mut self) {
        if let Entry::Occupied(entry) = lock(&self.session.subscriptions).entry(self.uri.to_owned())
            && entry.get().is_none()
        {
            entry.remove();
        }
    }
}

/// A question that is open; closed when dropped.
struct Question<'a> {
    session: &'a Session,
    id: i64,
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        lock(&self.session.pending).waiting.remove(&self.id);
    }
}
