//! One question to the nodes: which are asked, in which order, and how long each may take.

use std::{collections::VecDeque, time::Duration};

use futures_util::{StreamExt, future::join_all, stream::FuturesUnordered};
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use tracing::{debug, info, warn};

use crate::{
    Access, Circuit, Endpoint, NodeError, NodeErrorKind, NodeRequest, RequestObserver, Tier,
    answer::refusal,
    call::Request,
    permits::Permit,
    pulse::Sign,
    transport::{Failure, Outage, Received, Transport},
    upstream::{Choice, Upstream, Upstreams},
};

/// A node that takes longer is asked something trivial meanwhile, to see whether it is alive.
const SUSPICION: Duration = Duration::from_millis(500);

/// A node that answers nothing for this long, not even the trivial, has stalled.
const STALL: Duration = Duration::from_secs(2);

/// The time between two such looks at a node that is alive.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// What a node that is back may still answer late, before it is asked again.
const GRACE: Duration = Duration::from_millis(250);

/// An answer from memory or an index that takes longer, while the node answers others, was lost.
const QUICK_IS_LOST: Duration = Duration::from_millis(1_500);

/// A slow request that takes longer, while the node answers others, is no longer counted among those that it works on.
const SLOW_IS_OVERDUE: Duration = Duration::from_secs(10);

/// How many copies of one request may be under way to one node: one more after a stall, and another after a second one.
const MOST_SENDS: usize = 3;

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
}

impl Exchange {
    pub(crate) fn new(
        transport: Transport,
        upstreams: Upstreams,
        quick: Duration,
        observer: Option<RequestObserver>,
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
        }
    }

    /// Asks one node after another until one answers or the time is over. A node gets at most half of the time that is left while
    /// another can be asked.
    pub(crate) async fn ask(
        &self,
        request: &Request,
        limit: Duration,
    ) -> Result<Received, NodeError> {
        let start = Instant::now();
        let deadline = start + limit;
        let access = request.access;
        if access == Access::AnyNode && self.upstreams.are_heights_due() {
            self.compare_heights(COMPARISON.min(limit / 4)).await;
        }
        let mut choices: VecDeque<Choice<'_>> = self.upstreams.in_order(access);
        let mut failure = None;
        while let Some(mut choice) = choices.pop_front() {
            let upstream = choice.upstream;
            if !choice.is_deferred && !upstream.breaker.admits() {
                choice.is_deferred = true;
                choices.push_back(choice);
                continue;
            }
            let left = limit.saturating_sub(spent(start));
            let time = match choices.is_empty() {
                false => left / 2,
                // Much patience with a node that does not answer helps no one.
                true if upstream.breaker.circuit() != Circuit::Closed => left.min(self.quick),
                true => left,
            };
            let has_other = !choices.is_empty();
            let result = self.attempt(upstream, request, time, has_other).await;
            let is_tried_elsewhere = match &result {
                Ok((_, outage)) => outage.is_some(),
                Err(error) => error.is_unavailable() || !upstream.is_own && error.is_overload(),
            };
            if !is_tried_elsewhere {
                return result.map(|(received, _)| received.from(choice.source()));
            }
            // The failure of the configured node says more than those of others.
            if upstream.is_own || failure.is_none() {
                failure = Some(result.map(|(received, _)| received));
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        failure.unwrap_or_else(|| Err(NodeError::new(request.endpoint, NodeErrorKind::Unreachable)))
    }

    /// Asks one node, and tells the observer.
    async fn attempt(
        &self,
        upstream: &Upstream,
        request: &Request,
        time: Duration,
        has_other: bool,
    ) -> Result<(Received, Option<Outage>), NodeError> {
        let start = Instant::now();
        let result = self
            .attempt_unobserved(upstream, request, time, has_other)
            .await;
        if let Some(observer) = &self.observer {
            observer.tell(&NodeRequest {
                node: upstream.position,
                endpoint: request.endpoint,
                duration: start.elapsed(),
                result: result.as_ref().map(|(received, _)| received.status),
            });
        }
        result
    }

    /// Asks one node, when it is this request's turn. Its answer comes with how it shows that the node is out of order.
    async fn attempt_unobserved(
        &self,
        upstream: &Upstream,
        request: &Request,
        time: Duration,
        has_other: bool,
    ) -> Result<(Received, Option<Outage>), NodeError> {
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
        let mut sending = Sending {
            exchange: self,
            upstream,
            request,
            permit,
            is_alive: false,
        };
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
        let is_alive = sending.is_alive;
        self.judge(upstream, endpoint, &result, is_alive);
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
        result: &Result<(Received, Option<Outage>), NodeError>,
        is_alive: bool,
    ) {
        let failure = match result {
            Ok((received, outage)) => {
                (*outage == Some(Outage::Down)).then(|| refusal(endpoint, received))
            }
            // What is too much for a node says nothing about its health.
            Err(error) if is_alive && matches!(error.kind(), NodeErrorKind::TimedOut { .. }) => {
                return;
            }
            Err(error) => error.is_unavailable().then(|| error.clone()),
        };
        match failure {
            Some(error) => self.open(upstream, error),
            None if upstream.breaker.close() => {
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
        let outage = received.outage()?;
        if outage != Outage::Suspected {
            return Some(outage);
        }
        let trivial = match endpoint == self.heartbeat.endpoint {
            true => &self.second_heartbeat,
            false => &self.heartbeat,
        };
        let until = until.min(Instant::now() + STALL);
        match timeout_at(until, self.transport.exchange(upstream, trivial)).await {
            Ok(Ok(answer)) => answer.outage().map(|_| Outage::Down),
            Ok(Err(_)) | Err(_) => Some(Outage::Down),
        }
    }

    fn open(&self, upstream: &Upstream, error: NodeError) {
        if upstream.breaker.open() {
            warn!(
                node = upstream.base.as_str(),
                error = error.details(),
                "node does not answer"
            );
        }
        upstream.set_last_error(error);
    }

    /// Asks the trivial. Any answer shows that the node is alive, and most show its height.
    async fn beat(&self, upstream: &Upstream) -> Result<(), Failure> {
        let received = self.transport.exchange(upstream, &self.heartbeat).await?;
        if let Some(height) = received.height() {
            upstream.saw_height(height);
        }
        Ok(())
    }

    /// Learns the heights of some nodes, so that one that is behind can be told.
    async fn compare_heights(&self, time: Duration) {
        let nodes = self.upstreams.compared();
        let beats = nodes.map(|upstream| timeout(time, self.beat(upstream)));
        // One that fails says nothing about its height.
        join_all(beats).await;
    }
}

/// The time since `start` in whole milliseconds: the little that takes less is not worth telling.
fn spent(start: Instant) -> Duration {
    let millis = start.elapsed().as_millis();
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}

/// A request on its way to one node.
struct Sending<'a> {
    exchange: &'a Exchange,
    upstream: &'a Upstream,
    request: &'a Request,
    permit: Permit<'a>,
    /// Whether the node answered something else meanwhile.
    is_alive: bool,
}

impl Sending<'_> {
    /// Sends the request, and again if the node lost it; the first answer counts. `None` if there is none in time, or if the
    /// node has stalled and another can be asked.
    async fn run(&mut self, until: Instant, has_other: bool) -> Option<Result<Received, Failure>> {
        let (exchange, upstream) = (self.exchange, self.upstream);
        let mut sends = FuturesUnordered::new();
        sends.push(exchange.transport.exchange(upstream, self.request));
        let first = Instant::now();
        let mut look = first + SUSPICION;
        let mut has_stalled = false;
        loop {
            let sign = async {
                sleep_until(look).await;
                let beat = || exchange.beat(upstream);
                let sign = upstream.pulse.check(look - SUSPICION, STALL, beat).await;
                if has_stalled || matches!(sign, Sign::Alive { was_silent: true }) {
                    sleep(GRACE).await;
                }
                sign
            };
            let sign = tokio::select! {
                biased;
                Some(result) = sends.next() => match result {
                    // The other one is still on its way.
                    Err(Failure::Network(_)) if !sends.is_empty() => continue,
                    result => return Some(result),
                },
                () = sleep_until(until) => return None,
                sign = sign => sign,
            };
            let now = Instant::now();
            let is_lost = match sign {
                Sign::Gone(failure) => return Some(Err(failure)),
                Sign::Silent => {
                    let kind = NodeErrorKind::TimedOut { after: STALL };
                    let error = NodeError::new(exchange.heartbeat.endpoint, kind);
                    exchange.open(upstream, error);
                    if has_other {
                        return None;
                    }
                    has_stalled = true;
                    look = now;
                    continue;
                }
                Sign::Alive { was_silent } => {
                    self.is_alive = true;
                    has_stalled || was_silent || self.is_overdue(now - first, sends.len())
                }
            };
            has_stalled = false;
            look = now + LOOK_AGAIN;
            if is_lost && sends.len() < MOST_SENDS {
                sends.push(exchange.transport.exchange(upstream, self.request));
                look = now + SUSPICION;
            }
        }
    }

    /// Whether a quick request is lost although the node answers others. A slow one gives its place back instead.
    fn is_overdue(&mut self, age: Duration, sends: usize) -> bool {
        match self.request.endpoint.tier() {
            Tier::Quick => age >= QUICK_IS_LOST && sends == 1,
            Tier::Slow => {
                if age >= SLOW_IS_OVERDUE {
                    self.upstream.permits.give_back(&mut self.permit);
                }
                false
            }
        }
    }
}
