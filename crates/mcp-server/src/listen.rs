//! `subscriptions/listen`: a request that lasts as long as its client listens
//! (2026-07-28 `basic/patterns/subscriptions`).

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_protocol::{ErrorObject, Object, RequestId, Revision, lifecycle::SUBSCRIPTION_ID};
use serde_json::{Value, json};

use crate::{
    changes::Changes,
    context::CallContext,
    feed::{Audience, Feed, Filter},
    link::Outgoing,
    response::Reply,
    server::Server,
};

/// One subscription; gone when dropped.
struct Listening<'a>(&'a AtomicUsize);

impl Drop for Listening<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Server {
    /// Acknowledges, then tells what changes until the client leaves or the server stops.
    pub(crate) async fn listen(
        &self,
        changes: &Changes,
        revision: Revision,
        id: &RequestId,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let link = cx
            .link()
            .ok_or_else(|| ErrorObject::invalid_request("to listen, accept text/event-stream"))?;
        let asked = params.as_ref().and_then(|it| it.get("notifications"));
        if !asked.is_some_and(Value::is_object) {
            return Err(ErrorObject::invalid_params(
                "notifications must be an object",
            ));
        }
        let listening = Listening(&self.gate.listening);
        let most = self.limits().subscriptions;
        if self.gate.listening.fetch_add(1, Ordering::Relaxed) >= most {
            let what = format_args!("this server has {most} subscriptions already");
            return Err(ErrorObject::invalid_request(what));
        }
        let mut filter = Filter::new(asked, self.offered);
        // Subscribed before it is acknowledged: nothing that changes after that is missed.
        let changes = changes.subscribe();
        let watched = self.begin_watches(&mut filter, cx).await?;
        let acknowledgement = filter.acknowledgement(id);
        let mut feed = Feed::new(changes, Audience::Subscription(id.clone(), filter));
        link.say(Outgoing::Message(acknowledgement.into())).await;
        loop {
            let message = tokio::select! {
                message = feed.next() => message,
                () = link.stopping().cancelled() => None,
                () = link.closed() => None,
            };
            let Some(message) = message else { break };
            if !link.say(Outgoing::Message(message)).await {
                break;
            }
        }
        drop((watched, listening));
        let mut result = Object::new();
        result.insert("_meta".to_owned(), json!({SUBSCRIPTION_ID: id.to_value()}));
        self.finish(result, revision.rules())
    }
}
