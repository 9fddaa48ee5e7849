//! Heartbeats of nodes: trivial requests that are sent while other requests wait for a node, and while its circuit is open.

use std::{sync::Arc, time::Duration};

use futures_util::FutureExt;
use qortal_types::Height;
use tokio::{
    sync::Notify,
    time::{Instant, sleep},
};

use crate::{
    ApiError, Endpoint, NodeError, NodeErrorKind,
    answer::{code, refusal},
    cache::Cache,
    call::Request,
    transport::{Received, Transport},
    upstream::Upstream,
};

/// A node that answers nothing for this long, not even the trivial, has stalled.
const STALL: Duration = Duration::from_secs(2);

/// The time for which a node whose circuit is open may take to answer.
const PROBE: Duration = Duration::from_secs(1);

/// A second heartbeat follows the first one after this time: a stall that is over is noticed soon.
const SECOND: Duration = Duration::from_secs(1);

/// The form in which a node, or a proxy in front of it, reports that it cannot answer anything now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outage {
    /// A proxy does not reach the node, or the node's server is overloaded.
    Down,
    /// The Core has to synchronize its chain or its clock first.
    NotReady,
    /// An error of the server without a word of the Core, or a page. Some endpoints answer so to some arguments; it is an outage
    /// if a heartbeat is answered so.
    Suspected,
}

/// The way to the nodes, and what is sent to see whether they answer.
#[derive(Debug)]
pub(crate) struct Heartbeats {
    pub(crate) transport: Transport,
    /// The trivial request.
    heartbeat: Request,
    /// Some of it ends with a new block.
    cache: Arc<Cache>,
    /// Notified of each news of a node. It wakes in the order of waiting, so that a play of the simulation can be repeated.
    pub(crate) news: Notify,
}

impl Heartbeats {
    pub(crate) fn new(transport: Transport, cache: Arc<Cache>) -> Self {
        Self {
            transport,
            heartbeat: Request::plain(Endpoint::BlocksHeight),
            cache,
            news: Notify::new(),
        }
    }

    /// Checks a node once, and further while its circuit is open. Public nodes, which serve others too, are checked once.
    pub(crate) async fn watch(&self, upstream: &Upstream) {
        if !upstream.answers() {
            sleep(upstream.probe_interval).await;
        }
        loop {
            let pause = sleep(upstream.probe_interval);
            self.check(upstream).await;
            if upstream.answers() || !upstream.is_own {
                break;
            }
            pause.await;
        }
    }

    /// Requests the height of a node, and opens or closes its circuit.
    pub(crate) async fn check(&self, upstream: &Upstream) {
        let sent = Instant::now();
        let patience = if upstream.answers() { STALL } else { PROBE };
        let (request, endpoint) = (&self.heartbeat, self.heartbeat.endpoint);
        let first = self.transport.exchange(upstream, request);
        let second = sleep(SECOND).then(|()| self.transport.exchange(upstream, request));
        let (answer, has_lost) = tokio::select! {
            biased;
            first = first => (Some(first), false),
            () = sleep(patience) => (None, true),
            second = second => (Some(second), true),
        };
        let died = match answer {
            Some(Ok(received)) => self
                .learn(upstream, request, &received)
                .filter(|it| *it != Outage::NotReady)
                .map(|_| refusal(endpoint, &received)),
            Some(Err(failure)) => Some(failure.of(endpoint)).filter(NodeError::is_unavailable),
            None => {
                let kind = NodeErrorKind::TimedOut { after: patience };
                Some(NodeError::new(endpoint, kind))
            }
        };
        match died {
            Some(error) => upstream.died(error, sent),
            None => upstream.lives(sent, has_lost),
        }
        self.news.notify_waiters();
    }

    /// Remembers the height that a node stated. A new block ends what is kept for a moment.
    pub(crate) fn saw_height(&self, upstream: &Upstream, height: Height) {
        upstream.set_height(height);
        if upstream.is_own {
            self.cache.saw_height(height);
        }
    }

    /// Returns how an answer by itself shows that the node is out of order. Notes the height in one that is nothing else.
    pub(crate) fn learn(
        &self,
        upstream: &Upstream,
        request: &Request,
        received: &Received,
    ) -> Option<Outage> {
        let outage = outage(request.endpoint, received);
        let is_height = outage.is_none() && request.endpoint == self.heartbeat.endpoint;
        if let Some(height) = received.height().filter(|_| is_height) {
            self.saw_height(upstream, height);
        }
        outage
    }
}

/// Returns the outage that a response shows by itself, so that another node may answer instead.
fn outage(endpoint: Endpoint, received: &Received) -> Option<Outage> {
    let (status, is_gateway) = (received.status, matches!(received.status, 502..=504));
    if !(500..=599).contains(&status) {
        // Of a network that wants a login first, or of another server at this address.
        let is_page = status < 300 && received.is_page(endpoint);
        return is_page.then_some(Outage::Suspected);
    }
    match code(&received.body) {
        None if is_gateway => Some(Outage::Down),
        None => Some(Outage::Suspected),
        Some(ApiError::BLOCKCHAIN_NEEDS_SYNC | ApiError::NO_TIME_SYNC) if is_gateway => {
            Some(Outage::NotReady)
        }
        Some(_) => None,
    }
}
