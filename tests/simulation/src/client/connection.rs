//! What one client has said and heard, whichever transport carries it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use mcp_schema::Conversation;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::{
    judge::{Asked, Judge},
    plan::ClientPlan,
    stage::Site,
};

/// How many connections a client opens at most.
const GENERATIONS: u64 = 1_000;

/// Shared by what writes and what reads.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    pub(crate) plan: ClientPlan,
    pub(crate) judge: Judge,
    /// Names it in the trace.
    pub(crate) number: u64,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    conversation: Conversation,
    next_id: u64,
    waiting: BTreeMap<u64, oneshot::Sender<()>>,
    subscribed: BTreeSet<&'static str>,
    has_ended: bool,
}

impl Connection {
    pub(crate) fn new(plan: ClientPlan, site: &Site) -> Self {
        let inner = Inner {
            conversation: Conversation::new(plan.revision),
            next_id: 0,
            waiting: BTreeMap::new(),
            subscribed: BTreeSet::new(),
            has_ended: false,
        };
        Self {
            plan,
            judge: site.judge.clone(),
            number: plan.number as u64 * GENERATIONS,
            inner: Arc::new(Mutex::new(inner)),
        }
    }

    /// The next one of the same client, which knows nothing of this one.
    pub(crate) fn next(&self, site: &Site) -> Self {
        Self {
            number: self.number + 1,
            ..Self::new(self.plan, site)
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn next_id(&self) -> u64 {
        let mut inner = self.inner();
        inner.next_id += 1;
        inner.next_id
    }

    /// Notes what is about to be sent; the receiver is told of the answer.
    pub(crate) fn sends(&self, id: u64, message: &Value, asked: Asked) -> oneshot::Receiver<()> {
        let (sender, receiver) = oneshot::channel();
        let mut inner = self.inner();
        if inner.has_ended {
            return receiver;
        }
        self.judge.asked(self.number, id, asked);
        inner.conversation.sent(message);
        inner.waiting.insert(id, sender);
        receiver
    }

    pub(crate) fn subscribed(&self, uri: &'static str) {
        self.inner().subscribed.insert(uri);
    }

    /// Judges what the server said.
    pub(crate) fn heard(&self, message: &Value) {
        if let Some(messages) = message.as_array() {
            return messages.iter().for_each(|it| self.heard(it));
        }
        self.inner().conversation.heard(message);
        let Some(method) = message["method"].as_str() else {
            self.judge.heard(self.number, message);
            let id = message["id"].as_u64().unwrap_or_default();
            if let Some(waiting) = self.inner().waiting.remove(&id) {
                // Who cancelled does not wait.
                let _ = waiting.send(());
            }
            return;
        };
        let params = &message["params"];
        let problem = match method {
            "notifications/progress" => {
                let id = params["progressToken"].as_u64().unwrap_or_default();
                (!self.judge.is_open(self.number, id)).then_some("progress of no request")
            }
            "notifications/resources/updated" => {
                let uri = params["uri"].as_str().unwrap_or_default();
                let is_known = self.inner().subscribed.contains(uri);
                (!is_known).then_some("an update of what is not subscribed to")
            }
            _ => None,
        };
        match problem {
            Some(problem) => self
                .judge
                .broke(format!("{} {problem}: {message}", self.number)),
            None => self.judge.say(format!("{} ~ {method}", self.number)),
        }
    }

    /// No answer to this one comes.
    pub(crate) fn closed(&self, id: u64) {
        self.judge.closed(self.number, id);
        self.inner().waiting.remove(&id);
    }

    /// Nothing more comes.
    pub(crate) fn ended(&self) {
        self.judge.ended(self.number);
        let mut inner = self.inner();
        inner.waiting.clear();
        inner.has_ended = true;
    }

    /// The client is gone.
    pub(crate) fn left(&self) {
        self.judge.left(self.number);
        self.inner().waiting.clear();
    }
}
