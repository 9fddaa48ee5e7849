//! One query to the nodes: the order in which they are queried, and the time that each may take.

use std::{collections::BTreeMap, pin::pin, sync::Arc, time::Duration};

use futures_util::{StreamExt, future::join_all, stream::FuturesUnordered};
use parking_lot::Mutex;
use qortal_types::Height;
use tokio::time::{Instant, sleep_until, timeout};

use crate::{
    Access, ConfigError, FallbackReason, NodeConfig, NodeError, NodeErrorKind, NodeHealth,
    NodeObserver, NodeRequest,
    attempt::{Attempts, SUSPICION, spent},
    cache::Cache,
    call::Request,
    heartbeats::Heartbeats,
    permits::Hedges,
    race::{Event, Race, Standing, Step},
    transport::{Received, Transport},
    upstream::Upstream,
};

/// The longest time for which the heights of nodes are waited for before they are compared.
const COMPARISON: Duration = Duration::from_secs(1);

/// The interval at which the heights of one's own nodes are learned, while there are requests.
const COMPARISON_INTERVAL: Duration = Duration::from_secs(15);

/// The same for public nodes, which serve others too.
const PUBLIC_COMPARISON_INTERVAL: Duration = Duration::from_secs(60);

/// An own node that stated its height within this time is not asked for it. That is shorter than the interval: a node states its height
/// a moment after it was asked, and is asked again when the next comparison is due.
const RECENT: Duration = Duration::from_secs(10);

/// How many public nodes one's own are compared with: one that is wrong is outvoted, and no one is asked needlessly.
const COMPARED: usize = 3;

/// A height that was stated longer ago does not show that its node is behind: by now the node may have as many blocks as others.
const COMPARABLE: Duration = Duration::from_secs(5 * 60);

/// All nodes, and the way to them.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The configured one, the user's others, the public ones.
    nodes: Vec<Arc<Upstream>>,
    attempts: Attempts,
    hedges: Hedges,
    cache: Arc<Cache>,
    /// The time at which the heights of nodes are compared next.
    next_comparison: Mutex<Instant>,
    max_blocks_behind: u32,
    /// The most time for an answer from memory or an index.
    quick: Duration,
    observer: Option<NodeObserver>,
}

/// A request, and the nodes that may answer it, the configured one first.
struct Question<'a> {
    request: &'a Request,
    nodes: Vec<&'a Arc<Upstream>>,
    start: Instant,
    limit: Duration,
}

/// The lane of an attempt, its result, and whether that shows that the node is out of order.
type Ended = (usize, Result<Received, NodeError>, bool);

impl Exchange {
    pub(crate) fn new(config: &NodeConfig, cache: Arc<Cache>) -> Result<Self, ConfigError> {
        let transport = Transport::new(config)?;
        Ok(Self {
            nodes: Upstream::all(config)?,
            attempts: Attempts::new(Heartbeats::new(transport, Arc::clone(&cache))),
            hedges: Hedges::default(),
            cache,
            next_comparison: Mutex::new(Instant::now()),
            max_blocks_behind: config.max_blocks_behind,
            quick: config.timeouts.quick,
            observer: config.observer.clone(),
        })
    }

    /// Returns all nodes, in the order of preference.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Upstream> {
        self.nodes.iter().map(|it| &**it)
    }

    fn own(&self) -> impl Iterator<Item = &Arc<Upstream>> {
        self.nodes.iter().filter(|it| it.is_own)
    }

    fn public(&self) -> impl Iterator<Item = &Arc<Upstream>> {
        self.nodes.iter().filter(|it| !it.is_own)
    }

    /// Queries one node after another until one answers or the time is over. A node gets at most half of the time that is left while
    /// another can be queried. Few requests that are later than usual are sent to the next node as well, and the first answer counts.
    pub(crate) async fn ask(
        &self,
        request: &Request,
        limit: Duration,
    ) -> Result<Received, NodeError> {
        let start = Instant::now();
        if request.access == Access::AnyNode && self.nodes.len() > 1 {
            self.compare_heights(COMPARISON.min(limit / 4)).await;
        }
        self.watch_away();
        self.hedges.earn();
        let nodes: Vec<_> = self.may_answer(request.access).collect();
        if let (true, Some(node)) = (request.access.is_of_one(), nodes.first())
            && let Some(error) = node.silence(request.endpoint)
        {
            return Err(error);
        }
        let question = Question {
            request,
            nodes,
            start,
            limit,
        };
        match *question.nodes {
            [only] => {
                let ended = self.attempt(&question, (0, only), false);
                self.judge(&question, ended.await, false).1
            }
            _ => self.race(&question).await,
        }
    }

    /// Turns the race of a question, and returns the result that it chooses.
    async fn race(&self, question: &Question<'_>) -> Result<Received, NodeError> {
        let request = question.request;
        let is_own = question.nodes.iter().map(|it| it.is_own);
        let mut race = Race::new(is_own.zip(self.standings(question)));
        let (mut results, mut attempts) = (BTreeMap::new(), FuturesUnordered::new());
        let (mut late_at, mut is_late) = (question.start, true);
        let mut event = Event::Started;
        let chosen = loop {
            let mut news = pin!(self.attempts.heartbeats.news.notified());
            news.as_mut().enable();
            race.learn(self.standings(question));
            match race.on(event) {
                Step::Start(lane) => {
                    let started = question.nodes.get(lane).map(|it| (lane, *it));
                    attempts.extend(started.map(|it| self.attempt(question, it, race.has_other())));
                    (late_at, is_late) = (Instant::now() + SUSPICION, false);
                    event = Event::Started;
                    continue;
                }
                Step::Wait => {}
                Step::Return(lane) => break Some(lane),
                Step::GiveUp => break None,
            }
            event = tokio::select! {
                biased;
                Some(ended) = attempts.next() => {
                    race.learn(self.standings(question));
                    let lane = ended.0;
                    let (event, result) = self.judge(question, ended, race.is_expected(0));
                    results.insert(lane, result);
                    event
                }
                () = sleep_until(late_at), if !is_late => {
                    is_late = true;
                    let is_of_any = request.access == Access::AnyNode;
                    if is_of_any && race.can_hedge() && self.hedges.spend() { Event::Late } else { Event::Started }
                }
                () = news => Event::News,
            };
        };
        drop(attempts);
        let result = match chosen {
            Some(lane) => results.remove(&lane),
            // The failure of the configured node explains more than those of others.
            None => results.pop_first().map(|(_, first)| first),
        };
        let nothing = || Err(NodeError::new(request.endpoint, NodeErrorKind::Unreachable));
        result.unwrap_or_else(nothing)
    }

    fn standings(&self, question: &Question<'_>) -> impl Iterator<Item = Standing> {
        let best = self.best_for(question.request.access);
        let standing = move |it: &&Arc<Upstream>| match self.behind(it, best) {
            _ if !it.answers() => Standing::Away,
            Some(blocks) => Standing::Behind(blocks),
            None => Standing::Well,
        };
        question.nodes.iter().map(standing)
    }

    /// Queries one node, within its share of what is left of the time, and notifies the observer.
    async fn attempt<'a>(
        &'a self,
        question: &'a Question<'_>,
        (lane, upstream): (usize, &'a Arc<Upstream>),
        has_other: bool,
    ) -> Ended {
        let (sent, request) = (Instant::now(), question.request);
        let left = question.limit.saturating_sub(spent(question.start));
        let time = if has_other {
            left / 2
        } else if upstream.answers() {
            left
        } else {
            // Much patience with a node that does not answer helps no one.
            left.min(self.quick)
        };
        let gives_up = has_other || request.access.is_of_one();
        let (result, is_outage) = self.attempts.ask(upstream, request, time, gives_up).await;
        if let Some(NodeObserver(tell)) = &self.observer {
            let received = result.as_ref();
            tell(&NodeRequest {
                node: upstream.position,
                is_own: upstream.is_own,
                endpoint: request.endpoint,
                duration: sent.elapsed(),
                is_page: received.is_ok_and(|it| it.is_page(request.endpoint)),
                result: received.map(|it| it.status),
            });
        }
        (lane, result, is_outage)
    }

    /// Returns the event that the end of an attempt is, and its result with what its reader should know of the node.
    fn judge(
        &self,
        question: &Question<'_>,
        (lane, result, is_outage): Ended,
        is_first_late: bool,
    ) -> (Event, Result<Received, NodeError>) {
        let best = self.best_for(question.request.access);
        let behind = |lane: usize| self.behind(question.nodes.get(lane)?, best);
        let event = match &result {
            Err(error) if error.is_overload() => Event::Busy(lane),
            Err(error) if error.is_unavailable() => Event::Failed(lane),
            Ok(_) if is_outage => Event::Failed(lane),
            answer => Event::Answered {
                lane,
                is_behind: answer.is_ok() && behind(lane).is_some(),
            },
        };
        let reason = match behind(0) {
            Some(blocks) => FallbackReason::Behind { blocks },
            None if is_first_late => FallbackReason::Late,
            None => FallbackReason::Unavailable,
        };
        let result = result.map(|mut received| {
            received.source.reason = (lane > 0).then_some(reason);
            received.source.behind = behind(lane);
            received
        });
        (event, result)
    }

    fn may_answer(&self, access: Access) -> impl Iterator<Item = &Arc<Upstream>> {
        self.nodes.iter().filter(move |it| match access {
            Access::OwnNode | Access::OwnNodeWithKey => it.position == 0,
            Access::OwnNodesWithKey => it.position == 0 || it.is_own && it.api_key.is_some(),
            Access::AnyNode => true,
        })
    }

    /// Returns the nodes that may answer, the best first.
    pub(crate) fn in_order(&self, access: Access) -> Vec<&Arc<Upstream>> {
        let best = self.best();
        let mut nodes: Vec<_> = self.may_answer(access).collect();
        // Stable: among those that are behind, and among the others, the order stays.
        nodes.sort_by_key(|it| (!it.answers(), self.behind(it, best)));
        nodes
    }

    /// Remembers the height that the node at this place stated. Returns how many blocks it is behind, if too many.
    pub(crate) fn saw_height(&self, position: usize, height: Height) -> Option<u32> {
        let upstream = self.nodes.get(position)?;
        self.attempts.heartbeats.saw_height(upstream, height);
        self.behind(upstream, self.best())
    }

    /// Requests the height of each of one's own nodes, and notes which of them answer.
    pub(crate) async fn look(&self) {
        join_all(self.own().map(|it| self.attempts.heartbeats.check(it))).await;
        self.watch_away();
    }

    /// Has those nodes watched that do not answer: they are of use again soon after they do.
    pub(crate) fn watch_away(&self) {
        let away = self.nodes.iter().filter(|it| !it.answers());
        away.for_each(|it| self.attempts.watch(it));
    }

    /// Learns the heights of nodes that answer, and that have not stated theirs lately in what they were asked anyway, when it is time.
    async fn compare_heights(&self, time: Duration) {
        {
            let (mut next, now) = (self.next_comparison.lock(), Instant::now());
            if self.max_blocks_behind == u32::MAX || now < *next {
                return;
            }
            *next = now + COMPARISON_INTERVAL;
        }
        let answers = |it: &&Arc<Upstream>| it.answers();
        let is_unknown = |time| move |it: &&Arc<Upstream>| it.height_within(time).is_none();
        let own = self.own().filter(answers).filter(is_unknown(RECENT));
        let public = self.public().filter(answers).take(COMPARED);
        let nodes = own.chain(public.filter(is_unknown(PUBLIC_COMPARISON_INTERVAL)));
        // One that fails says nothing about its height.
        join_all(nodes.map(|it| timeout(time, self.attempts.heartbeats.check(it)))).await;
    }

    /// The height to which nodes are compared. A chain does not get shorter: the highest block that one's own nodes ever stated counts,
    /// and what public nodes stated last where none states anything now.
    fn best(&self) -> Option<u32> {
        let own = self.cache.tip().map(Height::number);
        let now = self.public().filter_map(|it| it.height_within(COMPARABLE));
        let last = self.public().filter_map(|it| it.last_height());
        own.max(middle(now).or_else(|| middle(last)))
    }

    /// The same for a question. Those about one node are not for another that has more blocks.
    fn best_for(&self, access: Access) -> Option<u32> {
        self.best().filter(|_| !access.is_of_one())
    }

    /// How many blocks a node is behind the others, if too many. Of one that is back it is known once it has stated its height.
    fn behind(&self, upstream: &Upstream, best: Option<u32>) -> Option<u32> {
        let height = upstream.height_within(COMPARABLE)?.number();
        let behind = best?.saturating_sub(height);
        (behind > self.max_blocks_behind).then_some(behind)
    }

    pub(crate) fn health(&self) -> Vec<NodeHealth> {
        let best = self.best();
        let health = |it: &Arc<Upstream>| NodeHealth {
            url: it.base.as_ref().to_owned(),
            is_own: it.is_own,
            circuit: it.circuit(),
            height: it.last_height(),
            blocks_behind: self.behind(it, best),
            last_error: it.last_error(),
            in_flight: it.permits.taken(),
            waiting: it.permits.waiting(),
        };
        self.nodes.iter().map(health).collect()
    }
}

/// The height to which nodes are compared, of the public ones: the middle, so that one of those that is wrong counts little.
fn middle(heights: impl Iterator<Item = Height>) -> Option<u32> {
    let mut heights: Vec<_> = heights.map(Height::number).collect();
    heights.sort_unstable();
    heights.get(heights.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use qortal_types::Height;

    use super::middle;

    #[test]
    fn public_nodes_outvote_one_that_is_wrong() {
        for (heights, expected) in [
            (&[][..], None),
            (&[9], Some(9)),
            (&[9, 1_000_000], Some(9)),
            (&[1, 9, 1_000_000], Some(9)),
        ] {
            let found = middle(heights.iter().copied().map(Height::new));
            assert_eq!(found, expected, "{heights:?}");
        }
    }
}
