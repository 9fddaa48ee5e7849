//! One request to one node, sent when its slot is free. It is sent again if the node lost it, and abandoned if the node has
//! stalled.

use std::{pin::pin, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream::FuturesUnordered};
use parking_lot::Mutex;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep_until, timeout_at},
};
use tracing::debug;

use crate::{
    NodeError, NodeErrorKind, Tier,
    answer::refusal,
    call::Request,
    heartbeats::{Heartbeats, Outage},
    permits::Permit,
    transport::{Failure, Received},
    upstream::Upstream,
};

/// A node that takes longer is asked something trivial meanwhile, to see whether it is alive.
pub(crate) const SUSPICION: Duration = Duration::from_millis(300);

/// The time between two such checks of a node that is alive.
const CHECK_AGAIN: Duration = Duration::from_secs(1);

/// An answer from memory or an index was lost, if the node answers what it was asked so much later.
const LOST: Duration = Duration::from_secs(1);

/// The way to one node at a time.
#[derive(Debug)]
pub(crate) struct Attempts {
    pub(crate) heartbeats: Arc<Heartbeats>,
    /// The tasks that watch nodes. They end with the client.
    watches: Mutex<JoinSet<()>>,
}

impl Attempts {
    pub(crate) fn new(heartbeats: Heartbeats) -> Self {
        Self {
            heartbeats: Arc::new(heartbeats),
            watches: Mutex::default(),
        }
    }

    /// Has a task watch a node, unless one does already.
    pub(crate) fn watch(&self, upstream: &Arc<Upstream>) {
        let (heartbeats, watched) = (Arc::clone(&self.heartbeats), Arc::clone(upstream));
        let mut watches = self.watches.lock();
        while watches.try_join_next().is_some() {}
        upstream.watched_by(|| watches.spawn(async move { heartbeats.watch(&watched).await }));
    }

    /// Queries one node, when it is this request's turn, and gives up when the node is found not to answer if `gives_up`. Returns the
    /// result with whether it shows that the node is out of order.
    pub(crate) async fn ask(
        &self,
        upstream: &Arc<Upstream>,
        request: &Request,
        time: Duration,
        gives_up: bool,
    ) -> (Result<Received, NodeError>, bool) {
        let (start, heartbeats) = (Instant::now(), &self.heartbeats);
        let result = match self.turn(upstream, request, time, gives_up).await {
            Err(error) => Err(error),
            Ok(_permit) => self.send(upstream, request, (start, time), gives_up).await,
        };
        let received = result.as_ref();
        let outage = received.map_or(None, |it| heartbeats.learn(upstream, request, it));
        let is_suspected = outage == Some(Outage::Suspected);
        match received {
            Ok(received) if outage == Some(Outage::Down) => {
                upstream.failed(refusal(request.endpoint, received), start);
            }
            Ok(_) if upstream.answers() && !is_suspected => {}
            // No other node can be preferred.
            Ok(_) if upstream.is_only && !is_suspected => upstream.lives(Instant::now(), false),
            // Its answer counts once it is known whether the node is well, and whether it is behind.
            Ok(_) => drop(timeout_at(start + time, heartbeats.check(upstream)).await),
            Err(error) if error.is_unavailable() && !error.is_timeout() => {
                upstream.failed(error.clone(), start);
            }
            _ => {}
        }
        // That a request took too long says little by itself.
        if received.is_err_and(NodeError::is_unavailable) || !upstream.answers() {
            self.watch(upstream);
            heartbeats.news.notify_waiters();
        }
        let (status, bytes) = received.map_or((0, 0), |it| (it.status, it.body.len()));
        let millis = spent(start).as_millis();
        let failure = received.err().map(NodeError::details);
        debug!(node = &*upstream.base, endpoint = %request.endpoint, status, bytes, millis, failure, "node asked");
        let is_outage = outage.is_some() && !(is_suspected && upstream.answers());
        (result, is_outage)
    }

    /// Waits for half of the time at most: a request that got its turn later would have too little time for the answer.
    async fn turn<'a>(
        &self,
        upstream: &'a Upstream,
        request: &Request,
        time: Duration,
        gives_up: bool,
    ) -> Result<Permit<'a>, NodeError> {
        let (start, waited) = (Instant::now(), time / 2);
        let tier = request.endpoint.tier();
        let permit = upstream.permits.acquire(tier, start + waited).await;
        let kind = match permit {
            // The node was found not to answer while this request waited for its turn.
            Some(permit) if !gives_up || !upstream.died_since(start) => return Ok(permit),
            None if upstream.answers() => NodeErrorKind::Overloaded {
                limit: upstream.permits.limit,
                waited,
            },
            _ => NodeErrorKind::TimedOut {
                after: spent(start).min(waited),
            },
        };
        Err(NodeError::new(request.endpoint, kind))
    }

    /// Sends the request, and once more if the node lost it; the first answer counts. Fails if there is none in time, or as soon as
    /// the node has stalled if `gives_up`.
    async fn send(
        &self,
        upstream: &Arc<Upstream>,
        request: &Request,
        (start, time): (Instant, Duration),
        gives_up: bool,
    ) -> Result<Received, NodeError> {
        let (endpoint, sent, until) = (request.endpoint, Instant::now(), start + time);
        let exchange = || self.heartbeats.transport.exchange(upstream, request);
        let (mut first, second) = (pin!(exchange()), pin!(exchange()));
        if let Ok(result) = timeout_at(until.min(sent + SUSPICION), first.as_mut()).await {
            return result.map_err(|failure| failure.of(endpoint));
        }
        let (mut sends, mut second) = (FuturesUnordered::from_iter([first]), Some(second));
        let mut check = Instant::now();
        loop {
            let mut news = pin!(self.heartbeats.news.notified());
            news.as_mut().enable();
            if Instant::now() >= check {
                self.watch(upstream);
                check = Instant::now() + CHECK_AGAIN;
            }
            if gives_up && upstream.died_since(sent) {
                break;
            }
            let lost_after = (endpoint.tier() == Tier::Quick).then_some(LOST);
            if upstream.has_lost(sent, lost_after) {
                sends.extend(second.take());
            }
            tokio::select! {
                biased;
                Some(result) = sends.next() => match result {
                    // The other one is still on its way.
                    Err(Failure::Network(_)) if !sends.is_empty() => {}
                    result => return result.map_err(|failure| failure.of(endpoint)),
                },
                () = sleep_until(until) => break,
                () = sleep_until(check) => {}
                () = news => {}
            }
        }
        let after = spent(start).min(time);
        Err(NodeError::new(endpoint, NodeErrorKind::TimedOut { after }))
    }
}

/// The time since `start` in whole milliseconds: the little that takes less is not worth telling.
pub(crate) fn spent(start: Instant) -> Duration {
    let millis = start.elapsed().as_millis();
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}
