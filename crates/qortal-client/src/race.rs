//! The order in which nodes are queried for one answer: a state machine without clock or network.
//!
//! A node that is well is queried first, then one that is behind, then one that does not answer. A second node is queried
//! while the first is late, and the first good answer counts. The answer of a node that is behind waits for a better one.

/// The knowledge about a node when a request may be sent to it. The order is that of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// The node answers, and is not behind.
    Well,
    /// The node answers, and is so many blocks behind others.
    Behind(u32),
    /// The node does not answer, as far as is known.
    Away {
        /// Whether that is old knowledge, so that the node may be back: a probe is on its way.
        is_unsure: bool,
    },
}

impl Standing {
    const AWAY: Self = Self::Away { is_unsure: false };

    const fn answers(self) -> bool {
        matches!(self, Self::Well | Self::Behind(_))
    }
}

/// Something that happened during the race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// The race began.
    Begun,
    /// What was sent last is unanswered for longer than usual.
    Late {
        /// Whether one more request may be sent.
        may_hedge: bool,
    },
    /// The node in this lane sent an answer, although it is behind others if `is_behind`.
    Answered { lane: usize, is_behind: bool },
    /// The node in this lane does not answer.
    Failed(usize),
    /// The node in this lane has too much to do.
    Busy(usize),
    /// The nodes were probed, with these results.
    Probed(Vec<Standing>),
    /// An answer of a node that is behind waited long enough for a better one.
    Over,
}

/// The reaction to an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Send the request to the node in this lane.
    Start(usize),
    /// Wait for the next event.
    Wait,
    /// Return the result of this lane.
    Return(usize),
    /// Return a failure: no node is left.
    GiveUp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Waiting,
    Running,
    Ended,
}

#[derive(Debug, Clone, Copy)]
struct Lane {
    is_own: bool,
    standing: Standing,
    run: Run,
    /// Whether the node was found to answer again during the race.
    is_back: bool,
}

/// The race of one request: its nodes in the configured order.
#[derive(Debug, Clone)]
pub(crate) struct Race {
    lanes: Vec<Lane>,
    /// The lane whose answer waits for a better one.
    stale: Option<usize>,
    is_late: bool,
    is_over: bool,
}

impl Race {
    /// Creates a race of nodes, each with whether it is one's own.
    pub(crate) fn new(nodes: impl Iterator<Item = (bool, Standing)>) -> Self {
        let lane = |(is_own, standing)| Lane {
            is_own,
            standing,
            run: Run::Waiting,
            is_back: false,
        };
        Self {
            lanes: nodes.map(lane).collect(),
            stale: None,
            is_late: false,
            is_over: false,
        }
    }

    /// Returns the step that follows an event.
    pub(crate) fn on(&mut self, event: Event) -> Step {
        let mut may_start = false;
        match event {
            Event::Begun => {}
            Event::Late { may_hedge } => (self.is_late, may_start) = (true, may_hedge),
            Event::Answered { lane, is_behind } => {
                self.end(lane);
                if !is_behind {
                    return Step::Return(lane);
                }
                self.stale.get_or_insert(lane);
            }
            Event::Failed(lane) => {
                self.end(lane);
                if let Some(ended) = self.lanes.get_mut(lane) {
                    ended.standing = Standing::AWAY;
                }
            }
            Event::Busy(lane) => {
                self.end(lane);
                let is_own = |lane: usize| self.lanes.get(lane).is_some_and(|it| it.is_own);
                // What is too much for one's own nodes is not for public ones.
                if is_own(lane) && !self.next().is_some_and(is_own) {
                    return Step::Return(lane);
                }
            }
            // One that failed can be queried again.
            Event::Probed(standings) => self.update(&standings, |_| true),
            Event::Over => self.is_over = true,
        }
        match self.choose(may_start) {
            Step::Start(lane) => {
                self.is_late = false;
                if let Some(started) = self.lanes.get_mut(lane) {
                    started.run = Run::Running;
                }
                Step::Start(lane)
            }
            step => step,
        }
    }

    /// Notes what is known by now of the nodes that may still answer.
    pub(crate) fn learn(&mut self, standings: &[Standing]) {
        self.update(standings, |run| run != Run::Ended);
    }

    /// Whether a second request would be sent now, if that is allowed.
    pub(crate) fn can_hedge(&self) -> bool {
        self.stale.is_none()
            && self.runs(Standing::answers)
            && matches!(self.clone().choose(true), Step::Start(_))
    }

    /// Whether another node can be queried instead of those that are.
    pub(crate) fn has_other(&self) -> bool {
        self.next().is_some()
    }

    /// Returns the lane whose answer waits for a better one.
    pub(crate) const fn stale(&self) -> Option<usize> {
        self.stale
    }

    /// Whether the node in this lane has been queried, and is still expected to answer.
    pub(crate) fn is_expected(&self, lane: usize) -> bool {
        let is_expected = |it: &Lane| it.run == Run::Running && it.standing.answers();
        self.lanes.get(lane).is_some_and(is_expected)
    }

    fn choose(&self, may_hedge: bool) -> Step {
        let next = self.next();
        let lane = next.and_then(|it| self.lanes.get(it));
        if let Some(stale) = self.stale {
            let is_better = lane.is_some_and(|it| it.standing == Standing::Well);
            let is_unsure = |it: &Lane| it.standing == Standing::Away { is_unsure: true };
            let is_hopeful =
                self.runs(|it| it == Standing::Well) || self.lanes.iter().any(is_unsure);
            return match next {
                _ if self.is_over => Step::Return(stale),
                Some(lane) if is_better => Step::Start(lane),
                _ if is_hopeful => Step::Wait,
                _ => Step::Return(stale),
            };
        }
        let is_running = self.runs(|_| true);
        let (Some(next), Some(lane)) = (next, lane) else {
            return if is_running { Step::Wait } else { Step::GiveUp };
        };
        let is_started = if !is_running {
            true
        } else if self.runs(Standing::answers) {
            let may_start = may_hedge || lane.is_back;
            lane.is_own && lane.standing == Standing::Well && may_start
        } else {
            // None of those that were queried is known to answer: whichever is back first need not wait for them.
            lane.is_own && (self.is_late || lane.is_back)
        };
        if is_started {
            Step::Start(next)
        } else {
            Step::Wait
        }
    }

    /// The best node that has not been queried. Those that do not answer come last, in the configured order.
    fn next(&self) -> Option<usize> {
        let rank = |it: &Lane| match it.standing {
            Standing::Away { .. } => Standing::AWAY,
            standing => standing,
        };
        let lanes = self.lanes.iter().enumerate();
        let waiting = lanes.filter(|(_, it)| it.run == Run::Waiting);
        waiting.min_by_key(|(_, it)| rank(it)).map(|(lane, _)| lane)
    }

    /// Whether a node of this standing has been queried and has not answered.
    fn runs(&self, is_meant: impl Fn(Standing) -> bool) -> bool {
        let mut running = self.lanes.iter().filter(|it| it.run == Run::Running);
        running.any(|it| is_meant(it.standing))
    }

    fn end(&mut self, lane: usize) {
        if let Some(lane) = self.lanes.get_mut(lane) {
            lane.run = Run::Ended;
        }
    }

    fn update(&mut self, standings: &[Standing], is_meant: impl Fn(Run) -> bool) {
        for (lane, standing) in self.lanes.iter_mut().zip(standings) {
            if !is_meant(lane.run) {
                continue;
            }
            let is_back = standing.answers() && !lane.standing.answers();
            if is_back && lane.run != Run::Running {
                (lane.run, lane.is_back) = (Run::Waiting, true);
            }
            lane.standing = *standing;
        }
    }
}

#[cfg(test)]
mod tests;
