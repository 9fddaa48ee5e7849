//! Resource subscriptions of clients.

use std::sync::Arc;

use futures_util::future::join_all;
use mcp_protocol::{ErrorObject, Object, Revision, error::INTERNAL_ERROR};

use crate::{
    context::{CallContext, RequestContext},
    dispatch::{
        ResponsePayload, Server,
        params::{invalid, uri},
    },
    provide::{ResourceSet, SubscribeError},
    session::{notifications::SubscriptionFilter, subscription::Subscription},
};

impl Server {
    /// Handles `resources/subscribe`, which needs a session. A new subscription to the same resource replaces the old
    /// one.
    pub(crate) async fn subscribe(
        &self,
        set: &dyn ResourceSet,
        revision: Revision,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let uri = uri(&mut params.unwrap_or_default())?;
        let session = cx.channel().and_then(|it| it.session()).ok_or_else(|| {
            ErrorObject::invalid_request("to subscribe to a resource, open a session first")
        })?;
        let most = self.limits().subscriptions_per_client;
        // Reserved before the set is asked: no change after that is missed.
        let slot = session.reserve_subscription(&uri, most).ok_or_else(|| {
            let what = format!("the session has {most} subscriptions already");
            ErrorObject::invalid_request(what)
        })?;
        let cx = CallContext::from(cx.clone());
        slot.fill(self.begin_subscription(set, &uri, &cx).await?);
        self.empty(revision)
    }

    /// Handles `resources/unsubscribe`. A resource without a subscription is ignored.
    pub(crate) fn unsubscribe(
        &self,
        revision: Revision,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let uri = uri(&mut params.unwrap_or_default())?;
        if let Some(session) = cx.channel().and_then(|it| it.session()) {
            session.unsubscribe(&uri);
        }
        self.empty(revision)
    }

    /// Starts all subscriptions of one `subscriptions/listen` at once. Rejected resources are removed from `filter`,
    /// and therefore from the acknowledgement. Returns an error if that leaves nothing.
    pub(crate) async fn begin_subscriptions(
        &self,
        filter: &mut SubscriptionFilter,
        cx: &RequestContext,
    ) -> Result<Vec<Subscription>, ErrorObject> {
        let Some(set) = &self.sets.resources else {
            return Ok(Vec::new());
        };
        let most = self.limits().subscriptions_per_client;
        let uris = std::mem::take(&mut filter.uris);
        if uris.len() > most {
            return invalid(format_args!(
                "at most {most} resourceSubscriptions in a request"
            ));
        }
        let cx = CallContext::from(cx.clone());
        let begun = uris
            .iter()
            .map(|uri| self.begin_subscription(&**set, uri, &cx));
        let begun = join_all(begun).await;
        let mut subscriptions = Vec::with_capacity(uris.len());
        let mut refused = None;
        for (uri, begun) in uris.into_iter().zip(begun) {
            match begun {
                Ok(it) => {
                    subscriptions.push(it);
                    filter.uris.push(uri);
                }
                Err(error) => {
                    tracing::debug!(uri, reason = error.message, "a subscription was rejected");
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
        let permits = Arc::clone(&self.admission.subscriptions);
        let permit = permits.try_acquire_owned().map_err(|_| {
            let most = self.limits().subscriptions;
            ErrorObject::invalid_request(format_args!(
                "this server has {most} subscriptions already"
            ))
        })?;
        let guard = self.run(cx, set.subscribe(uri, cx)).await?;
        let guard = guard.map_err(|error| match error {
            SubscribeError::Refused(why) => ErrorObject::invalid_params(why),
            SubscribeError::Failed(why) => ErrorObject::new(INTERNAL_ERROR, why),
        })?;
        Ok(Subscription::new(guard, permit))
    }
}
