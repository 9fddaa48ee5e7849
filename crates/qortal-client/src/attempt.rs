//! One request to one node, when it is its turn: sent again if the node lost it, given up if the node has stalled; and what that
//! says of the node.

use std::{sync::Arc, time::Duration};

use futures_util::{StreamExt, stream::FuturesUnordered};
use qortal_types::Height;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};
use tracing::{debug, info};

use crate::{
    ApiError, Circuit, Endpoint, NodeError, NodeErrorKind, Tier,
    answer::{code, refusal},
    cache::Cache,
    call::Request,
    heartbeats::Sign,
    hedge::Hedges,
    transport::{Failure, Received, Transport},
    upstream::Upstream,
};

/// A node that answers nothing for this long, not even the trivial, has stalled.
const STALL: Duration = Duration::from_secs(2);

/// A node that takes longer is asked something trivial meanwhile, to see whether it is alive.
const SUSPICION: Duration = Duration::from_millis(500);

/// The time between two such looks at a node that is alive, at least; at a slow request they become seldom, as much of its time is over.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// What a node that is back may still answer late, before it is asked again.
const GRACE: Duration = Duration::from_millis(250);

/// An answer from memory or an index that takes longer, while the node answers others, was lost; a slow one may have been.
const MAY_BE_LOST: Duration = Duration::from_millis(1_500);

/// How many copies of one request may be under way to one node: one more after a stall, and another after a second one.
const MOST_SENDS: usize = 3;

/// The way to one node at a time.
#[derive(Debug)]
pub(crate) struct Attempts {
    transport: Transport,
    /// The trivial request.
    heartbeat: Request,
    /// Another one, for when that is the one in question.
    second_heartbeat: Request,
    /// Some of it ends with a new block.
    cache: Arc<Cache>,
    pub(crate) hedges: Hedges,
}

/// What came of asking one node.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) result: Result<Received, NodeError>,
    /// How the answer shows that the node is out of order.
    pub(crate) outage: Option<Outage>,
    /// Whether the node answers again, and did not before.
    pub(crate) is_back: bool,
}

/// How a node, or what is in front of it, says that it cannot answer anything now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outage {
    /// A proxy does not reach the node, or the node's server is overloaded.
    Down,
    /// The Core has to synchronize its chain or its clock first.
    NotReady,
    /// An error of the server without a word of the Core, or a page. Some endpoints answer so to some arguments; it is an outage
    /// if others do too.
    Suspected,
}

impl Attempts {
    pub(crate) fn new(transport: Transport, cache: Arc<Cache>) -> Self {
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
            heartbeat: without_arguments(Endpoint::BlocksHeight),
            second_heartbeat: without_arguments(Endpoint::BlockLast),
            cache,
            hedges: Hedges::default(),
        }
    }

    /// Asks one node, when it is this request's turn.
    pub(crate) async fn ask(
        &self,
        upstream: &Upstream,
        request: &Request,
        time: Duration,
        has_other: bool,
    ) -> Attempt {
        let endpoint = request.endpoint;
        let start = Instant::now();
        let failed = |kind| NodeError::new(endpoint, kind);
        // A request that got its turn later would have too little time for the answer.
        let waited = time / 2;
        let turn = start + waited;
        let was_closed = upstream.breaker.circuit() == Circuit::Closed;
        let Some(_permit) = upstream.permits.acquire(endpoint.tier(), turn).await else {
            let kind = match upstream.breaker.circuit() {
                Circuit::Closed => NodeErrorKind::Overloaded {
                    limit: upstream.permits.limit(),
                    waited,
                },
                Circuit::Open | Circuit::HalfOpen => NodeErrorKind::TimedOut { after: waited },
            };
            return Attempt {
                result: Err(failed(kind)),
                outage: None,
                is_back: false,
            };
        };
        // It was found not to answer while this one waited for its turn.
        if has_other && was_closed && upstream.breaker.circuit() == Circuit::Open {
            let after = spent(start);
            return Attempt {
                result: Err(failed(NodeErrorKind::TimedOut { after })),
                outage: None,
                is_back: false,
            };
        }
        let mut sending = Sending {
            attempts: self,
            upstream,
            request,
            is_alive: false,
            sent: start,
        };
        let waiting = upstream.heartbeats.waiting();
        let ran = sending.run(start + time, has_other).await;
        waiting.over();
        let (result, outage) = match ran {
            Some(Ok(received)) => {
                let outage = self
                    .outage(upstream, endpoint, &received, start + time)
                    .await;
                (Ok(received), outage)
            }
            Some(Err(Failure::Network(error))) => {
                (Err(NodeError::unreachable(endpoint, error)), None)
            }
            Some(Err(Failure::Other(kind))) => (Err(failed(kind)), None),
            None => {
                let after = spent(start).min(time);
                (Err(failed(NodeErrorKind::TimedOut { after })), None)
            }
        };
        let is_back = sending.judge(&result, outage);
        let (status, bytes) = result
            .as_ref()
            .map_or((0, 0), |it| (it.status, it.body.len()));
        let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let failure = result.as_ref().err().map(NodeError::details);
        debug!(node = &*upstream.base, %endpoint, status, bytes, millis, failure, "node asked");
        Attempt {
            result,
            outage,
            is_back,
        }
    }

    /// Asks one node for its height, as any other request is sent, and notes it.
    pub(crate) async fn look(&self, upstream: &Upstream, time: Duration) -> Attempt {
        let attempt = self.ask(upstream, &self.heartbeat, time, false).await;
        if let (Ok(received), None) = (&attempt.result, attempt.outage) {
            self.saw_height_in(upstream, received);
        }
        attempt
    }

    /// Asks the trivial at once. Any answer shows that the node is alive, and most show its height.
    pub(crate) async fn beat(&self, upstream: &Upstream) -> Result<(), Failure> {
        let sent = Instant::now();
        let received = self.transport.exchange(upstream, &self.heartbeat).await?;
        upstream.permits.slow.answered_trivial(sent.elapsed());
        self.saw_height_in(upstream, &received);
        Ok(())
    }

    fn saw_height_in(&self, upstream: &Upstream, received: &Received) {
        if let Some(height) = received.height() {
            self.saw_height(upstream, height);
        }
    }

    /// Remembers the height that a node stated. A new block ends what is kept for a moment.
    pub(crate) fn saw_height(&self, upstream: &Upstream, height: Height) {
        upstream.height.set(height);
        if upstream.is_own {
            self.cache.saw_height(height);
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
        let outage = outage(endpoint, received)?;
        if outage != Outage::Suspected {
            return Some(outage);
        }
        let trivial = if endpoint == self.heartbeat.endpoint {
            &self.second_heartbeat
        } else {
            &self.heartbeat
        };
        let until = until.min(Instant::now() + STALL);
        match timeout_at(until, self.transport.exchange(upstream, trivial)).await {
            Ok(Ok(answer)) => self::outage(trivial.endpoint, &answer).map(|_| Outage::Down),
            Ok(Err(_)) | Err(_) => Some(Outage::Down),
        }
    }
}

/// How an answer by itself shows that the node is out of order, so that another one might answer instead.
fn outage(endpoint: Endpoint, received: &Received) -> Option<Outage> {
    match received.status {
        500..=599 => match code(&received.body) {
            None if matches!(received.status, 502..=504) => Some(Outage::Down),
            None => Some(Outage::Suspected),
            Some(ApiError::BLOCKCHAIN_NEEDS_SYNC | ApiError::NO_TIME_SYNC)
                if matches!(received.status, 502..=504) =>
            {
                Some(Outage::NotReady)
            }
            Some(_) => None,
        },
        // Of a network that wants a login first, or of another server at this address.
        200..=299 if received.is_page(endpoint) => Some(Outage::Suspected),
        _ => None,
    }
}

/// A request on its way to one node.
struct Sending<'a> {
    attempts: &'a Attempts,
    upstream: &'a Upstream,
    request: &'a Request,
    /// Whether the node answered something else meanwhile.
    is_alive: bool,
    /// When what the node answered, or failed to, was sent.
    sent: Instant,
}

impl Sending<'_> {
    /// Sends the request, and again if the node lost it; the first answer counts. `None` if there is none in time, or if the
    /// node has stalled and another can be asked.
    async fn run(&mut self, until: Instant, has_other: bool) -> Option<Result<Received, Failure>> {
        let (attempts, upstream, request) = (self.attempts, self.upstream, self.request);
        let send = || {
            let sent = Instant::now();
            async move { (sent, attempts.transport.exchange(upstream, request).await) }
        };
        let mut sends = FuturesUnordered::new();
        let first = Instant::now();
        self.sent = first;
        sends.push(send());
        // An answer to what is sent from then on shows that the node is alive.
        let mut since = first;
        let mut look = first + SUSPICION;
        let mut has_stalled = false;
        loop {
            let sign = async {
                sleep_until(look).await;
                let beat = || attempts.beat(upstream);
                let sign = upstream.heartbeats.check(since, STALL, beat).await;
                if has_stalled || matches!(sign, Sign::Alive { was_silent: true }) {
                    sleep(GRACE).await;
                }
                sign
            };
            let sign = tokio::select! {
                biased;
                Some((sent, result)) = sends.next() => match result {
                    // The other one is still on its way.
                    Err(Failure::Network(_)) if !sends.is_empty() => continue,
                    result => {
                        self.sent = sent;
                        return Some(result);
                    }
                },
                () = sleep_until(until) => return None,
                sign = sign => sign,
            };
            let now = Instant::now();
            let is_lost = match sign {
                Sign::Gone(failure) => {
                    self.sent = look;
                    return Some(Err(failure));
                }
                Sign::Silent => {
                    let kind = NodeErrorKind::TimedOut { after: STALL };
                    let endpoint = attempts.heartbeat.endpoint;
                    upstream.failed(NodeError::new(endpoint, kind), look);
                    if has_other {
                        return None;
                    }
                    has_stalled = true;
                    (since, look) = (now, now);
                    continue;
                }
                Sign::Alive { was_silent } => {
                    self.is_alive = true;
                    has_stalled || was_silent || self.is_overdue(now - first, sends.len())
                }
            };
            has_stalled = false;
            let age = now - first;
            look = now
                + match request.endpoint.tier() {
                    Tier::Quick => LOOK_AGAIN,
                    Tier::Slow => LOOK_AGAIN.max(age),
                };
            if is_lost && sends.len() < MOST_SENDS {
                sends.push(send());
                look = now + SUSPICION;
            }
            since = look - SUSPICION;
        }
    }

    /// Whether a request is lost although the node answers others. A slow one is a long one, unless such never took so long; since that is
    /// a guess, it is made seldom.
    fn is_overdue(&self, age: Duration, sends: usize) -> bool {
        let may_be_lost = age >= MAY_BE_LOST && sends == 1;
        match self.request.endpoint.tier() {
            Tier::Quick => may_be_lost,
            Tier::Slow => {
                self.upstream.permits.slow.is_long();
                let hedges = &self.attempts.hedges;
                may_be_lost && hedges.is_unusual(self.request.endpoint, age) && hedges.spend()
            }
        }
    }

    /// Opens or closes the circuit to the node by what it did. Returns whether it answers again, and did not before.
    fn judge(&self, result: &Result<Received, NodeError>, outage: Option<Outage>) -> bool {
        let upstream = self.upstream;
        let is_slow = self.request.endpoint.tier() == Tier::Slow;
        // An answer that came when the node would have been held for stalled does not show that it is well.
        let is_late = !self.is_alive && self.sent.elapsed() >= SUSPICION + STALL;
        let failure = match result {
            Ok(received) => {
                if !is_late {
                    upstream.heartbeats.answered();
                }
                if outage.is_none() {
                    let hedges = &self.attempts.hedges;
                    hedges.answered(self.request.endpoint, self.sent.elapsed());
                }
                if is_slow {
                    upstream.permits.slow.answered(self.sent.elapsed());
                }
                (outage == Some(Outage::Down)).then(|| refusal(self.request.endpoint, received))
            }
            // What is too much for a node says nothing about its health.
            Err(error)
                if self.is_alive && matches!(error.kind(), NodeErrorKind::TimedOut { .. }) =>
            {
                if is_slow {
                    upstream.permits.slow.not_answered();
                }
                return false;
            }
            Err(error) => error.is_unavailable().then(|| error.clone()),
        };
        if let Some(error) = failure {
            upstream.failed(error, self.sent);
            return false;
        }
        let is_back = if upstream.is_only {
            // No other can be preferred.
            upstream.breaker.close(Instant::now())
        } else {
            !is_late && upstream.breaker.close(self.sent)
        };
        if is_back {
            info!(node = &*upstream.base, "node answers again");
        }
        is_back
    }
}

/// The time since `start` in whole milliseconds: the little that takes less is not worth telling.
pub(crate) fn spent(start: Instant) -> Duration {
    let millis = start.elapsed().as_millis();
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}
