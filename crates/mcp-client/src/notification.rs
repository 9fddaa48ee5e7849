//! Notifications that servers send.

use mcp_protocol::{
    LogLevel, Object, RequestId, jsonrpc::Notification, lifecycle::SUBSCRIPTION_ID,
};
use serde::Serialize;
use serde_json::Value;

/// A notification from a server.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ServerNotification {
    /// The type and content of the notification.
    pub kind: NotificationBody,
    /// The `subscriptions/listen` request that it belongs to, from 2026-07-28 on.
    pub subscription: Option<RequestId>,
}

/// The type and content of a notification.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum NotificationBody {
    /// Progress of a request.
    Progress(Progress),
    /// A log message.
    Log {
        /// The severity.
        level: LogLevel,
        /// The part of the server that logged the message.
        logger: Option<String>,
        /// The message: a string or any other JSON value.
        data: Value,
    },
    /// The list of tools has changed.
    ToolsChanged,
    /// The list of prompts has changed.
    PromptsChanged,
    /// The list of resources or of templates has changed.
    ResourcesChanged,
    /// The resource with this URI has changed.
    ResourceUpdated(String),
    /// The server no longer needs the response to the request with this ID.
    Cancelled(RequestId),
    /// The notification types that the server has accepted for a subscription.
    SubscriptionAcknowledged(Object),
    /// The user has finished at the URL of the elicitation with this ID.
    ElicitationComplete(String),
    /// Any other notification, and one that cannot be decoded.
    Other(Notification),
}

/// Progress of a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[doc(alias = "notifications/progress")]
pub struct Progress {
    /// The progress token of the request.
    #[serde(rename = "progressToken")]
    pub token: RequestId,
    /// The progress so far, in any unit.
    pub progress: f64,
    /// The total, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// A description of the current step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl ServerNotification {
    pub(crate) fn new(notification: Notification) -> Self {
        let params = notification.params.as_ref();
        let subscription = params.and_then(|it| it.get("_meta")?.get(SUBSCRIPTION_ID));
        Self {
            subscription: subscription.and_then(RequestId::read),
            kind: known(&notification).unwrap_or(NotificationBody::Other(notification)),
        }
    }
}

fn known(notification: &Notification) -> Option<NotificationBody> {
    let params = notification.params.as_ref();
    let member = |name: &str| params.and_then(|it| it.get(name));
    let text = |name: &str| member(name)?.as_str().map(str::to_owned);
    Some(match notification.method.as_str() {
        "notifications/progress" => NotificationBody::Progress(Progress {
            token: RequestId::read(member("progressToken")?)?,
            progress: member("progress")?.as_f64()?,
            total: member("total").and_then(Value::as_f64),
            message: text("message"),
        }),
        "notifications/message" => NotificationBody::Log {
            level: LogLevel::parse(&text("level")?)?,
            logger: text("logger"),
            data: member("data").cloned().unwrap_or_default(),
        },
        "notifications/tools/list_changed" => NotificationBody::ToolsChanged,
        "notifications/prompts/list_changed" => NotificationBody::PromptsChanged,
        "notifications/resources/list_changed" => NotificationBody::ResourcesChanged,
        "notifications/resources/updated" => NotificationBody::ResourceUpdated(text("uri")?),
        "notifications/cancelled" => {
            NotificationBody::Cancelled(RequestId::read(member("requestId")?)?)
        }
        "notifications/subscriptions/acknowledged" => {
            let told = member("notifications").and_then(Value::as_object);
            NotificationBody::SubscriptionAcknowledged(told.cloned().unwrap_or_default())
        }
        "notifications/elicitation/complete" => {
            NotificationBody::ElicitationComplete(text("elicitationId")?)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use mcp_protocol::jsonrpc::{self, Message, MessageOrBatch};
    use serde_json::json;

    use super::*;

    #[test]
    fn notifications_are_told_apart() {
        let check = |method: &str, params: Value, is_expected: fn(&NotificationBody) -> bool| {
            let method = format!("notifications/{method}");
            let line = json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string();
            let Ok(MessageOrBatch::Single(Message::Notification(read))) =
                jsonrpc::parse(line.as_bytes())
            else {
                panic!("{line}");
            };
            let read = ServerNotification::new(read);
            assert!(is_expected(&read.kind), "{line}: {read:?}");
            read.subscription
        };
        let progress = json!({"progressToken": 7.0, "progress": 1, "total": 2.5, "message": "m"});
        check("progress", progress, |it| match it {
            NotificationBody::Progress(it) => {
                it.token == RequestId::Integer(7)
                    && it.progress.total_cmp(&1.0).is_eq()
                    && it.total == Some(2.5)
                    && it.message.as_deref() == Some("m")
            }
            _ => false,
        });
        check("message", json!({"level": "error", "data": 1}), |it| {
            matches!(
                it,
                NotificationBody::Log {
                    level: LogLevel::Error,
                    ..
                }
            )
        });
        check(
            "resources/updated",
            json!({"uri": "a:b"}),
            |it| matches!(it, NotificationBody::ResourceUpdated(uri) if uri == "a:b"),
        );
        check("cancelled", json!({"requestId": "a"}), |it| {
            matches!(it, NotificationBody::Cancelled(_))
        });
        check(
            "elicitation/complete",
            json!({"elicitationId": "a"}),
            |it| matches!(it, NotificationBody::ElicitationComplete(id) if id == "a"),
        );
        let meta = json!({"_meta": {"io.modelcontextprotocol/subscriptionId": 9}});
        let subscription = check("tools/list_changed", meta.clone(), |it| {
            matches!(it, NotificationBody::ToolsChanged)
        });
        assert_eq!(subscription, Some(RequestId::Integer(9)));
        check("prompts/list_changed", json!({}), |it| {
            matches!(it, NotificationBody::PromptsChanged)
        });
        check("resources/list_changed", json!({}), |it| {
            matches!(it, NotificationBody::ResourcesChanged)
        });
        check(
            "subscriptions/acknowledged",
            json!({"notifications": {"a": true}}),
            |it| matches!(it, NotificationBody::SubscriptionAcknowledged(of) if of.contains_key("a")),
        );
        // What is unknown or unreadable is handed on.
        for (method, params) in [
            ("later", json!({"x": 1})),
            ("progress", json!({"progress": 1})),
            ("message", json!({"level": "loud", "data": 1})),
            ("resources/updated", json!({})),
        ] {
            check(
                method,
                params,
                |it| matches!(it, NotificationBody::Other(it) if it.method.starts_with("notifications/")),
            );
        }
    }
}
