//! The state of a handshake: the client's capabilities, its subscriptions, and the requests sent to it.

pub(crate) mod change_notifier;
mod channel;
pub(crate) mod notifications;
mod shutdown;
pub(crate) mod subscription;

use std::{
    collections::{HashMap, VecDeque, hash_map::Entry},
    time::Duration,
};

use mcp_protocol::{
    Capability, ErrorObject, LogLevel, Object, RELATED_TASK, Request, RequestId, Revision,
    ServerRequest, jsonrpc, ui::ViewSupport,
};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::{sync::oneshot, time::timeout};

use self::subscription::Subscription;
pub use self::{
    change_notifier::ChangeNotifier,
    channel::{ChannelEvent, ClientChannel},
    notifications::NotificationStream,
    shutdown::{ShutdownReport, ShutdownToken},
    subscription::SubscriptionGuard,
};
use crate::context::AskError;

/// Maximum number of pending requests to one client. A person cannot answer more.
const PENDING: usize = 64;

/// Maximum number of stored characters of a client's name. There are many sessions.
const CLIENT_NAME: usize = 64;

/// A session of the handshake lifecycle: a stdio stream or an HTTP session.
#[derive(Debug)]
pub struct Session {
    revision: Revision,
    /// The client's name, as the client sent it.
    client_name: Option<Box<str>>,
    /// The capabilities that this crate supports. Others are not stored, because there are many sessions.
    capabilities: Vec<Capability>,
    view_support: ViewSupport,
    /// The log level, or `None` until the client sets one. Without one, the client gets no log messages.
    log_level: Mutex<Option<LogLevel>>,
    /// The subscriptions by URI. The value is `None` while the subscription is being created.
    subscriptions: Mutex<HashMap<String, Option<Subscription>>>,
    pending: Mutex<PendingRequests>,
    /// The IDs of URLs that the client was asked to open, oldest first, until the user has finished.
    open_urls: Mutex<VecDeque<String>>,
    /// The IDs of the client's last tasks, oldest first.
    tasks: Mutex<VecDeque<String>>,
}

#[derive(Debug, Default)]
struct PendingRequests {
    last: i64,
    waiting: HashMap<i64, oneshot::Sender<Result<Value, ErrorObject>>>,
}

impl Session {
    /// Opens the session of an `initialize` request, with the negotiated revision.
    #[must_use]
    pub fn open(revision: Revision, initialize: &Request) -> Self {
        let params = initialize.params.as_ref();
        let declared = params
            .and_then(|it| it.get("capabilities"))
            .and_then(Value::as_object);
        let mut capabilities = Capability::ALL.to_vec();
        capabilities
            .retain(|it| declared.is_some_and(|all| it.is_declared_in(all, revision.features())));
        let client = params.and_then(|it| it.get("clientInfo")?.get("name")?.as_str());
        Self {
            revision,
            client_name: client.map(|it| it.chars().take(CLIENT_NAME).collect()),
            capabilities,
            view_support: declared.map_or_else(ViewSupport::default, ViewSupport::of),
            log_level: Mutex::default(),
            subscriptions: Mutex::default(),
            pending: Mutex::default(),
            open_urls: Mutex::default(),
            tasks: Mutex::default(),
        }
    }

    /// Returns the negotiated revision.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the client's name.
    pub(crate) fn client_name(&self) -> Option<&str> {
        self.client_name.as_deref()
    }

    /// Delivers the client's response to a request. Ignores it if that request is not pending.
    pub fn receive_response(&self, response: jsonrpc::Response) {
        let Some(RequestId::Integer(id)) = response.id else {
            return;
        };
        let waiting = i64::try_from(id).ok();
        let waiting = waiting.and_then(|id| self.pending.lock().waiting.remove(&id));
        if let Some(waiting) = waiting {
            // The request may have been dropped meanwhile.
            let _ = waiting.send(response.outcome);
        }
    }

    pub(crate) fn supports(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    pub(crate) fn view_support(&self) -> ViewSupport {
        self.view_support
    }

    pub(crate) fn set_log_level(&self, level: LogLevel) {
        *self.log_level.lock() = Some(level);
    }

    pub(crate) fn wants_log(&self, level: LogLevel) -> bool {
        self.log_level.lock().is_some_and(|least| level >= least)
    }

    /// Reserves a subscription to a resource. Returns `None` if the session already has `most` other subscriptions.
    pub(crate) fn reserve_subscription<'a>(
        &'a self,
        uri: &'a str,
        most: usize,
    ) -> Option<SubscriptionSlot<'a>> {
        let mut subscriptions = self.subscriptions.lock();
        if subscriptions.len() >= most && !subscriptions.contains_key(uri) {
            return None;
        }
        subscriptions.entry(uri.to_owned()).or_default();
        Some(SubscriptionSlot { session: self, uri })
    }

    pub(crate) fn unsubscribe(&self, uri: &str) {
        let ended = self.subscriptions.lock().remove(uri);
        // The guard of a set may do anything when it is dropped, so the lock is released first.
        drop(ended);
    }

    pub(crate) fn is_subscribed_to(&self, uri: &str) -> bool {
        self.subscriptions.lock().contains_key(uri)
    }

    pub(crate) fn subscribed_uris(&self) -> Vec<String> {
        self.subscriptions.lock().keys().cloned().collect()
    }

    /// Stores the ID of a URL that the client was asked to open, so that only this client is notified when the user has
    /// finished.
    pub(crate) fn opens_url(&self, request: &ServerRequest) {
        if let ServerRequest::ElicitUrl { id, .. } = request {
            keep_newest(&self.open_urls, id);
        }
    }

    /// Removes the ID of a URL. Returns `false` if the client was not asked to open the URL.
    pub(crate) fn has_opened_url(&self, id: &str) -> bool {
        let mut open = self.open_urls.lock();
        let found = open.iter().position(|it| it == id);
        found.is_some_and(|it| open.remove(it).is_some())
    }

    /// Stores the ID of a task of the client, which receives notifications about it.
    pub(crate) fn opens_task(&self, id: &str) {
        keep_newest(&self.tasks, id);
    }

    pub(crate) fn task_ids(&self) -> Vec<String> {
        self.tasks.lock().iter().cloned().collect()
    }

    /// Sends a request to the client on the stream of the client's request, and waits for the response. A request of a
    /// task names the task.
    pub(crate) async fn ask(
        &self,
        channel: &ClientChannel,
        request: &ServerRequest,
        task: Option<&str>,
        deadline: Duration,
    ) -> Result<Object, AskError> {
        let (send, receive) = oneshot::channel();
        let pending = {
            let mut pending = self.pending.lock();
            if pending.waiting.len() >= PENDING {
                return Err(AskError::Unreachable);
            }
            pending.last += 1;
            let id = pending.last;
            pending.waiting.insert(id, send);
            PendingRequest { session: self, id }
        };
        let id = RequestId::Integer(pending.id.into());
        let mut params = request.params(self.revision.features());
        if let Some(task) = task {
            params.insert("_meta".to_owned(), json!({RELATED_TASK: {"taskId": task}}));
        }
        let message = jsonrpc::request(&id, request.method(), params);
        self.opens_url(request);
        let answer = async {
            if !channel.send(ChannelEvent::Message(message.into())).await {
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

/// Adds an ID. It replaces the oldest one if there are many.
fn keep_newest(ids: &Mutex<VecDeque<String>>, id: &str) {
    let mut ids = ids.lock();
    if ids.len() >= PENDING {
        ids.pop_front();
    }
    ids.push_back(id.to_owned());
}

/// A slot for one more subscription. It is released when dropped, unless it was filled.
pub(crate) struct SubscriptionSlot<'a> {
    session: &'a Session,
    uri: &'a str,
}

impl SubscriptionSlot<'_> {
    /// Stores the subscription. An earlier subscription to the resource ends. If the client has unsubscribed meanwhile,
    /// this subscription ends, too.
    pub(crate) fn fill(self, subscription: Subscription) {
        let ended = match self.session.subscriptions.lock().get_mut(self.uri) {
            Some(kept) => kept.replace(subscription),
            None => Some(subscription),
        };
        drop(ended);
    }
}

impl Drop for SubscriptionSlot<'_> {
    fn drop(&mut self) {
        if let Entry::Occupied(entry) = self.session.subscriptions.lock().entry(self.uri.to_owned())
            && entry.get().is_none()
        {
            entry.remove();
        }
    }
}

/// A request without a response, removed when dropped.
struct PendingRequest<'a> {
    session: &'a Session,
    id: i64,
}

impl Drop for PendingRequest<'_> {
    fn drop(&mut self) {
        self.session.pending.lock().waiting.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use tokio_util::sync::CancellationToken;

    use super::*;

    fn session() -> Session {
        let initialize = Request {
            id: RequestId::Integer(0),
            method: "initialize".to_owned(),
            params: None,
        };
        Session::open(Revision::V2025_11_25, &initialize)
    }

    #[tokio::test(start_paused = true)]
    async fn questions_have_ids_of_their_own_and_are_forgotten_without_an_answer() {
        let session = session();
        let (channel, mut outgoing) = ClientChannel::new(CancellationToken::new());
        for n in 1..=PENDING + 1 {
            let deadline = Duration::from_secs(1);
            let asked = session.ask(&channel, &ServerRequest::ListRoots, None, deadline);
            assert!(matches!(asked.await, Err(AskError::TimedOut)), "{n}");
            let Some(ChannelEvent::Message(message)) = outgoing.recv().await else {
                panic!("nothing was sent");
            };
            let message: Value = serde_json::from_slice(&message).unwrap();
            assert_eq!(message["id"], n);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_has_so_many_questions_at_once() {
        let session = Arc::new(session());
        let (channel, mut outgoing) = ClientChannel::new(CancellationToken::new());
        let ask = |seconds| {
            let deadline = Duration::from_secs(seconds);
            session.ask(&channel, &ServerRequest::ListRoots, None, deadline)
        };
        let asked = async {
            let all = futures_util::future::join_all((0..PENDING).map(|_| ask(60)));
            let one_more = async {
                tokio::task::yield_now().await;
                assert!(matches!(ask(60).await, Err(AskError::Unreachable)));
                // Each answer is its own question's, whatever the order.
                for id in (1..=PENDING).rev() {
                    let id = i128::try_from(id).unwrap();
                    session.receive_response(jsonrpc::Response {
                        id: Some(RequestId::Integer(id)),
                        outcome: Ok(json!({"roots": [id.to_string()]})),
                    });
                }
            };
            tokio::join!(all, one_more).0
        };
        let read = async { while outgoing.recv().await.is_some() {} };
        let answers = tokio::select! {
            answers = asked => answers,
            () = read => panic!("the channel was closed"),
        };
        for (n, answer) in (1..).zip(answers) {
            assert_eq!(answer.unwrap().get("roots"), Some(&json!([n.to_string()])));
        }
    }

    #[test]
    fn messages_are_logged_from_the_level_that_the_client_has_set() {
        let session = session();
        assert!(!session.wants_log(LogLevel::Emergency));
        session.set_log_level(LogLevel::Warning);
        for (level, expect) in [
            (LogLevel::Info, false),
            (LogLevel::Warning, true),
            (LogLevel::Error, true),
        ] {
            assert_eq!(session.wants_log(level), expect, "{level:?}");
        }
    }

    #[test]
    fn a_place_for_a_subscription_is_freed_unless_it_is_filled() {
        let session = session();
        let uris = || {
            let mut uris = session.subscribed_uris();
            uris.sort();
            uris
        };
        let slots = ["a", "b"].map(|uri| session.reserve_subscription(uri, 2).unwrap());
        assert_eq!(uris(), ["a", "b"]);
        assert!(session.reserve_subscription("c", 2).is_none());
        drop(slots);
        assert!(uris().is_empty());
    }

    #[test]
    fn the_oldest_url_is_forgotten_for_one_too_many() {
        let session = session();
        let ids: Vec<_> = (0..=PENDING).map(|n| n.to_string()).collect();
        for id in &ids {
            let url = ServerRequest::elicit_url("?", "https://example.org", id.clone());
            session.opens_url(&url.unwrap());
        }
        let opened = ids.iter().map(|id| session.has_opened_url(id));
        let opened: Vec<_> = opened.collect();
        assert!(!opened[0] && opened[1..].iter().all(|it| *it), "{opened:?}");
        assert!(!session.has_opened_url("1"));
    }
}
