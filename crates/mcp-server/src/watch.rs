//! Resources that clients watch: what a set does meanwhile, and how many there may be.

use std::{
    any::Any,
    fmt,
    sync::{Arc, atomic::Ordering},
};

use futures_util::future::join_all;
use mcp_protocol::{ErrorObject, Object, Revision};

use crate::{
    call::Ended,
    context::CallContext,
    feed::Filter,
    limits::Gate,
    resources::{ResourceSet, uri},
    response::Reply,
    server::Server,
};

/// A resource is watched for one client as long as this is kept. It is dropped when the client
/// unsubscribes, and at the end of its session or subscription.
pub struct Watch(#[expect(dead_code, reason = "it is kept to be dropped")] Option<Kept>);

type Kept = Box<dyn Any + Send + Sync>;

/// Why a resource is not watched.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WatchError {
    /// What is at this address cannot be watched; the client is told what can be (-32602).
    Refused(String),
    /// It can, but not now; the client is told why (-32603).
    Failed(String),
}

impl Watch {
    /// Drops `guard` when the resource is no longer watched.
    #[must_use]
    pub fn new(guard: impl Send + Sync + 'static) -> Self {
        Self(Some(Box::new(guard)))
    }

    /// For a set that does nothing special for what is watched.
    #[must_use]
    pub const fn idle() -> Self {
        Self(None)
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) | Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for WatchError {}

/// A watch, counted.
#[derive(Debug)]
pub(crate) struct Watched {
    _watch: Watch,
    _counted: Counted,
}

/// One of the watches of a server; no longer when dropped.
#[derive(Debug)]
struct Counted(Arc<Gate>);

impl Counted {
    fn new(gate: &Arc<Gate>, most: usize) -> Result<Self, ErrorObject> {
        let counted = Self(Arc::clone(gate));
        if gate.watches.fetch_add(1, Ordering::Relaxed) >= most {
            let what = format_args!("this server watches {most} resources already");
            return Err(ErrorObject::invalid_request(what));
        }
        Ok(counted)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.watches.fetch_sub(1, Ordering::Relaxed);
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
        let session = cx.link().and_then(|it| it.session()).ok_or_else(|| {
            ErrorObject::invalid_request("to watch a resource, open a session first")
        })?;
        let most = self.limits().watches_per_client;
        // Reserved before it is watched: nothing that changes after that is missed.
        let reserved = session.reserve_watch(&uri, most).ok_or_else(|| {
            let what = format_args!("the session watches {most} resources already");
            ErrorObject::invalid_request(what)
        })?;
        reserved.keep(self.begin_watch(set, &uri, cx).await?);
        self.empty(revision)
    }

    /// `resources/unsubscribe`; what is not watched is ignored.
    pub(crate) fn unsubscribe(
        &self,
        revision: Revision,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let uri = uri(&mut params.unwrap_or_default())?;
        if let Some(session) = cx.link().and_then(|it| it.session()) {
            session.unwatch(&uri);
        }
        self.empty(revision)
    }

    /// What a subscription watches, all at once. What cannot be watched is left out of `filter`, of which the
    /// acknowledgement tells; errors if nothing that was asked for is left.
    pub(crate) async fn begin_watches(
        &self,
        filter: &mut Filter,
        cx: &CallContext,
    ) -> Result<Vec<Watched>, ErrorObject> {
        let Some(set) = &self.sets.resources else {
            return Ok(Vec::new());
        };
        let most = self.limits().watches_per_client;
        let uris = filter.take_uris();
        if uris.len() > most {
            let what = format_args!("a subscription may watch {most} resources");
            return Err(ErrorObject::invalid_params(what));
        }
        let begun = uris.iter().map(|uri| self.begin_watch(&**set, uri, cx));
        let begun = join_all(begun).await;
        let mut watched = Vec::with_capacity(uris.len());
        let mut refused = None;
        for (uri, begun) in uris.into_iter().zip(begun) {
            match begun {
                Ok(it) => {
                    watched.push(it);
                    filter.add_uri(uri);
                }
                Err(error) => {
                    tracing::debug!(uri, reason = error.message, "not watched");
                    refused.get_or_insert(error);
                }
            }
        }
        match refused {
            Some(error) if filter.is_empty() => Err(error),
            Some(_) | None => Ok(watched),
        }
    }

    async fn begin_watch(
        &self,
        set: &dyn ResourceSet,
        uri: &str,
        cx: &CallContext,
    ) -> Result<Watched, ErrorObject> {
        let counted = Counted::new(&self.gate, self.limits().watches)?;
        let failed = |why| ErrorObject::new(mcp_protocol::error::INTERNAL_ERROR, why);
        match self.run(uri, cx, || Some(set.watch(uri))).await {
            Some(Ended::With(Ok(watch))) => Ok(Watched {
                _watch: watch,
                _counted: counted,
            }),
            Some(Ended::With(Err(WatchError::Refused(why)))) => {
                Err(ErrorObject::invalid_params(why))
            }
            Some(Ended::With(Err(WatchError::Failed(why))) | Ended::Early(why)) => Err(failed(why)),
            None => Err(ErrorObject::internal()),
        }
    }
}
