//! Filters of subscriptions.

use mcp_protocol::Object;
use serde_json::json;
use tokio::sync::mpsc;

use crate::{NotificationBody, ServerNotification, id::own_id};

/// The changes that a subscription covers (2026-07-28 `basic/patterns/subscriptions`, "Notification Filter").
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotificationFilter {
    /// Whether to include changes of the tool list.
    pub tools: bool,
    /// Whether to include changes of the prompt list.
    pub prompts: bool,
    /// Whether to include changes of the lists of resources and templates.
    pub resources: bool,
    /// The URIs of the resources whose changes to include.
    pub uris: Vec<String>,
}

impl NotificationFilter {
    mcp_protocol::setters! {
        /// Adds changes of the tool list.
        with_tools() { tools = true }
        /// Adds changes of the prompt list.
        with_prompts() { prompts = true }
        /// Adds changes of the lists of resources and templates.
        with_resources() { resources = true }
        /// Adds changes of a resource.
        with_uri(uri: impl Into<String>) { uris.push(uri.into()) }
    }

    /// Returns the params of the `subscriptions/listen` request.
    pub(crate) fn params(&self) -> Object {
        let mut wanted = Object::new();
        for (name, is_wanted) in [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ] {
            if is_wanted {
                wanted.insert(name.to_owned(), true.into());
            }
        }
        if !self.uris.is_empty() {
            wanted.insert("resourceSubscriptions".to_owned(), json!(self.uris));
        }
        Object::from_iter([("notifications".to_owned(), wanted.into())])
    }

    fn has(&self, kind: &NotificationBody) -> bool {
        match kind {
            NotificationBody::ToolsChanged => self.tools,
            NotificationBody::PromptsChanged => self.prompts,
            NotificationBody::ResourcesChanged => self.resources,
            NotificationBody::ResourceUpdated(uri) => self.uris.contains(uri),
            _ => false,
        }
    }
}

/// The filter and the queue of one subscription.
pub(crate) struct Listener {
    pub(crate) filter: NotificationFilter,
    pub(crate) sender: mpsc::Sender<ServerNotification>,
}

impl Listener {
    /// Queues a notification if it belongs to the subscription with this ID. Returns whether it does.
    pub(crate) fn hear(&self, id: i64, notification: &ServerNotification) -> bool {
        let is_mine = match &notification.subscription {
            Some(subscription) => own_id(subscription) == Some(id),
            None => self.filter.has(&notification.kind),
        };
        if is_mine && self.sender.try_send(notification.clone()).is_err() {
            tracing::warn!(
                id,
                "a notification was dropped: earlier ones have not been received"
            );
        }
        is_mine
    }
}
