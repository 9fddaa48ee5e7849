//! Subscriptions of clients to resources, and how many there may be.

use std::sync::{Arc, atomic::Ordering};

use futures_util::future::join_all;
use mcp_protocol::{ErrorObject, Object, Revision, error::INTERNAL_ERROR};

use crate::{
    context::CallContext,
    limits::Admission,
    notifications::SubscriptionFilter,
    resources::uri,
    response::Reply,
    run::Ended,
    server::Server,
    sets::{ResourceSet, SubscribeError},
    subscription_guard::SubscriptionGuard,
};

/// One client's subscription to one resource; it ends when dropped.
#[derive(Debug)]
pub(crate) struct Subscription {
    _guard: SubscriptionGuard,
    _permit: SubscriptionPermit,
}

/// One of the subscriptions that a server may have; free again when dropped.
#[derive(Debug)]
struct SubscriptionPermit(Arc<Admission>);

impl SubscriptionPermit {
    fn new(admission: &Arc<Admission>, most: usize) -> Result<Self, ErrorObject> {
        let permit = Self(Arc::clone(admission));
        if admission.subscriptions.fetch_add(1, Ordering::Relaxed) >= most {
            let what = format_args!("this server has {most} subscriptions already");
            return Err(ErrorObject::invalid_request(what));
        }
        Ok(permit)
    }
}

impl Drop for SubscriptionPermit {
    fn drop(&mut self) {
        self.0.subscriptions.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Server {
    /// `resources/subscribe`, which needs a session to remember it. Once more renews it.
    pub(crate) async fn subscribe(
        &self,
        set: &dyn ResourceSet,
        revision: Revision,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let uri = uri(&mut params.unwrap_or_default())?;
        let session = cx.channel().and_then(|it| it.session()).ok_or_else(|| {
            ErrorObject::invalid_request("to subscribe to a resource, open a session first")
        })?;
        let most = self.limits().subscriptions_per_client;
        // Reserved before the set is asked: no change after that is missed.
        let slot = session.reserve_subscription(&uri, most).ok_or_else(|| {
            let what = format_args!("the session has {most} subscriptions already");
            ErrorObject::invalid_request(what)
        })?;
        slot.fill(self.begin_subscription(set, &uri, cx).await?);
        self.empty(revision)
    }

    /// `resources/unsubscribe`; a resource without a subscription is ignored.
    pub(crate) fn unsubscribe(
        &self,
        revision: Revision,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let uri = uri(&mut params.unwrap_or_default())?;
        if let Some(session) = cx.channel().and_then(|it| it.session()) {
            session.unsubscribe(&uri);
        }
        self.empty(revision)
    }

    /// The subscriptions of one `subscriptions/listen`, all at once. Resources that are refused are left out of
    /// `filter`, and so of the acknowledgement; errors if nothing that was asked for is left.
    pub(crate) async fn begin_subscriptions(
        &self,
        filter: &mut SubscriptionFilter,
        cx: &CallContext,
    ) -> Result<Vec<Subscription>, ErrorObject> {
        let Some(set) = &self.sets.resources else {
            return Ok(Vec::new());
        };
        let most = self.limits().subscriptions_per_client;
        let uris = filter.take_uris();
        if uris.len() > most {
            let what = format_args!("at most {most} resourceSubscriptions in a request");
            return Err(ErrorObject::invalid_params(what));
        }
        let begun = uris
            .iter()
            .map(|uri| self.begin_subscription(&**set, uri, cx));
        let begun = join_all(begun).await;
        let mut subscriptions = Vec::with_capacity(uris.len());
        let mut refused = None;
        for (uri, begun) in uris.into_iter().zip(begun) {
            match begun {
                Ok(it) => {
                    subscriptions.push(it);
                    filter.add_uri(uri);
                }
                Err(error) => {
                    tracing::debug!(uri, reason = error.message, "a subscription was refused");
                    refused.get_or_insert(error);
                }
            }
        }
        match refused {
            Some(error) if filter.is_empty() => Err(error),
            Some(_) | None => Ok(subscriptions),
        }
    }

    async fn begin_subscription(
        &self,
        set: &dyn ResourceSet,
        uri: &str,
        cx: &CallContext,
    ) -> Result<Subscription, ErrorObject> {
        let permit = SubscriptionPermit::new(&self.admission, self.limits().subscriptions)?;
        match self.run(uri, cx, || Some(set.subscribe(uri, cx))).await {
            Some(Ended::Done(Ok(guard))) => Ok(Subscription {
                _guard: guard,
                _permit: permit,
            }),
            Some(Ended::Done(Err(SubscribeError::Refused(why)))) => {
                Err(ErrorObject::invalid_params(why))
            }
            Some(Ended::Done(Err(SubscribeError::Failed(why))) | Ended::GivenUp(why)) => {
                Err(ErrorObject::new(INTERNAL_ERROR, why))
            }
            None => Err(ErrorObject::internal()),
        }
    }
}
