//! The notifications of changes that one listener gets.

use std::{collections::VecDeque, sync::Arc};

use bytes::Bytes;
use mcp_protocol::{Object, RequestId, jsonrpc, lifecycle::SUBSCRIPTION_ID};
use serde_json::{Value, json};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::{changes::Change, session::Session};

/// Notifications of changes, for one listener.
#[derive(Debug)]
pub struct Feed {
    changes: broadcast::Receiver<Change>,
    audience: Audience,
    due: VecDeque<Change>,
}

/// Who listens, and for what.
#[derive(Debug)]
pub(crate) enum Audience {
    /// All lists, and the resources the session watches.
    Session(Arc<Session>, Offered),
    /// What was asked for.
    Subscription(RequestId, Filter),
}

/// What a server has that may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Offered {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) updates: bool,
}

/// What a subscription is about (2026-07-28 `SubscriptionFilter`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Filter {
    tools: bool,
    prompts: bool,
    resources: bool,
    uris: Vec<String>,
}

impl Feed {
    pub(crate) fn new(changes: broadcast::Receiver<Change>, audience: Audience) -> Self {
        Self {
            changes,
            audience,
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
                if let Some(message) = self.audience.message(&change) {
                    return Some(Bytes::from(message));
                }
            }
            match self.changes.recv().await {
                Ok(change) => self.due.push_back(change),
                // What was missed is not known, so that everything may be another now.
                Err(RecvError::Lagged(_)) => self.due.extend(self.audience.everything()),
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl Audience {
    fn message(&self, change: &Change) -> Option<String> {
        let wanted = match self {
            Self::Session(session, offered) => match change {
                Change::Tools => offered.tools,
                Change::Prompts => offered.prompts,
                Change::Resources => offered.resources,
                Change::Resource(uri) => session.watches(uri),
            },
            Self::Subscription(_, filter) => match change {
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
        if let Self::Subscription(id, _) = self {
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
            Self::Session(session, _) => session.watched(),
            Self::Subscription(_, filter) => filter.uris.clone(),
        };
        let mut all = vec![Change::Tools, Change::Prompts, Change::Resources];
        all.extend(uris.into_iter().map(|uri| Change::Resource(uri.into())));
        all
    }
}

impl Filter {
    /// What was asked for of what is offered.
    pub(crate) fn new(asked: Option<&Value>, offered: Offered) -> Self {
        let wants = |name: &str| asked.and_then(|it| it.get(name)).and_then(Value::as_bool);
        let uris = asked
            .and_then(|it| it.get("resourceSubscriptions"))
            .and_then(Value::as_array)
            .filter(|_| offered.updates);
        let uris = uris.into_iter().flatten().filter_map(Value::as_str);
        let mut uris: Vec<_> = uris.map(str::to_owned).collect();
        uris.sort_unstable();
        uris.dedup();
        Self {
            tools: offered.tools && wants("toolsListChanged") == Some(true),
            prompts: offered.prompts && wants("promptsListChanged") == Some(true),
            resources: offered.resources && wants("resourcesListChanged") == Some(true),
            uris,
        }
    }

    /// Nothing would ever be told.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The resources that are to be watched, until they are added again.
    pub(crate) fn take_uris(&mut self) -> Vec<String> {
        std::mem::take(&mut self.uris)
    }

    /// A resource that is watched.
    pub(crate) fn add_uri(&mut self, uri: String) {
        self.uris.push(uri);
    }

    /// The first message of a subscription, which says what will be honored.
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
