//! What servers tell unasked, and what they ask: as a request after a handshake, as a result otherwise.

use serde_json::Value;

use super::{
    Unreadable,
    members::{FromWire, Members},
};
use crate::{ClientRequest, LogLevel, Notification, Object, RequestId, lifecycle::SUBSCRIPTION_ID};

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
            subscription: subscription.and_then(RequestId::read),
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

/// A result that asks for input before the request can be answered (2026-07-28 `basic/patterns/mrtr`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct InputRequired {
    /// The questions, by the names under which the client returns the answers.
    pub requests: Vec<(String, ClientRequest)>,
    /// Questions that this crate does not know, by their names.
    pub unknown: Object,
    /// Returned with the answers, as it is.
    pub state: Option<String>,
}

impl ClientRequest {
    /// Reads a request of a server; `None` if it is of another kind, or cannot be read.
    #[must_use]
    pub fn read(method: &str, params: Object) -> Option<Self> {
        let mut members = Members::of("params", Value::Object(params)).ok()?;
        match method {
            "elicitation/create" => {
                let message = members.string("message")?;
                // Without a mode it is a form (2025-11-25 `client/elicitation`).
                match members.string("mode").as_deref() {
                    Some("url") => {
                        let id = members.string("elicitationId").unwrap_or_default();
                        Self::elicit_url(message, members.string("url")?, id)
                    }
                    Some("form") | None => {
                        Some(Self::elicit(message, members.take("requestedSchema")?))
                    }
                    Some(_) => None,
                }
            }
            "sampling/createMessage" => Some(Self::Sample(members.rest())),
            "roots/list" => Some(Self::ListRoots),
            _ => None,
        }
    }
}

impl FromWire for InputRequired {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("result", value)?;
        let (kind, expected) = (members.take("resultType"), "input_required");
        if kind.as_ref().and_then(Value::as_str) != Some(expected) {
            return Err(Unreadable::new("resultType", expected, kind.as_ref()));
        }
        let (mut requests, mut unknown) = (Vec::new(), Object::new());
        for (key, asked) in members.object("inputRequests") {
            let params = asked.get("params").and_then(Value::as_object);
            let method = asked.get("method").and_then(Value::as_str);
            let read =
                method.and_then(|it| ClientRequest::read(it, params.cloned().unwrap_or_default()));
            match read {
                Some(request) => requests.push((key, request)),
                None => _ = unknown.insert(key, asked),
            }
        }
        Ok(Self {
            requests,
            unknown,
            state: members.string("requestState"),
        })
    }
}
