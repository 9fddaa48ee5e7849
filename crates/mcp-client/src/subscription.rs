//! Subscriptions to changes, by a `subscriptions/listen` request or on the stream of a session.

use mcp_protocol::{Method, Object};
use tokio::sync::mpsc;

use crate::{
    ClientError, NotificationBody, NotificationFilter, ServerNotification,
    in_flight::InFlight,
    limits::in_time,
    listener::Listener,
    peer::{Link, Peer},
};

const LISTEN: &str = Method::SubscriptionsListen.as_str();

/// A stream of changes that a server reports. Dropping it ends the subscription.
///
/// A subscription in a session ends with the session. If the server loses the session, [`Subscription::next`] returns
/// `None`. Subscribe again with [`Client::listen`](crate::Client::listen).
pub struct Subscription {
    peer: Peer,
    id: i64,
    /// The `subscriptions/listen` request, without a handshake.
    _request: Option<InFlight>,
    filter: NotificationFilter,
    notifications: mpsc::Receiver<ServerNotification>,
}

impl Subscription {
    pub(crate) async fn open(peer: &Peer, filter: NotificationFilter) -> Result<Self, ClientError> {
        let (sender, notifications) = mpsc::channel(peer.config.limits.queued_notifications.max(1));
        let id = peer.next_id();
        let listener = Listener {
            filter: filter.clone(),
            sender,
        };
        peer.listeners.lock().insert(id, listener);
        let mut subscription = Self {
            peer: peer.clone(),
            id,
            _request: None,
            filter,
            notifications,
        };
        let limit = peer.config.limits.request_timeout;
        if peer.revision().has_handshake() {
            let method = Method::ResourcesSubscribe.as_str();
            in_time(method, limit, subscription.subscribe()).await?;
        } else {
            in_time(LISTEN, limit, subscription.listen()).await?;
        }
        Ok(subscription)
    }

    /// Waits for the next change. Returns `None` once the server has ended the subscription or the connection has
    /// ended.
    pub async fn next(&mut self) -> Option<ServerNotification> {
        self.notifications.recv().await
    }

    async fn listen(&mut self) -> Result<(), ClientError> {
        let params = self.filter.params();
        let mut request = InFlight::begin(&self.peer, self.id, LISTEN, params, None).await?;
        let first = tokio::select! {
            biased;
            first = self.notifications.recv() => first.ok_or(ClientError::Closed)?,
            answer = request.answer() => return Err(answer.err().unwrap_or(ClientError::Closed)),
        };
        let NotificationBody::SubscriptionAcknowledged(_) = first.kind else {
            return Err(ClientError::Decode(
                "the subscription does not begin with its acknowledgment".to_owned(),
            ));
        };
        // The subscription does not count toward the requests in flight.
        request.slot = None;
        self._request = Some(request);
        Ok(())
    }

    async fn subscribe(&mut self) -> Result<(), ClientError> {
        let peer = &self.peer;
        if let Link::Http(http) = &peer.link {
            http.listen(&peer.conversation).await?;
        }
        for uri in &self.filter.uris {
            let params = Object::from_iter([("uri".to_owned(), uri.as_str().into())]);
            peer.ask(Method::ResourcesSubscribe.as_str(), params)
                .await?;
        }
        Ok(())
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let peer = &self.peer;
        let mut listeners = peer.listeners.lock();
        listeners.remove(&self.id);
        if !peer.revision().has_handshake() || peer.ended.is_cancelled() {
            return;
        }
        for uri in std::mem::take(&mut self.filter.uris) {
            if listeners.values().any(|it| it.filter.uris.contains(&uri)) {
                continue;
            }
            let params = Object::from_iter([("uri".to_owned(), uri.into())]);
            let peer = peer.clone();
            self.peer.tasks.spawn(async move {
                if let Err(why) = peer
                    .ask(Method::ResourcesUnsubscribe.as_str(), params)
                    .await
                {
                    tracing::debug!(%why, "a subscription could not be ended");
                }
            });
        }
    }
}

impl std::fmt::Debug for Subscription {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subscription")
            .field("filter", &self.filter)
            .finish_non_exhaustive()
    }
}
