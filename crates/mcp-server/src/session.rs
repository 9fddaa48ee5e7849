//! What a handshake leaves behind: what the client can do, and what it is waiting for.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{
        Mutex, MutexGuard, PoisonError,
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
    link::{Link, Outgoing},
    watch::Watched,
};

/// Questions to one client that are open at once.
const ASKED: usize = 64;
/// No log message is wanted.
const SILENT: u8 = u8::MAX;

/// One session of the handshake lifecycle: a stdio stream, or an HTTP session.
#[derive(Debug)]
pub struct Session {
    revision: Revision,
    /// Those that we know, and nothing else of what the client said: sessions are many.
    capabilities: Vec<Capability>,
    log_level: AtomicU8,
    /// `None` for one that is about to be watched.
    watched: Mutex<HashMap<String, Option<Watched>>>,
    asked: Mutex<Asked>,
}

#[derive(Debug, Default)]
struct Asked {
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
            watched: Mutex::default(),
            asked: Mutex::default(),
        }
    }

    /// The revision that was agreed on.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Takes the client's answer to a question; one that nobody waits for is ignored.
    pub fn answer(&self, response: jsonrpc::Response) {
        let Some(RequestId::Integer(id)) = response.id else {
            return;
        };
        let waiting = i64::try_from(id).ok();
        let waiting = waiting.and_then(|id| lock(&self.asked).waiting.remove(&id));
        if let Some(waiting) = waiting {
            // The question may have been given up just now.
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

    /// Makes room to watch a resource; `None` if the session watches as many others as it may.
    pub(crate) fn reserve_watch<'a>(
        &'a self,
        uri: &'a str,
        most: usize,
    ) -> Option<ReservedWatch<'a>> {
        let mut watched = lock(&self.watched);
        if watched.len() >= most && !watched.contains_key(uri) {
            return None;
        }
        watched.entry(uri.to_owned()).or_default();
        Some(ReservedWatch { session: self, uri })
    }

    pub(crate) fn unwatch(&self, uri: &str) {
        let ended = lock(&self.watched).remove(uri);
        // What a set does at the end of a watch is none of the session's, so the lock is free by now.
        drop(ended);
    }

    pub(crate) fn watches(&self, uri: &str) -> bool {
        lock(&self.watched).contains_key(uri)
    }

    pub(crate) fn watched(&self) -> Vec<String> {
        lock(&self.watched).keys().cloned().collect()
    }

    /// Asks the client on the stream of the request that the question belongs to.
    pub(crate) async fn ask(
        &self,
        link: &Link,
        request: &ClientRequest,
        deadline: Duration,
    ) -> Result<Object, AskError> {
        let (send, receive) = oneshot::channel();
        let question = {
            let mut asked = lock(&self.asked);
            if asked.waiting.len() >= ASKED {
                return Err(AskError::Unreachable);
            }
            asked.last += 1;
            let id = asked.last;
            asked.waiting.insert(id, send);
            Question { session: self, id }
        };
        let id = RequestId::Integer(question.id.into());
        let message = jsonrpc::request(&id, request.method(), request.params());
        let asked = async {
            if !link.say(Outgoing::Message(message.into())).await {
                return Err(AskError::Unreachable);
            }
            receive.await.map_err(|_| AskError::Unreachable)
        };
        let outcome = match timeout(deadline, asked).await {
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

/// Room for a resource to watch; free again when dropped, unless it was kept.
pub(crate) struct ReservedWatch<'a> {
    session: &'a Session,
    uri: &'a str,
}

impl ReservedWatch<'_> {
    /// It is watched now. The watch before it ends, and this one too if the client has unsubscribed
    /// meanwhile.
    pub(crate) fn keep(self, watch: Watched) {
        let ended = match lock(&self.session.watched).get_mut(self.uri) {
            Some(kept) => kept.replace(watch),
            None => Some(watch),
        };
        drop(ended);
    }
}

impl Drop for ReservedWatch<'_> {
    fn drop(&mut self) {
        if let Entry::Occupied(entry) = lock(&self.session.watched).entry(self.uri.to_owned())
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
        lock(&self.session.asked).waiting.remove(&self.id);
    }
}

/// Poisoned or not, what these locks guard is valid at every step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
