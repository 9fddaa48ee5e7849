//! One question to the nodes: which are asked, in which order, and how long each may take.

use std::{collections::VecDeque, future::pending, iter::once, sync::Arc, time::Duration};

use futures_util::{StreamExt, future::join_all, stream::FuturesUnordered};
use parking_lot::Mutex;
use qortal_types::Height;
use tokio::time::{Instant, sleep_until, timeout};

use crate::{
    Access, Circuit, Config, ConfigError, Fallback, NodeError, NodeErrorKind, NodeHealth,
    NodeRequest, RequestObserver,
    attempt::{Attempt, Attempts, spent},
    cache::Cache,
    call::Request,
    transport::{Received, Transport},
    upstream::{Source, Upstream},
};

/// How long the heights of nodes are waited for before they are compared, at most.
const COMPARISON: Duration = Duration::from_secs(1);

/// While a node leaves a question unanswered for so long, one's own nodes that did not answer before are asked again: it may have
/// stalled, and one of them may be back. Who tries a node again asks the next one then, be it behind.
const SECOND_CHANCE: Duration = Duration::from_secs(1);

/// The same while none is known to answer: whichever is back first is not kept waiting by one that is not.
const ANY_CHANCE: Duration = Duration::from_millis(300);

/// How long what a node says that is behind waits for the answer of a better one.
const BETTER: Duration = Duration::from_secs(1);

/// How often the heights of one's own nodes are learned, while there are requests.
const COMPARISON_INTERVAL: Duration = Duration::from_secs(15);

/// The same for public nodes, which serve others too.
const PUBLIC_COMPARISON_INTERVAL: Duration = Duration::from_secs(60);

/// An own node that stated its height within this time is not asked for it. That is shorter than the interval: a node states its height
/// a moment after it was asked, and is asked again when the next comparison is due.
const RECENT: Duration = Duration::from_secs(10);

/// How many public nodes one's own are compared with: one that is wrong is outvoted, and no one is asked needlessly.
const COMPARED: usize = 3;

/// All nodes, and the way to them.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The configured one, the user's others, the public ones.
    nodes: Vec<Upstream>,
    attempts: Attempts,
    max_blocks_behind: u32,
    next_comparison: Mutex<Instant>,
    /// The most time for an answer from memory or an index.
    quick: Duration,
    observer: Option<RequestObserver>,
}

/// A node in the order in which they are tried.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    pub(crate) upstream: &'a Upstream,
    /// Whether it comes last, because it does not answer.
    is_deferred: bool,
    /// How many blocks it is behind others, if too many.
    behind: Option<u32>,
    /// Why it is asked, if it is not the configured one.
    reason: Fallback,
}

impl Choice<'_> {
    fn source(&self) -> Source {
        Source {
            reason: (!self.upstream.is_configured()).then_some(self.reason),
            behind: self.behind,
            ..self.upstream.source()
        }
    }

    /// Whether the node may be asked although another one is about to answer: one of one's own that is well.
    fn can_hedge(&self) -> bool {
        let upstream = self.upstream;
        upstream.is_own && self.behind.is_none() && upstream.breaker.circuit() == Circuit::Closed
    }
}

impl Exchange {
    pub(crate) fn new(config: &Config, cache: Arc<Cache>) -> Result<Self, ConfigError> {
        let transport = Transport::new(config)?;
        for (limit, setting) in [
            (config.concurrency, "concurrency"),
            (config.public_concurrency, "public_concurrency"),
        ] {
            if limit == 0 {
                return Err(ConfigError::Zero { setting });
            }
        }
        let configured = once((&config.base_url, config.api_key.as_ref()));
        let own = config
            .own_nodes
            .iter()
            .map(|it| (&it.url, it.api_key.as_ref()));
        let public = config.public_urls.iter().map(|url| (url, None));
        let mut nodes: Vec<Upstream> = Vec::new();
        for (position, (url, key)) in configured.chain(own).chain(public).enumerate() {
            let added = Upstream::new(config, position, url, key)?;
            // Each of one's own has one key and one budget of requests.
            if added.is_own && nodes.iter().any(|it| it.base == added.base) {
                let url = added.base.as_ref().to_owned();
                return Err(ConfigError::Twice { url });
            }
            nodes.push(added);
        }
        Ok(Self {
            nodes,
            attempts: Attempts::new(transport, cache),
            max_blocks_behind: config.max_blocks_behind,
            next_comparison: Mutex::new(Instant::now()),
            quick: config.timeouts.quick,
            observer: config.observer.clone(),
        })
    }

    /// All nodes, in the order of preference.
    pub(crate) fn nodes(&self) -> &[Upstream] {
        &self.nodes
    }

    fn own(&self) -> impl Iterator<Item = &Upstream> {
        self.nodes.iter().filter(|it| it.is_own)
    }

    fn public(&self) -> impl Iterator<Item = &Upstream> {
        self.nodes.iter().filter(|it| !it.is_own)
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
        if request.access == Access::AnyNode && self.are_heights_due() {
            self.compare_heights(COMPARISON.min(limit / 4)).await;
        }
        self.attempts.hedges.earn();
        let mut choices = self.in_order(request.access);
        let mut attempts = FuturesUnordered::new();
        let mut late_at = None;
        let mut is_trial = false;
        let mut second_chance = None;
        let mut failed = VecDeque::new();
        let (mut failure, mut stale) = (None, None);
        let mut stale_until = None;
        loop {
            if attempts.is_empty() {
                let Some(choice) = next(&mut choices) else {
                    break;
                };
                let has_other = !choices.is_empty();
                is_trial = choice.upstream.breaker.circuit() != Circuit::Closed;
                let patience = if choice.is_deferred {
                    ANY_CHANCE
                } else {
                    SECOND_CHANCE
                };
                attempts.push(self.attempt(choice, request, start, limit, has_other));
                late_at = self.late_at(request, &choices);
                second_chance = Some(Instant::now() + patience);
            }
            let (mut choice, attempt) = tokio::select! {
                biased;
                Some(attempted) = attempts.next() => attempted,
                () = until(stale_until) => break,
                () = until(late_at) => {
                    late_at = None;
                    if let Some(choice) = self.hedge(&mut choices, is_trial) {
                        let has_other = !choices.is_empty();
                        attempts.push(self.attempt(choice, request, start, limit, has_other));
                    }
                    continue;
                }
                () = until(second_chance) => {
                    second_chance = None;
                    let next = || next_own(&mut choices, is_trial);
                    if let Some(choice) = failed.pop_front().or_else(next) {
                        attempts.push(self.attempt(choice, request, start, limit, false));
                    }
                    continue;
                }
            };
            let upstream = choice.upstream;
            if attempt.is_back && request.access == Access::AnyNode && self.are_heights_due() {
                self.compare_heights(COMPARISON.min(limit / 4)).await;
                choice.behind = self.behind(upstream, self.best());
            }
            // One that is well can be asked instead of a node that is back and behind, or has been.
            let has_better = !attempts.is_empty() || choices.front().is_some_and(Choice::can_hedge);
            let is_stale = attempt.is_back && choice.behind.is_some() && has_better;
            let result = attempt.result.map(|it| it.from(choice.source()));
            let is_overload = result.as_ref().is_err_and(NodeError::is_overload);
            let is_tried_elsewhere = match &result {
                Ok(_) => attempt.outage.is_some() || is_stale,
                Err(error) if error.is_overload() => {
                    // What is too much for one's own nodes is not for public ones.
                    !upstream.is_own || choices.front().is_some_and(|it| it.upstream.is_own)
                }
                Err(error) => error.is_unavailable(),
            };
            if !is_tried_elsewhere {
                return result;
            }
            if is_stale && attempt.outage.is_none() {
                stale = Some(result);
                stale_until = Some(Instant::now() + BETTER);
                continue;
            }
            // The failure of the configured node says more than those of others.
            if upstream.is_configured() || failure.is_none() {
                failure = Some(result);
            }
            if Instant::now() >= deadline {
                break;
            }
            if upstream.is_own && !is_overload {
                failed.push_back(choice);
                second_chance = Some(Instant::now() + SECOND_CHANCE);
            }
        }
        // What a node has that is behind is better than nothing.
        let nothing = || Err(NodeError::new(request.endpoint, NodeErrorKind::Unreachable));
        stale.or(failure).unwrap_or_else(nothing)
    }

    /// The nodes in the order to try them: the configured one first, those that are behind last.
    pub(crate) fn in_order(&self, access: Access) -> VecDeque<Choice<'_>> {
        let may_be_asked = |it: &&Upstream| match access {
            Access::OwnNode | Access::OwnNodeWithKey => it.is_configured(),
            Access::OwnNodesWithKey => it.is_configured() || it.is_own && it.api_key.is_some(),
            Access::AnyNode => true,
        };
        let is_compared = !matches!(access, Access::OwnNode | Access::OwnNodeWithKey);
        let best = if is_compared { self.best() } else { None };
        let behind = |upstream| self.behind(upstream, best);
        let reason = match self.nodes.first().and_then(behind) {
            Some(blocks) => Fallback::Behind { blocks },
            None => Fallback::Unavailable,
        };
        let asked = self.nodes.iter().filter(may_be_asked);
        let mut choices: VecDeque<_> = asked
            .map(|upstream| Choice {
                upstream,
                is_deferred: false,
                behind: behind(upstream),
                reason,
            })
            .collect();
        // Stable: among those that are behind, and among the others, the order stays.
        choices.make_contiguous().sort_by_key(|it| it.behind);
        choices
    }

    /// When an answer is late enough to ask another node as well; `None` if only this one is asked.
    fn late_at(&self, request: &Request, choices: &VecDeque<Choice<'_>>) -> Option<Instant> {
        let can_be_hedged =
            request.access == Access::AnyNode && choices.front().is_some_and(Choice::can_hedge);
        if !can_be_hedged {
            return None;
        }
        Some(Instant::now() + self.attempts.hedges.patience(request.endpoint))
    }

    /// The next node, if it may be asked while the answer of another one is late. A request that tries a node again, for the sake of others,
    /// may always ask the next.
    fn hedge<'a>(&self, choices: &mut VecDeque<Choice<'a>>, is_trial: bool) -> Option<Choice<'a>> {
        let is_possible = choices.front().is_some_and(Choice::can_hedge);
        if !is_possible || !(is_trial || self.attempts.hedges.spend()) {
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
    ) -> (Choice<'a>, Attempt) {
        let upstream = choice.upstream;
        let left = limit.saturating_sub(spent(start));
        let time = if has_other {
            left / 2
        } else if upstream.breaker.circuit() != Circuit::Closed {
            // Much patience with a node that does not answer helps no one.
            left.min(self.quick)
        } else {
            left
        };
        let begun = Instant::now();
        let attempt = self.attempts.ask(upstream, request, time, has_other).await;
        self.note(&attempt);
        if let Some(RequestObserver(tell)) = &self.observer {
            let received = attempt.result.as_ref();
            tell(&NodeRequest {
                node: upstream.position,
                is_own: upstream.is_own,
                endpoint: request.endpoint,
                duration: begun.elapsed(),
                is_page: received.is_ok_and(|it| it.is_page(request.endpoint)),
                result: received.map(|it| it.status),
            });
        }
        (choice, attempt)
    }

    /// A node that answers again may be behind: heights are compared before its answer counts, or with the next request about the chain.
    fn note(&self, attempt: &Attempt) {
        if attempt.is_back {
            *self.next_comparison.lock() = Instant::now();
        }
    }

    /// Remembers the height of the node at this place, which it stated.
    pub(crate) fn saw_height(&self, position: usize, height: Height) {
        if let Some(upstream) = self.nodes.get(position) {
            self.attempts.saw_height(upstream, height);
        }
    }

    /// Asks each of one's own nodes something trivial, and notes which of them answer.
    pub(crate) async fn look(&self) {
        let looks = self.own().map(|it| self.attempts.look(it, self.quick));
        join_all(looks).await.iter().for_each(|it| self.note(it));
    }

    /// Whether it is time to compare heights; the caller does it.
    fn are_heights_due(&self) -> bool {
        if self.nodes.len() == 1 || self.max_blocks_behind == u32::MAX {
            return false;
        }
        let mut next = self.next_comparison.lock();
        let now = Instant::now();
        let is_due = now >= *next;
        if is_due {
            *next = now + COMPARISON_INTERVAL;
        }
        is_due
    }

    /// Learns the heights of nodes that answer, and that have not stated theirs lately in what they were asked anyway, so that one that
    /// is behind can be told.
    async fn compare_heights(&self, time: Duration) {
        let answering = |it: &&Upstream| it.breaker.circuit() == Circuit::Closed;
        let public = self.public().filter(answering).take(COMPARED);
        let nodes = self.own().filter(answering).chain(public).filter(|it| {
            let recent = if it.is_own {
                RECENT
            } else {
                PUBLIC_COMPARISON_INTERVAL
            };
            it.height.stated_within(recent).is_none()
        });
        let beats = nodes.map(|upstream| timeout(time, self.attempts.beat(upstream)));
        // One that fails says nothing about its height.
        join_all(beats).await;
    }

    fn best(&self) -> Option<u32> {
        let own = self.own().filter_map(|it| it.height.reached());
        let public = self.public().filter_map(|it| it.height.reached());
        best(own, public)
    }

    /// How many blocks a node is behind the others, if too many. Of one that is back it is known once it has stated its height; until then its
    /// chain is taken to be as long as it was.
    fn behind(&self, upstream: &Upstream, best: Option<u32>) -> Option<u32> {
        let height = match upstream.breaker.circuit() {
            Circuit::Closed => upstream.height.reached(),
            Circuit::Open | Circuit::HalfOpen => upstream.height.current(),
        };
        let behind = best?.saturating_sub(height?);
        (behind > self.max_blocks_behind).then_some(behind)
    }

    pub(crate) fn health(&self) -> Vec<NodeHealth> {
        let best = self.best();
        let health = |it: &Upstream| NodeHealth {
            url: it.base.as_ref().to_owned(),
            is_own: it.is_own,
            circuit: it.breaker.circuit(),
            height: it.height.last(),
            blocks_behind: self.behind(it, best),
            last_error: it.last_error.lock().clone(),
            in_flight: it.permits.taken(),
            waiting: it.permits.waiting(),
        };
        self.nodes.iter().map(health).collect()
    }
}

/// The height to which nodes are compared: the highest of one's own nodes, or the middle one of the public nodes, so that
/// one of those that is wrong counts little.
fn best(own: impl Iterator<Item = u32>, public: impl Iterator<Item = u32>) -> Option<u32> {
    let mut public: Vec<_> = public.collect();
    public.sort_unstable();
    let middle = public
        .len()
        .checked_sub(1)
        .and_then(|last| public.get(last / 2));
    own.max().max(middle.copied())
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

/// The next node, if it is one of one's own that comes last because it does not answer; whichever of them it is while another one is tried
/// again, for the sake of others.
fn next_own<'a>(choices: &mut VecDeque<Choice<'a>>, is_trial: bool) -> Option<Choice<'a>> {
    let is_meant = |it: &Choice<'_>| it.upstream.is_own && (it.is_deferred || is_trial);
    if choices.front().is_some_and(is_meant) {
        return choices.pop_front();
    }
    None
}

/// Waits until then, or forever.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::best;

    #[test]
    fn own_nodes_are_believed_and_public_ones_outvote_each_other() {
        for (own, public, expected) in [
            (&[][..], &[][..], None),
            (&[7], &[], Some(7)),
            (&[7, 9], &[8], Some(9)),
            (&[7], &[9], Some(9)),
            (&[7], &[9, 1_000_000], Some(9)),
            (&[7], &[1, 9, 1_000_000], Some(9)),
        ] {
            let found = best(own.iter().copied(), public.iter().copied());
            assert_eq!(found, expected, "{own:?} {public:?}");
        }
    }
}
