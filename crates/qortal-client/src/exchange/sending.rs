//! A request on its way to one node: sent again if the node lost it, and given up if the node has stalled.

use std::time::Duration;

use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::time::{Instant, sleep, sleep_until};

use super::{Exchange, STALL};
use crate::{
    NodeError, NodeErrorKind, Tier,
    call::Request,
    permits::Permit,
    pulse::Sign,
    transport::{Failure, Received},
    upstream::Upstream,
};

/// A node that takes longer is asked something trivial meanwhile, to see whether it is alive.
const SUSPICION: Duration = Duration::from_millis(500);

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

/// A request on its way to one node.
pub(super) struct Sending<'a> {
    exchange: &'a Exchange,
    upstream: &'a Upstream,
    request: &'a Request,
    permit: Permit<'a>,
    is_alive: bool,
    /// When what the node answered, or failed to, was sent.
    sent: Instant,
}

impl<'a> Sending<'a> {
    pub(super) fn new(
        exchange: &'a Exchange,
        upstream: &'a Upstream,
        request: &'a Request,
        permit: Permit<'a>,
    ) -> Self {
        Self {
            exchange,
            upstream,
            request,
            permit,
            is_alive: false,
            sent: Instant::now(),
        }
    }

    /// Whether the node answered something else meanwhile.
    pub(super) const fn is_alive(&self) -> bool {
        self.is_alive
    }

    /// When what the node answered, or failed to, was sent.
    pub(super) const fn sent(&self) -> Instant {
        self.sent
    }

    /// Whether the answer came when the node would have been held for stalled: such answers do not show that it is well.
    pub(super) fn is_late(&self) -> bool {
        !self.is_alive && self.sent.elapsed() >= SUSPICION + STALL
    }

    /// Sends the request, and again if the node lost it; the first answer counts. `None` if there is none in time, or if the
    /// node has stalled and another can be asked.
    pub(super) async fn run(
        &mut self,
        until: Instant,
        has_other: bool,
    ) -> Option<Result<Received, Failure>> {
        let (exchange, upstream, request) = (self.exchange, self.upstream, self.request);
        let send = || {
            let sent = Instant::now();
            async move { (sent, exchange.transport.exchange(upstream, request).await) }
        };
        let mut sends = FuturesUnordered::new();
        sends.push(send());
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
                    let error = NodeError::new(exchange.heartbeat.endpoint, kind);
                    exchange.open(upstream, error, look);
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
                sends.push(send());
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
