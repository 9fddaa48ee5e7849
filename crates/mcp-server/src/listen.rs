//! `subscriptions/listen`: a request that lasts as long as its client listens
//! (2026-07-28 `basic/patterns/subscriptions`).

use mcp_protocol::{ErrorObject, Object, RequestId, Revision};
use serde_json::Value;

use crate::{
    CallContext, ChangeNotifier, Notifications, Outgoing, Reply, Server,
    notifications::{Recipient, SubscriptionFilter, with_subscription_id},
};

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
        let requested = params.as_ref().and_then(|it| it.get("notifications"));
        if !requested.is_some_and(Value::is_object) {
            return Err(ErrorObject::invalid_params(
                "notifications must be an object",
            ));
        }
        let permit = self.admission.listen_requests.try_acquire().map_err(|_| {
            let most = self.limits().listen_requests;
            let what = format!("this server has {most} subscriptions/listen requests already");
            ErrorObject::invalid_request(what)
        })?;
        let mut filter = SubscriptionFilter::new(requested, self.declaration.notification_kinds);
        // Received from here on, before it is acknowledged: no change after that is missed.
        let changes = notifier.subscribe();
        let subscriptions = tokio::select! {
            biased;
            // What it would listen to may take long to answer.
            () = channel.stopping().cancelled() => {
                return self.finish(with_subscription_id(id), revision.rules());
            }
            begun = self.begin_subscriptions(&mut filter, cx) => begun?,
        };
        let acknowledgement = filter.acknowledgement(id);
        let mut notifications = Notifications::new(changes, Recipient::Listen(id.clone(), filter));
        channel
            .send(Outgoing::Message(acknowledgement.into()))
            .await;
        loop {
            let message = tokio::select! {
                biased;
                () = channel.stopping().cancelled() => None,
                () = channel.gone() => None,
                message = notifications.next() => message,
            };
            let Some(message) = message else { break };
            if !channel.send(Outgoing::Message(message)).await {
                break;
            }
        }
        drop((subscriptions, permit));
        self.finish(with_subscription_id(id), revision.rules())
    }
}
