//! What servers tell unasked.

use serde_json::Value;

use super::members::Members;
use crate::{
    json::Object,
    jsonrpc::{Notification, RequestId},
    lifecycle::SUBSCRIPTION_ID,
    log::LogLevel,
};

/// A notification of a server.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ServerNotification {
    /// What it tells.
    pub kind: NotificationKind,
    /// The `subscriptions/listen` request that it belongs to, from 2026-07-28 on.
    pub subscription: Option<RequestId>,
}

/// What a notification tells.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum NotificationKind {
    /// Progress of a request.
    Progress(Progress),
    /// A log message.
    Log {
        /// How severe it is.
        level: LogLevel,
        /// Which part of the server says it.
        logger: Option<String>,
        /// What it says.
        data: Value,
    },
    /// The list of tools has changed.
    ToolsChanged,
    /// The list of prompts has changed.
    PromptsChanged,
    /// The list of resources or of templates has changed.
    ResourcesChanged,
    /// The resource at this address has changed.
    ResourceUpdated(String),
    /// The server does not need the answer to this request any more.
    Cancelled(RequestId),
    /// What a subscription tells from now on.
    SubscriptionAcknowledged(Object),
    /// The user is done with the URL of this id.
    ElicitationComplete(String),
    /// Anything else, and what cannot be read.
    Other(Notification),
}

/// Progress of a request.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[doc(alias = "notifications/progress")]
pub struct Progress {
    /// The token of the request.
    pub token: RequestId,
    /// How far it is, in any unit.
    pub progress: f64,
    /// How far it has to go, if known.
    pub total: Option<f64>,
    /// What it is doing.
    pub message: Option<String>,
}

impl ServerNotification {
    /// Reads a notification of any kind.
    #[must_use]
    pub fn new(notification: Notification) -> Self {
        let params = notification.params.as_ref();
        let subscription = params.and_then(|it| it.get("_meta")?.get(SUBSCRIPTION_ID));
        Self {
            subscription: subscription.and_then(RequestId::from_value),
            kind: known(&notification).unwrap_or(NotificationKind::Other(notification)),
        }
    }
}

fn known(notification: &Notification) -> Option<NotificationKind> {
    let params = Value::Object(notification.params.clone().unwrap_or_default());
    let mut params = Members::of("params", params).ok()?;
    Some(match notification.method.as_str() {
        "notifications/progress" => NotificationKind::Progress(Progress {
            token: params.read("progressToken")?,
            progress: params.take("progress")?.as_f64()?,
            total: params.take("total").and_then(|it| it.as_f64()),
            message: params.string("message"),
        }),
        "notifications/message" => NotificationKind::Log {
            level: LogLevel::parse(&params.string("level")?)?,
            logger: params.string("logger"),
            data: params.take("data").unwrap_or_default(),
        },
        "notifications/tools/list_changed" => NotificationKind::ToolsChanged,
        "notifications/prompts/list_changed" => NotificationKind::PromptsChanged,
        "notifications/resources/list_changed" => NotificationKind::ResourcesChanged,
        "notifications/resources/updated" => {
            NotificationKind::ResourceUpdated(params.string("uri")?)
        }
        "notifications/cancelled" => NotificationKind::Cancelled(params.read("requestId")?),
        "notifications/subscriptions/acknowledged" => {
            NotificationKind::SubscriptionAcknowledged(params.object("notifications"))
        }
        "notifications/elicitation/complete" => {
            NotificationKind::ElicitationComplete(params.string("elicitationId")?)
        }
        _ => return None,
    })
}
