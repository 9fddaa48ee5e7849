//! One question to the nodes: which are asked, in which order, and how long each may take.

mod sending;

use std::{
    collections::VecDeque,
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt, future::join_all, stream::FuturesUnordered};
use qortal_types::Height;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tracing::{debug, info, warn};

use crate::{
    Access, Circuit, Endpoint, Fallback, NodeError, NodeErrorKind, NodeRequest, RequestObserver,
    answer::refusal,
    cache::Cache,
    call::Request,
    hedge::Hedges,
    transport::{Failure, Outage, Received, Transport},
    upstream::{Choice, Upstream, Upstreams},
};
use sending::Sending;

/// A node that answers nothing for this long, not even the trivial, has stalled.
const STALL: Duration = Duration::from_secs(2);

/// How long the heights of nodes are waited for before they are compared, at most.
const COMPARISON: Duration = Duration::from_secs(1);

/// The nodes, and the way to them.
#[derive(Debug)]
pub(crate) struct Exchange {
    transport: Transport,
    pub(crate) upstreams: Upstreams,
    /// The most time for an answer from memory or an index.
    quick: Duration,
    /// The trivial request.
    heartbeat: Request,
    /// Another one, for when that is the one in question.
    second_heartbeat: Request,
    observer: Option<RequestObserver>,
    hedges: Hedges,
    /// The highest block that one's own nodes stated.
    tip: AtomicU32,
    /// Some of it ends with a new block.
    cache: Arc<Cache>,
}

/// What came of asking one node. An answer comes with how it shows that the node is out of order.
type Attempted = Result<(Received, Option<Outage>), NodeError>;

impl Exchange {
    pub(crate) fn new(
        transport: Transport,
        upstreams: Upstreams,
        quick: Duration,
        observer: Option<RequestObserver>,
        cache: Arc<Cache>,
    ) -> Self {
        let without_arguments = |endpoint: Endpoint| Request {
            endpoint,
            access: endpoint.access(),
            target: endpoint.template().into(),
            body: None,
            up_to: None,
            trace_parent: None,
        };
        Self {
            transport,
            upstreams,
            quick,
            heartbeat: without_arguments(Endpoint::BlocksHeight),
            second_heartbeat: without_arguments(Endpoint::BlockLast),
            observer,
            hedges: Hedges::default(),
            tip: AtomicU32::new(0),
            cache,
        }
    }

    /// Asks one node after another until one answers or the time is over. A node gets at most half of the time that is left while
    /// another can be asked. Few requests that are later than usual are sent to the next node as well, and the first answer counts.
    pub(crate) async fn ask(
        &self,
        request: &Request,
        limit: Duration,
    ) -> Result<Received, NodeError> {
        let start = Instant::now();
        let deadline = start + limit;
        if request.access == Access::AnyNode && self.upstreams.are_heights_due() {
            self.compare_heights(COMPARISON.min(limit / 4)).await;
        }
        let mut choices = self.upstreams.in_order(request.access);
        let mut attempts = FuturesUnordered::new();
        let mut late_at = None;
        let mut failure = None;
        loop {
            if attempts.is_empty() {
                let Some(choice) = next(&mut choices) else {
                    break;
                };
                let has_other = !choices.is_empty();
                attempts.push(self.attempt(choice, request, start, limit, has_other));
                late_at = self.late_at(request, &choices);
            }
            let (choice, result) = tokio::select! {
                biased;
                Some(attempted) = attempts.next() => attempted,
                () = until(late_at) => {
                    late_at = None;
                    if let Some(choice) = self.hedge(&mut choices) {
                        let has_other = !choices.is_empty();
                        attempts.push(self.attempt(choice, request, start, limit, has_other));
                    }
                    continue;
                }
            };
            let upstream = choice.upstream;
            let is_tried_elsewhere = match &result {
                Ok((_, outage)) => outage.is_some(),
                Err(error) if error.is_overload() => {
                    // What is too much for one's own nodes is not for public ones.
                    !upstream.is_own || choices.front().is_some_and(|it| it.upstream.is_own)
                }
                Err(error) => error.is_unavailable(),
            };
            if !is_tried_elsewhere {
                if self.upstreams.has_several_own() {
                    self.hedges.answered(request.endpoint, start.elapsed());
                }
                return result.map(|(received, _)| received.from(choice.source()));
            }
            // The failure of the configured node says more than those of others.
            if upstream.is_configured() || failure.is_none() {
                failure = Some(result.map(|(received, _)| received));
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        failure.unwrap_or_else(|| Err(NodeError::new(request.endpoint, NodeErrorKind::Unreachable)))
    }

    /// When an answer is late enough to ask another node as well; `None` if only this one is asked.
    fn late_at(&self, request: &Request, choices: &VecDeque<Choice<'_>>) -> Option<Instant> {
        let can_be_hedged =
            request.access == Access::AnyNode && choices.front().is_some_and(can_hedge);
        if !can_be_hedged {
            return None;
        }
        self.hedges.earn();
        Some(Instant::now() + self.hedges.patience(request.endpoint))
    }

    /// The next node, if it may be asked while the answer of another one is late.
    fn hedge<'a>(&self, choices: &mut VecDeque<Choice<'a>>) -> Option<Choice<'a>> {
        let is_possible = choices.front().is_some_and(can_hedge);
        if !is_possible || !self.hedges.spend() {
            return None;
        }
        let choice = choices.pop_front()?;
        let reason = match choice.reason {
            Fallback::Unavailable => Fallback::Late,
            other => other,
        };
        Some(Choice { reason, ..choice })
    }

    /// Asks one node, within its share of what is left of the time, and tells the observer.
    async fn attempt<'a>(
        &self,
        choice: Choice<'a>,
        request: &Request,
        start: Instant,
        limit: Duration,
        has_other: bool,
    ) -> (Choice<'a>, Attempted) {
        let upstream = choice.upstream;
        let left = limit.saturating_sub(spent(start));
        let time = match has_other {
            true => left / 2,
            // Much patience with a node that does not answer helps no one.
            false if upstream.breaker.circuit() != Circuit::Closed => left.min(self.quick),
            false => left,
        };
        let begun = Instant::now();
        let result = self
            .attempt_unobserved(upstream, request, time, has_other)
            .await;
        if let Some(observer) = &self.observer {
            observer.tell(&NodeRequest {
                node: upstream.position,
                is_own: upstream.is_own,
                endpoint: request.endpoint,
                duration: begun.elapsed(),
                is_page: result
                    .as_ref()
                    .is_ok_and(|(received, _)| received.is_page(request.endpoint)),
                result: result.as_ref().map(|(received, _)| received.status),
            });
        }
        (choice, result)
    }

    /// Asks one node, when it is this request's turn. Its answer comes with how it shows that the node is out of order.
    async fn attempt_unobserved(
        &self,
        upstream: &Upstream,
        request: &Request,
        time: Duration,
        has_other: bool,
    ) -> Attempted {
        let endpoint = request.endpoint;
        let start = Instant::now();
        let failed = |kind| NodeError::new(endpoint, kind);
        // A request that got its turn later would have too little time for the answer.
        let waited = time / 2;
        let turn = start + waited;
        let Some(permit) = upstream.permits.acquire(endpoint.tier(), turn).await else {
            return Err(failed(match upstream.breaker.circuit() {
                Circuit::Closed => NodeErrorKind::Overloaded {
                    limit: upstream.permits.limit(),
                    waited,
                },
                Circuit::Open | Circuit::HalfOpen => NodeErrorKind::TimedOut { after: waited },
            }));
        };
        let mut sending = Sending::new(self, upstream, request, permit);
        let result = match sending.run(start + time, has_other).await {
            Some(Ok(received)) => {
                let outage = self
                    .outage(upstream, endpoint, &received, start + time)
                    .await;
                Ok((received, outage))
            }
            Some(Err(Failure::Network(error))) => Err(NodeError::unreachable(endpoint, error)),
            Some(Err(Failure::TooLarge { limit })) => {
                Err(failed(NodeErrorKind::TooLarge { limit }))
            }
            Some(Err(Failure::NoMemory)) => Err(failed(NodeErrorKind::NoMemory)),
            Some(Err(Failure::Target)) => Err(failed(NodeErrorKind::BadParameter {
                name: "path and query",
                problem: "do not make a URL",
            })),
            None => {
                let after = spent(start).min(time);
                Err(failed(NodeErrorKind::TimedOut { after }))
            }
        };
        self.judge(upstream, endpoint, &result, &sending);
        let (status, bytes) = result.as_ref().map_or((0, 0), |(received, _)| {
            (received.status, received.body.len())
        });
        let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let failure = result.as_ref().err().map(NodeError::details);
        debug!(node = upstream.base.as_str(), %endpoint, status, bytes, millis, failure, "node asked");
        result
    }

    /// Opens or closes the circuit to a node by what it did.
    fn judge(
        &self,
        upstream: &Upstream,
        endpoint: Endpoint,
        result: &Attempted,
        sending: &Sending<'_>,
    ) {
        let sent = sending.sent();
        let failure = match result {
            Ok((received, outage)) => {
                (*outage == Some(Outage::Down)).then(|| refusal(endpoint, received))
            }
            // What is too much for a node says nothing about its health.
            Err(error)
                if sending.is_alive() && matches!(error.kind(), NodeErrorKind::TimedOut { .. }) =>
            {
                return;
            }
            Err(error) => error.is_unavailable().then(|| error.clone()),
        };
        match failure {
            Some(error) => self.open(upstream, error, sent),
            None if self.upstreams.found(upstream, sent, sending.is_late()) => {
                info!(node = upstream.base.as_str(), "node answers again");
            }
            None => {}
        }
    }

    /// How an answer shows that the node is out of order. If it is an error that some endpoints answer to some arguments, the
    /// trivial is asked, too.
    async fn outage(
        &self,
        upstream: &Upstream,
        endpoint: Endpoint,
        received: &Received,
        until: Instant,
    ) -> Option<Outage> {
        let outage = received.outage(endpoint)?;
        if outage != Outage::Suspected {
            return Some(outage);
        }
        let trivial = match endpoint == self.heartbeat.endpoint {
            true => &self.second_heartbeat,
            false => &self.heartbeat,
        };
        let until = until.min(Instant::now() + STALL);
        match timeout_at(until, self.transport.exchange(upstream, trivial)).await {
            Ok(Ok(answer)) => answer.outage(trivial.endpoint).map(|_| Outage::Down),
            Ok(Err(_)) | Err(_) => Some(Outage::Down),
        }
    }

    /// Notes that a node does not answer what was sent then.
    pub(crate) fn lost(&self, upstream: &Upstream, error: &NodeError, sent: Instant) {
        if self.upstreams.lost(upstream, sent) {
            warn!(
                node = upstream.base.as_str(),
                error = error.details(),
                "node does not answer"
            );
        }
    }

    /// Remembers the height that a node stated. A new block ends what is kept for a moment.
    pub(crate) fn saw_height(&self, upstream: &Upstream, height: Height) {
        upstream.height.set(height);
        let number = height.number();
        if !upstream.is_own {
            return;
        }
        let before = self.tip.fetch_max(number, Ordering::Relaxed);
        // The first height that is known is no news.
        if before != 0 && before < number {
            self.cache.forget_recent();
        }
    }

    /// The highest block that one's own nodes stated; 0 if none.
    pub(crate) fn tip(&self) -> u32 {
        self.tip.load(Ordering::Relaxed)
    }

    fn open(&self, upstream: &Upstream, error: NodeError, sent: Instant) {
        self.lost(upstream, &error, sent);
        upstream.set_last_error(error);
    }

    /// Asks the trivial. Any answer shows that the node is alive, and most show its height.
    async fn beat(&self, upstream: &Upstream) -> Result<(), Failure> {
        let received = self.transport.exchange(upstream, &self.heartbeat).await?;
        if let Some(height) = received.height() {
            self.saw_height(upstream, height);
        }
        Ok(())
    }

    /// Asks each of one's own nodes something trivial, and notes which of them answer.
    pub(crate) async fn look(&self) {
        let looks = self.upstreams.own().map(|upstream| async move {
            let looked = self.attempt_unobserved(upstream, &self.heartbeat, self.quick, false);
            if let Ok((received, None)) = looked.await
                && let Some(height) = received.height()
            {
                self.saw_height(upstream, height);
            }
        });
        join_all(looks).await;
    }

    /// Learns the heights of some nodes, so that one that is behind can be told.
    async fn compare_heights(&self, time: Duration) {
        let nodes = self.upstreams.compared();
        let beats = nodes.map(|upstream| timeout(time, self.beat(upstream)));
        // One that fails says nothing about its height.
        join_all(beats).await;
    }
}

/// The next node to ask. One that does not answer comes after the others, unless it is time to try it again.
fn next<'a>(choices: &mut VecDeque<Choice<'a>>) -> Option<Choice<'a>> {
    loop {
        let mut choice = choices.pop_front()?;
        if choice.is_deferred || choice.upstream.breaker.admits() {
            return Some(choice);
        }
        choice.is_deferred = true;
        choices.push_back(choice);
    }
}

/// Whether a node may be asked although another one is about to answer: one of one's own that is well.
fn can_hedge(choice: &Choice<'_>) -> bool {
    let upstream = choice.upstream;
    upstream.is_own && choice.behind.is_none() && upstream.breaker.circuit() == Circuit::Closed
}

/// Waits until then, or forever.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}

/// The time since `start` in whole milliseconds: the little that takes less is not worth telling.
fn spent(start: Instant) -> Duration {
    let millis = start.elapsed().as_millis();
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}
