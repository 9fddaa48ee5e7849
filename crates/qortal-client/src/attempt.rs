//! One request to one node, when it is its turn: sent again if the node lost it, given up if the node has stalled; and what that
//! says of the node.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use parking_lot::Mutex;
use qortal_types::Height;
use tokio::{
    sync::Notify,
    time::{Instant, sleep, sleep_until, timeout_at},
};
use tracing::debug;

use crate::{
    ApiError, Endpoint, NodeError, NodeErrorKind, Tier,
    answer::{code, refusal},
    cache::Cache,
    call::Request,
    heartbeats::Sign,
    hedge::Hedges,
    permits::Permit,
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

/// The time for which a probe waits for an answer.
pub(crate) const PROBE: Duration = Duration::from_secs(1);

/// The probes that an own node gets for the sake of a request that may be the last one.
const PROBES: usize = 10;

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
    /// Notified when a node was probed, or answers again. It wakes in the order of waiting, so that a play of the simulation can be
    /// repeated.
    pub(crate) probed: Notify,
    /// The time at which the heights of nodes are compared next.
    pub(crate) next_comparison: Mutex<Instant>,
}

/// The outcome of querying one node.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) result: Result<Received, NodeError>,
    /// How the answer shows that the node is out of order.
    pub(crate) outage: Option<Outage>,
    /// Whether the node answers again, and did not before.
    pub(crate) is_back: bool,
}

/// The form in which a node, or a proxy in front of it, reports that it cannot answer anything now.
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
        Self {
            transport,
            heartbeat: Request::plain(Endpoint::BlocksHeight),
            second_heartbeat: Request::plain(Endpoint::BlockLast),
            cache,
            hedges: Hedges::default(),
            probed: Notify::new(),
            next_comparison: Mutex::new(Instant::now()),
        }
    }

    /// Queries one node, when it is this request's turn, and gives up when the node is found not to answer if `gives_up`.
    pub(crate) async fn ask(
        &self,
        upstream: &Upstream,
        request: &Request,
        time: Duration,
        gives_up: bool,
    ) -> Attempt {
        let start = Instant::now();
        let (result, outage, is_back) = match self.turn(upstream, request, time, gives_up).await {
            Err(kind) => (Err(NodeError::new(request.endpoint, kind)), None, false),
            Ok(_permit) => {
                let mut sending = Sending {
                    attempts: self,
                    upstream,
                    request,
                    start,
                    time,
                    is_alive: false,
                    sent: start,
                };
                let result = sending.run(gives_up).await;
                let outage = match &result {
                    Ok(received) => self.outage(upstream, received, request, start + time).await,
                    Err(_) => None,
                };
                if let (Ok(received), None) = (&result, outage)
                    && request.endpoint == self.heartbeat.endpoint
                {
                    // It is known when the node counts as one that answers.
                    self.saw_height_in(upstream, received);
                }
                let is_back = sending.judge(&result, outage);
                (result, outage, is_back)
            }
        };
        let (status, bytes) = result
            .as_ref()
            .map_or((0, 0), |it| (it.status, it.body.len()));
        let millis = spent(start).as_millis();
        let failure = result.as_ref().err().map(NodeError::details);
        debug!(node = &*upstream.base, endpoint = %request.endpoint, status, bytes, millis, failure, "node asked");
        Attempt {
            result,
            outage,
            is_back,
        }
    }

    /// Waits for half of the time at most: a request that got its turn later would have too little time for the answer.
    async fn turn<'a>(
        &self,
        upstream: &'a Upstream,
        request: &Request,
        time: Duration,
        gives_up: bool,
    ) -> Result<Permit<'a>, NodeErrorKind> {
        let (start, waited) = (Instant::now(), time / 2);
        let was_closed = upstream.answers();
        let permit = upstream
            .permits
            .acquire(request.endpoint.tier(), start + waited)
            .await;
        let is_closed = upstream.answers();
        match permit {
            // The node was found not to answer while this request waited for its turn.
            Some(_) if gives_up && was_closed && !is_closed => Err(NodeErrorKind::TimedOut {
                after: spent(start),
            }),
            Some(permit) => Ok(permit),
            None if is_closed => Err(NodeErrorKind::Overloaded {
                limit: upstream.permits.limit(),
                waited,
            }),
            None => Err(NodeErrorKind::TimedOut { after: waited }),
        }
    }

    /// Probes a node that left a request unanswered, or that did not answer before, until it answers. Ends after a while: further requests
    /// begin that anew.
    pub(crate) async fn probe(&self, upstream: &Upstream) {
        let interval = upstream.probe_interval;
        let checked = upstream.checked();
        let mut next = checked.map_or_else(Instant::now, |at| at + interval);
        for _ in 0..if upstream.is_own { PROBES } else { 1 } {
            sleep_until(next).await;
            next = Instant::now() + interval;
            self.look(upstream, STALL).await;
            self.probed.notify_waiters();
            if upstream.answers() {
                break;
            }
        }
        upstream.is_probed.store(false, Ordering::Relaxed);
    }

    /// Requests the height of one node in its turn, and notes it. One that did not answer has a second, others have `time`.
    pub(crate) async fn look(&self, upstream: &Upstream, time: Duration) {
        let time = if upstream.answers() { time } else { PROBE };
        self.ask(upstream, &self.heartbeat, time, true).await;
    }

    /// Requests the trivial at once. Any answer shows that the node is alive, and most show its height.
    pub(crate) async fn beat(&self, upstream: &Upstream) -> Result<(), Failure> {
        let received = self.transport.exchange(upstream, &self.heartbeat).await?;
        self.saw_height_in(upstream, &received);
        Ok(())
    }

    /// Notes the height in an answer that is nothing else.
    fn saw_height_in(&self, upstream: &Upstream, received: &Received) {
        if let Some(height) = received.height() {
            self.saw_height(upstream, height);
        }
    }

    /// Remembers the height that a node stated. A new block ends what is kept for a moment.
    pub(crate) fn saw_height(&self, upstream: &Upstream, height: Height) {
        upstream.set_height(height);
        if upstream.is_own {
            self.cache.saw_height(height);
        }
    }

    /// How an answer shows that the node is out of order. If it is an error that some endpoints answer to some arguments, the
    /// trivial is asked, too.
    async fn outage(
        &self,
        upstream: &Upstream,
        received: &Received,
        request: &Request,
        until: Instant,
    ) -> Option<Outage> {
        let outage = outage(request.endpoint, received)?;
        if outage != Outage::Suspected {
            return Some(outage);
        }
        let trivial = if request.endpoint == self.heartbeat.endpoint {
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

/// A request on its way to one node.
struct Sending<'a> {
    attempts: &'a Attempts,
    upstream: &'a Upstream,
    request: &'a Request,
    start: Instant,
    time: Duration,
    /// Whether the node answered something else meanwhile.
    is_alive: bool,
    /// When what the node answered, or failed to, was sent.
    sent: Instant,
}

impl Sending<'_> {
    /// Sends the request, and again if the node lost it; the first answer counts. Fails if there is none in time, or at once if the
    /// node has stalled and `gives_up`.
    async fn run(&mut self, gives_up: bool) -> Result<Received, NodeError> {
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
                        return result.map_err(|failure| failure.of(request.endpoint));
                    }
                },
                () = sleep_until(self.start + self.time) => return Err(self.timed_out()),
                sign = sign => sign,
            };
            let now = Instant::now();
            let is_lost = match sign {
                Sign::Gone(failure) => {
                    self.sent = look;
                    return Err(failure.of(request.endpoint));
                }
                Sign::Silent => {
                    let kind = NodeErrorKind::TimedOut { after: STALL };
                    let endpoint = attempts.heartbeat.endpoint;
                    upstream.failed(NodeError::new(endpoint, kind), look);
                    if gives_up {
                        return Err(self.timed_out());
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
                let hedges = &self.attempts.hedges;
                may_be_lost && hedges.is_unusual(self.request.endpoint, age) && hedges.spend()
            }
        }
    }

    fn timed_out(&self) -> NodeError {
        let after = spent(self.start).min(self.time);
        NodeError::new(self.request.endpoint, NodeErrorKind::TimedOut { after })
    }

    /// Opens or closes the circuit to the node by its answer. Returns whether it answers again, and did not before.
    fn judge(&self, result: &Result<Received, NodeError>, outage: Option<Outage>) -> bool {
        let upstream = self.upstream;
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
                (outage == Some(Outage::Down)).then(|| refusal(self.request.endpoint, received))
            }
            // What is too much for a node says nothing about its health.
            Err(error) if self.is_alive && error.is_timeout() => return false,
            Err(error) => error.is_unavailable().then(|| error.clone()),
        };
        if let Some(error) = failure {
            upstream.failed(error, self.sent);
            return false;
        }
        let is_back = if upstream.is_only {
            // No other can be preferred.
            upstream.answered(Instant::now())
        } else {
            !is_late && upstream.answered(self.sent)
        };
        if is_back {
            // It may be behind.
            *self.attempts.next_comparison.lock() = Instant::now();
            self.attempts.probed.notify_waiters();
        }
        is_back
    }
}

/// The time since `start` in whole milliseconds: the little that takes less is not worth telling.
pub(crate) fn spent(start: Instant) -> Duration {
    let millis = start.elapsed().as_millis();
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}
