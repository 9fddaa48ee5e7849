//! `subscriptions/listen`: a request that lasts as long as its client listens
//! (2026-07-28 `basic/patterns/subscriptions`).

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_protocol::{ErrorObject, Object, RequestId, Revision, lifecycle::SUBSCRIPTION_ID};
use serde_json::{Value, json};

use crate::{
    change_notifier::ChangeNotifier,
    channel::Outgoing,
    context::CallContext,
    notifications::{Notifications, Recipient, SubscriptionFilter},
    response::Reply,
    server::Server,
};

/// One `subscriptions/listen` that is open; free again when dropped.
struct ListenPermit<'a>(&'a AtomicUsize);

impl Drop for ListenPermit<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Server {
    /// Acknowledges, then notifies of changes until the client leaves or the server stops.
    pub(crate) async fn listen(
        &self,
        notifier: &ChangeNotifier,
        revision: Revision,
        id: &RequestId,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let channel = cx.channel().ok_or_else(|| {
            ErrorObject::invalid_request(
                "the answer is an event stream, add text/event-stream to the Accept header",
            )
        })?;
        let asked = params.as_ref().and_then(|it| it.get("notifications"));
        if !asked.is_some_and(Value::is_object) {
            return Err(ErrorObject::invalid_params(
                "notifications must be an object",
            ));
        }
        let permit = ListenPermit(&self.admission.listen_requests);
        let most = self.limits().listen_requests;
        if self
            .admission
            .listen_requests
            .fetch_add(1, Ordering::Relaxed)
            >= most
        {
            let what = format_args!("this server has {most} subscriptions/listen requests already");
            return Err(ErrorObject::invalid_request(what));
        }
        let mut filter = SubscriptionFilter::new(asked, self.declaration.notification_kinds);
        // Received from here on, before it is acknowledged: no change after that is missed.
        let changes = notifier.subscribe();
        let subscriptions = self.begin_subscriptions(&mut filter, cx).await?;
        let acknowledgement = filter.acknowledgement(id);
        let mut notifications = Notifications::new(changes, Recipient::Listen(id.clone(), filter));
        channel
            .send(Outgoing::Message(acknowledgement.into()))
            .await;
        loop {
            let message = tokio::select! {
                message = notifications.next() => message,
                () = channel.stopping().cancelled() => None,
                () = channel.gone() => None,
            };
            let Some(message) = message else { break };
            if !channel.send(Outgoing::Message(message)).await {
                break;
            }
        }
        drop((subscriptions, permit));
        let mut result = Object::new();
        result.insert("_meta".to_owned(), json!({SUBSCRIPTION_ID: id.to_value()}));
        self.finish(result, revision.rules())
    }
}
