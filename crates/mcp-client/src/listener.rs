//! Which notifications a subscription is told of.

use mcp_protocol::Object;
use serde_json::json;
use tokio::sync::mpsc;

use crate::{NotificationKind, ServerNotification, id::own_id};

/// What changes to hear of (2026-07-28 `basic/patterns/subscriptions`, "Notification Filter").
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotificationFilter {
    /// Of the list of tools.
    pub tools: bool,
    /// Of the list of prompts.
    pub prompts: bool,
    /// Of the lists of resources and templates.
    pub resources: bool,
    /// Of the resources at these addresses.
    pub uris: Vec<String>,
}

impl NotificationFilter {
    mcp_protocol::setters! {
        /// With changes of the list of tools.
        with_tools() { tools = true }
        /// With changes of the list of prompts.
        with_prompts() { prompts = true }
        /// With changes of the lists of resources and templates.
        with_resources() { resources = true }
        /// With changes of one more resource.
        with_uri(uri: impl Into<String>) { uris.push(uri.into()) }
    }

    /// The params of the request for them.
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

    fn has(&self, kind: &NotificationKind) -> bool {
        match kind {
            NotificationKind::ToolsChanged => self.tools,
            NotificationKind::PromptsChanged => self.prompts,
            NotificationKind::ResourcesChanged => self.resources,
            NotificationKind::ResourceUpdated(uri) => self.uris.contains(uri),
            _ => false,
        }
    }
}

/// Where the notifications of one subscription go.
pub(crate) struct Listener {
    pub(crate) filter: NotificationFilter,
    pub(crate) sender: mpsc::Sender<ServerNotification>,
}

impl Listener {
    /// Takes a notification, if it belongs to the subscription with this id.
    pub(crate) fn hear(&self, id: i64, notification: &ServerNotification) -> bool {
        let is_mine = match &notification.subscription {
            Some(subscription) => own_id(subscription) == Some(id),
            None => self.filter.has(&notification.kind),
        };
        if is_mine && self.sender.try_send(notification.clone()).is_err() {
            tracing::warn!(id, "a notification is lost: those before it are not taken");
        }
        is_mine
    }
}
