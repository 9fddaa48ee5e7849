//! `subscriptions/listen`, a request that lasts as long as its client listens (2026-07-28
//! `basic/patterns/subscriptions`).

use mcp_protocol::{ErrorObject, Features, Object, RequestId, Revision};
use serde_json::Value;

use crate::{
    context::RequestContext,
    dispatch::{ResponsePayload, Server, params::invalid},
    session::{
        ChannelEvent, NotificationStream,
        notifications::{Recipient, SubscriptionFilter, with_subscription_id},
    },
    tasks::require_extension,
};

impl Server {
    /// Acknowledges the request, then sends change notifications until the client disconnects or the server stops.
    pub(crate) async fn listen(
        &self,
        revision: Revision,
        id: &RequestId,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let channel = cx.channel().ok_or_else(|| {
            ErrorObject::invalid_request(
                "the response is an event stream, add text/event-stream to the Accept header",
            )
        })?;
        let requested = params.as_ref().and_then(|it| it.get("notifications"));
        if !requested.is_some_and(Value::is_object) {
            return invalid("notifications must be an object");
        }
        let permit = self.admission.listen_requests.try_acquire().map_err(|_| {
            let most = self.limits().listen_requests;
            let what = format!("this server has {most} subscriptions/listen requests already");
            ErrorObject::invalid_request(what)
        })?;
        let mut filter = SubscriptionFilter::new(requested, self.declaration.notification_kinds);
        // Received from here on, before it is acknowledged: no change after that is missed.
        let changes = self
            .subscribe_to_changes()
            .ok_or_else(ErrorObject::opaque_internal)?;
        let begun = async {
            filter.task_ids = self
                .listened_tasks(params.as_ref(), revision.features(), cx)
                .await?;
            self.begin_subscriptions(&mut filter, cx).await
        };
        let subscriptions = tokio::select! {
            biased;
            // What it would listen to may take long to answer.
            () = channel.stopping().cancelled() => {
                return self.finish(with_subscription_id(id), revision.features());
            }
            begun = begun => begun?,
        };
        let acknowledgement = filter.acknowledgement(id);
        let notifications = NotificationStream::new(changes, Recipient::Listen(id.clone(), filter));
        let mut notifications = notifications.with_tasks(self.tasks.as_ref(), revision.features());
        channel
            .send(ChannelEvent::Message(acknowledgement.into()))
            .await;
        loop {
            let message = tokio::select! {
                biased;
                () = channel.stopping().cancelled() => None,
                () = channel.gone() => None,
                message = notifications.next() => message,
            };
            let Some(message) = message else { break };
            if !channel.send(ChannelEvent::Message(message)).await {
                break;
            }
        }
        drop((subscriptions, permit));
        self.finish(with_subscription_id(id), revision.features())
    }

    /// Returns the requested tasks that belong to the client (extension Tasks, "Task Status Notifications").
    async fn listened_tasks(
        &self,
        params: Option<&Object>,
        rules: &'static Features,
        cx: &RequestContext,
    ) -> Result<Vec<String>, ErrorObject> {
        let wanted = params.and_then(|it| it.get("notifications")?.get("taskIds")?.as_array());
        let (Some(tasks), Some(params), Some(wanted)) = (&self.tasks, params, wanted) else {
            return Ok(Vec::new());
        };
        require_extension(params, rules)?;
        let most = self.limits().subscriptions_per_client;
        if wanted.len() > most {
            return invalid(format_args!("at most {most} taskIds in a request"));
        }
        let owner = cx.owner(rules);
        let mut own = Vec::new();
        for id in wanted.iter().filter_map(Value::as_str) {
            if tasks.find(id, &owner).await?.is_some() {
                own.push(id.to_owned());
            }
        }
        Ok(own)
    }
}
