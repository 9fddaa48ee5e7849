//! Subscriptions by message, as in `NotificationsWebSocket`.

use serde_json::{Value, json};

use crate::{announcement::Announcement, chain::Row, state::State};

const PAYMENT: &str = "PAYMENT_RECEIVED";
const PUBLICATION: &str = "RESOURCE_PUBLISHED";

/// Maximum number of subscriptions per client.
const MOST: usize = 1_000;
/// Default number of past events.
const HISTORY: usize = 100;

/// The fields of a subscription, in the order in which the Core writes them.
const SUBSCRIPTION: &str = "event resourceFilter filters message image link appService appName \
                            notificationId expiresWhen";
/// The fields of a resource filter.
const RESOURCE_FILTER: &str = "service query identifier names title description keywords prefix \
                               defaultResource followedOnly excludeBlocked after before";

/// The subscriptions of one client.
#[derive(Debug, Default)]
pub(super) struct Subscriptions(Vec<Value>);

impl Subscriptions {
    /// Handles a client's message and returns the response, unless the Core sends none.
    pub(super) fn asked(&mut self, state: &State, text: &str) -> Option<Value> {
        let error = |message: &str| Some(json!({"type": "error", "message": message}));
        let Ok(Value::Object(asked)) = serde_json::from_str(text) else {
            return error("Invalid message format");
        };
        match asked.get("action").and_then(Value::as_str) {
            None => error("Missing 'action' field"),
            Some("subscribe") => {
                let wanted = asked.get("subscriptions").and_then(Value::as_array);
                let wanted = wanted.map_or(&[][..], Vec::as_slice);
                if wanted.iter().any(|it| it.text("notificationId").is_empty()) {
                    return error("Every subscription must have a 'notificationId'");
                }
                let room = MOST.saturating_sub(self.0.len());
                self.0.extend(wanted.iter().take(room).map(written));
                None
            }
            Some("unsubscribe") => {
                self.0.clear();
                None
            }
            Some("subscriptions") => Some(json!({"action": "subscribe", "subscriptions": self.0})),
            Some("notification-history") => {
                let number = |name: &str| asked.get(name).and_then(Value::as_i64);
                let limit = number("limit").and_then(|it| usize::try_from(it).ok());
                let after = number("after").unwrap_or(0);
                let results = self.history(state, after, limit.unwrap_or(HISTORY));
                Some(json!({"type": "history", "results": results}))
            }
            Some(other) => error(&format!("Unknown action: {other}")),
        }
    }

    /// Returns the messages for an announcement, one per subscription.
    pub(super) fn told(&self, announcement: &Announcement) -> Vec<Value> {
        match announcement {
            Announcement::Payment(payment) => self.about(PAYMENT, payment),
            Announcement::Publication(publication) => self.about(PUBLICATION, publication),
            _ => Vec::new(),
        }
    }

    fn about(&self, event: &str, data: &Value) -> Vec<Value> {
        let subscriptions = self.0.iter();
        let concerned = subscriptions.filter(|it| it.text("event") == event && concerns(it, data));
        let told = concerned.map(|it| {
            json!({
                "type": "notification",
                "event": event,
                "data": data,
                "notificationId": it.at("notificationId"),
            })
        });
        told.collect()
    }

    /// Returns the latest events after a time, the newest first, including unconfirmed payments.
    fn history(&self, state: &State, after: i64, limit: usize) -> Vec<Value> {
        let now = state.machine_time();
        let transactions = state.chain.transactions.iter();
        let payments = transactions
            .filter(|it| it.text("type") == "PAYMENT")
            .map(|it| {
                let data = json!({
                    "sender": it.at("creatorAddress"),
                    "recipient": it.at("recipient"),
                    "amount": it.at("amount"),
                    "created": it.at("timestamp"),
                    "signature": it.at("signature"),
                    "timestamp": now,
                });
                (PAYMENT, data)
            });
        let publications = state.chain.qdn_resources.iter().map(|it| {
            let data = it
                .pick("service name identifier created")
                .with("signature", it.at("latestSignature").clone())
                .with("timestamp", now);
            (PUBLICATION, data)
        });
        let mut found: Vec<(&str, Value)> = payments.chain(publications).collect();
        found.retain(|(_, data)| data.number("created") > after);
        found.sort_by_cached_key(|(_, data)| std::cmp::Reverse(data.number("created")));
        let told = found
            .iter()
            .flat_map(|(event, data)| self.about(event, data));
        told.take(limit).collect()
    }
}

/// Returns a subscription with all its fields.
fn written(subscription: &Value) -> Value {
    let mut members = subscription.pick(SUBSCRIPTION).with("expired", false);
    if let Some(filter) = subscription
        .get("resourceFilter")
        .filter(|it| it.is_object())
    {
        let filter = filter.pick(RESOURCE_FILTER);
        let is_default = filter.flag("defaultResource");
        members = members.with("resourceFilter", filter.with("defaultResource", is_default));
    }
    members
}

/// Returns `true` if a subscription covers this data: every given filter must match.
fn concerns(subscription: &Value, data: &Value) -> bool {
    let fits = |filter: &Value, names: &[&str]| {
        names.iter().all(|name| match filter.get(*name) {
            None | Some(Value::Null) => true,
            Some(wanted) => data.get(*name) == Some(wanted),
        })
    };
    let names = subscription.at("resourceFilter").get("names");
    let names = names.and_then(Value::as_array);
    fits(subscription.at("filters"), &["sender", "recipient"])
        && fits(
            subscription.at("resourceFilter"),
            &["service", "identifier"],
        )
        && names.is_none_or(|names| names.contains(data.at("name")))
}
