//! The change notifications of one client.

use std::{collections::VecDeque, sync::Arc};

use bytes::Bytes;
use mcp_protocol::{Features, Object, RequestId, jsonrpc, lifecycle::SUBSCRIPTION_ID};
use serde_json::{Value, json};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::{
    session::{Session, change_notifier::Change},
    tasks::{Tasks, notification},
};

/// An ordered stream of change notifications for one client.
#[derive(Debug)]
pub struct NotificationStream {
    changes: broadcast::Receiver<Change>,
    recipient: Recipient,
    due: VecDeque<Change>,
    /// The tasks whose changes are sent, and the features that determine their form.
    tasks: Option<(Arc<Tasks>, &'static Features)>,
}

/// The recipient of notifications, and the changes it receives.
#[derive(Debug)]
pub(crate) enum Recipient {
    /// Notifications of all lists, and of the resources that the session is subscribed to.
    Session(Arc<Session>, NotificationKinds),
    /// Notifications of the changes that a `subscriptions/listen` requested.
    Listen(RequestId, SubscriptionFilter),
}

/// The kinds of changes that clients can be notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct NotificationKinds {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) updates: bool,
}

/// The changes that a `subscriptions/listen` requests (2026-07-28 `SubscriptionFilter`).
#[derive(Debug)]
pub(crate) struct SubscriptionFilter {
    kinds: NotificationKinds,
    /// The resources to subscribe to, and later the resources that are subscribed to.
    pub(crate) uris: Vec<String>,
    /// The tasks whose changes are sent.
    pub(crate) task_ids: Vec<String>,
}

impl NotificationStream {
    pub(crate) fn new(changes: broadcast::Receiver<Change>, recipient: Recipient) -> Self {
        Self {
            changes,
            recipient,
            due: VecDeque::new(),
            tasks: None,
        }
    }

    /// Adds notifications of the recipient's tasks.
    pub(crate) fn with_tasks(
        mut self,
        tasks: Option<&Arc<Tasks>>,
        rules: &'static Features,
    ) -> Self {
        self.tasks = tasks.map(|it| (Arc::clone(it), rules));
        self
    }

    /// Returns the next notification in serialized form, or `None` if no more will follow.
    ///
    /// # Cancel safety
    /// This method is cancel safe: if the future is dropped, the next call returns the notification.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            // Looking for a task takes time, in which this may be dropped.
            while let Some(change) = self.due.front() {
                let message = match change {
                    Change::Task(id) => self.of_task(id).await,
                    change => self.recipient.message(change),
                };
                self.due.pop_front();
                if let Some(message) = message {
                    return Some(Bytes::from(message));
                }
            }
            match self.changes.recv().await {
                Ok(change) => self.due.push_back(change),
                // It is not known which changes were missed: everything may have changed.
                Err(RecvError::Lagged(_)) => self.due.extend(self.recipient.everything()),
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl NotificationStream {
    /// Returns the notification of a task, if the task belongs to the recipient.
    async fn of_task(&self, id: &str) -> Option<String> {
        let (tasks, rules) = self.tasks.as_ref()?;
        let own = self.recipient.task_ids();
        own.iter().find(|it| **it == *id)?;
        notification(tasks, id, rules, self.recipient.params()).await
    }
}

impl Recipient {
    fn message(&self, change: &Change) -> Option<String> {
        let kinds = match self {
            Self::Session(_, kinds) => kinds,
            Self::Listen(_, filter) => &filter.kinds,
        };
        let wanted = match change {
            Change::Tools => kinds.tools,
            Change::Prompts => kinds.prompts,
            Change::Resources => kinds.resources,
            Change::Resource(uri) => match self {
                Self::Session(session, _) => session.is_subscribed_to(uri),
                Self::Listen(_, filter) => filter.uris.iter().any(|it| **it == **uri),
            },
            Change::UrlOpened(id) => match self {
                Self::Session(session, _) => session.has_opened_url(id),
                Self::Listen(..) => false,
            },
            Change::Task(_) => false,
        };
        if !wanted {
            return None;
        }
        let mut params = self.params();
        let method = match change {
            Change::Tools => "notifications/tools/list_changed",
            Change::Prompts => "notifications/prompts/list_changed",
            Change::Resources => "notifications/resources/list_changed",
            Change::Resource(uri) => {
                params.insert("uri".to_owned(), Value::from(&**uri));
                "notifications/resources/updated"
            }
            Change::UrlOpened(id) => {
                params.insert("elicitationId".to_owned(), Value::from(&**id));
                "notifications/elicitation/complete"
            }
            Change::Task(_) => return None,
        };
        Some(jsonrpc::notification(method, params))
    }

    /// Returns the common fields of the params of each notification.
    fn params(&self) -> Object {
        match self {
            Self::Session(..) => Object::new(),
            Self::Listen(id, _) => with_subscription_id(id),
        }
    }

    fn task_ids(&self) -> Vec<String> {
        match self {
            Self::Session(session, _) => session.task_ids(),
            Self::Listen(_, filter) => filter.task_ids.clone(),
        }
    }

    fn everything(&self) -> Vec<Change> {
        let uris = match self {
            Self::Session(session, _) => session.subscribed_uris(),
            Self::Listen(_, filter) => filter.uris.clone(),
        };
        let mut all = vec![Change::Tools, Change::Prompts, Change::Resources];
        all.extend(uris.into_iter().map(|uri| Change::Resource(uri.into())));
        all.extend(
            self.task_ids()
                .into_iter()
                .map(|id| Change::Task(id.into())),
        );
        all
    }
}

impl SubscriptionFilter {
    /// Returns the requested changes for which notifications exist.
    pub(crate) fn new(requested: Option<&Value>, kinds: NotificationKinds) -> Self {
        let wants = |name: &str| {
            requested
                .and_then(|it| it.get(name))
                .and_then(Value::as_bool)
        };
        let uris = requested
            .and_then(|it| it.get("resourceSubscriptions"))
            .and_then(Value::as_array)
            .filter(|_| kinds.updates);
        let uris = uris.into_iter().flatten().filter_map(Value::as_str);
        let mut uris: Vec<_> = uris.map(str::to_owned).collect();
        uris.sort_unstable();
        uris.dedup();
        let kinds = NotificationKinds {
            tools: kinds.tools && wants("toolsListChanged") == Some(true),
            prompts: kinds.prompts && wants("promptsListChanged") == Some(true),
            resources: kinds.resources && wants("resourcesListChanged") == Some(true),
            updates: kinds.updates,
        };
        Self {
            kinds,
            uris,
            task_ids: Vec::new(),
        }
    }

    /// Returns whether no notification would ever be sent.
    pub(crate) fn is_empty(&self) -> bool {
        let kinds = &self.kinds;
        self.uris.is_empty() && !(kinds.tools || kinds.prompts || kinds.resources)
    }

    /// Returns the first message on the stream, which lists the notifications that will be sent.
    pub(crate) fn acknowledgement(&self, id: &RequestId) -> String {
        let mut honored = Object::new();
        for (name, wanted) in [
            ("toolsListChanged", self.kinds.tools),
            ("promptsListChanged", self.kinds.prompts),
            ("resourcesListChanged", self.kinds.resources),
        ] {
            if wanted {
                honored.insert(name.to_owned(), true.into());
            }
        }
        if !self.uris.is_empty() {
            honored.insert("resourceSubscriptions".to_owned(), json!(self.uris));
        }
        if !self.task_ids.is_empty() {
            honored.insert("taskIds".to_owned(), json!(self.task_ids));
        }
        let mut params = with_subscription_id(id);
        params.insert("notifications".to_owned(), Value::Object(honored));
        jsonrpc::notification("notifications/subscriptions/acknowledged", params)
    }
}

/// Returns the start of params or of a result: `_meta` with the ID of the `subscriptions/listen` request it belongs to.
pub(crate) fn with_subscription_id(id: &RequestId) -> Object {
    let mut object = Object::new();
    object.insert("_meta".to_owned(), json!({SUBSCRIPTION_ID: id.to_value()}));
    object
}
