//! The notifications of changes that one client gets.

use std::{collections::VecDeque, sync::Arc};

use bytes::Bytes;
use mcp_protocol::{Object, RequestId, jsonrpc, lifecycle::SUBSCRIPTION_ID};
use serde_json::{Value, json};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::{change_notifier::Change, session::Session};

/// Notifications of changes for one client, in order.
#[derive(Debug)]
pub struct Notifications {
    changes: broadcast::Receiver<Change>,
    recipient: Recipient,
    due: VecDeque<Change>,
}

/// Who is notified, and of what.
#[derive(Debug)]
pub(crate) enum Recipient {
    /// Of all lists, and of the resources that the session is subscribed to.
    Session(Arc<Session>, NotificationKinds),
    /// Of what `subscriptions/listen` asked for.
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

/// The changes that a `subscriptions/listen` is about (2026-07-28 `SubscriptionFilter`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SubscriptionFilter {
    tools: bool,
    prompts: bool,
    resources: bool,
    uris: Vec<String>,
}

impl Notifications {
    pub(crate) fn new(changes: broadcast::Receiver<Change>, recipient: Recipient) -> Self {
        Self {
            changes,
            recipient,
            due: VecDeque::new(),
        }
    }

    /// The next notification, in its wire form; `None` if there will be no more.
    ///
    /// # Cancel safety
    /// Cancel safe: what was not returned is returned by the next call.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            while let Some(change) = self.due.pop_front() {
                if let Some(message) = self.recipient.message(&change) {
                    return Some(Bytes::from(message));
                }
            }
            match self.changes.recv().await {
                Ok(change) => self.due.push_back(change),
                // Which changes were missed is not known, so that everything may have changed.
                Err(RecvError::Lagged(_)) => self.due.extend(self.recipient.everything()),
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl Recipient {
    fn message(&self, change: &Change) -> Option<String> {
        let wanted = match self {
            Self::Session(session, kinds) => match change {
                Change::Tools => kinds.tools,
                Change::Prompts => kinds.prompts,
                Change::Resources => kinds.resources,
                Change::Resource(uri) => session.is_subscribed_to(uri),
            },
            Self::Listen(_, filter) => match change {
                Change::Tools => filter.tools,
                Change::Prompts => filter.prompts,
                Change::Resources => filter.resources,
                Change::Resource(uri) => filter.uris.iter().any(|it| **it == **uri),
            },
        };
        if !wanted {
            return None;
        }
        let mut params = Object::new();
        if let Self::Listen(id, _) = self {
            params.insert("_meta".to_owned(), json!({SUBSCRIPTION_ID: id.to_value()}));
        }
        let method = match change {
            Change::Tools => "notifications/tools/list_changed",
            Change::Prompts => "notifications/prompts/list_changed",
            Change::Resources => "notifications/resources/list_changed",
            Change::Resource(uri) => {
                params.insert("uri".to_owned(), Value::from(&**uri));
                "notifications/resources/updated"
            }
        };
        Some(jsonrpc::notification(method, params))
    }

    fn everything(&self) -> Vec<Change> {
        let uris = match self {
            Self::Session(session, _) => session.subscribed_uris(),
            Self::Listen(_, filter) => filter.uris.clone(),
        };
        let mut all = vec![Change::Tools, Change::Prompts, Change::Resources];
        all.extend(uris.into_iter().map(|uri| Change::Resource(uri.into())));
        all
    }
}

impl SubscriptionFilter {
    /// What `asked` for, as far as there are notifications of it.
    pub(crate) fn new(asked: Option<&Value>, kinds: NotificationKinds) -> Self {
        let wants = |name: &str| asked.and_then(|it| it.get(name)).and_then(Value::as_bool);
        let uris = asked
            .and_then(|it| it.get("resourceSubscriptions"))
            .and_then(Value::as_array)
            .filter(|_| kinds.updates);
        let uris = uris.into_iter().flatten().filter_map(Value::as_str);
        let mut uris: Vec<_> = uris.map(str::to_owned).collect();
        uris.sort_unstable();
        uris.dedup();
        Self {
            tools: kinds.tools && wants("toolsListChanged") == Some(true),
            prompts: kinds.prompts && wants("promptsListChanged") == Some(true),
            resources: kinds.resources && wants("resourcesListChanged") == Some(true),
            uris,
        }
    }

    /// Whether no notification would ever be sent.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The resources to subscribe to, which are out of the filter until they are added again.
    pub(crate) fn take_uris(&mut self) -> Vec<String> {
        std::mem::take(&mut self.uris)
    }

    /// Adds a resource that is subscribed to.
    pub(crate) fn add_uri(&mut self, uri: String) {
        self.uris.push(uri);
    }

    /// The first message on the stream: the notifications that will be sent.
    pub(crate) fn acknowledgement(&self, id: &RequestId) -> String {
        let mut honored = Object::new();
        for (name, wanted) in [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ] {
            if wanted {
                honored.insert(name.to_owned(), true.into());
            }
        }
        if !self.uris.is_empty() {
            honored.insert("resourceSubscriptions".to_owned(), json!(self.uris));
        }
        let mut params = Object::new();
        let meta = json!({SUBSCRIPTION_ID: id.to_value()});
        params.insert("_meta".to_owned(), meta);
        params.insert("notifications".to_owned(), Value::Object(honored));
        jsonrpc::notification("notifications/subscriptions/acknowledged", params)
    }
}
