//! The order of queries to nodes for one response, as a state machine without clock or network.
//!
//! A healthy node is queried first, then one that is behind, then one that does not respond. If the first node is late, a second
//! one is queried as well, and the first good response wins. The response of a node that is behind waits for a better one.

/// The knowledge about a node when a request may be sent to it. The order is that of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// The node answers, and is not behind.
    Well,
    /// The node answers, and is so many blocks behind others.
    Behind(u32),
    /// The node does not answer, as far as is known.
    Away,
}

impl Standing {
    fn answers(self) -> bool {
        self != Self::Away
    }
}

/// Something that happened during the race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// The race began, or a request was sent to the node that was chosen.
    Started,
    /// There is news of nodes.
    News,
    /// The last request is unanswered for longer than usual, and one more may be sent.
    Late,
    /// The node in this lane sent an answer, although it is behind others if `is_behind`.
    Answered { lane: usize, is_behind: bool },
    /// The node in this lane does not answer.
    Failed(usize),
    /// The node in this lane has too much to do.
    Busy(usize),
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
    /// The node is behind, and answered.
    Stale,
    Failed,
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
#[derive(Debug)]
pub(crate) struct Race {
    lanes: Vec<Lane>,
}

impl Race {
    /// Creates a race of nodes, each with whether it is one's own.
    pub(crate) fn new(nodes: impl Iterator<Item = (bool, Standing)>) -> Self {
        let run = Run::Waiting;
        let lane = |(is_own, standing)| Lane {
            is_own,
            standing,
            run,
            is_back: false,
        };
        Self {
            lanes: nodes.map(lane).collect(),
        }
    }

    /// Notes what is known of the nodes by now. One that failed and is back can be queried again.
    pub(crate) fn learn(&mut self, standings: impl Iterator<Item = Standing>) {
        for (lane, standing) in self.lanes.iter_mut().zip(standings) {
            if standing.answers() && !lane.standing.answers() && lane.run != Run::Running {
                (lane.run, lane.is_back) = (Run::Waiting, true);
            }
            lane.standing = standing;
        }
    }

    /// Returns the step that follows an event.
    pub(crate) fn on(&mut self, event: Event) -> Step {
        match event {
            // A node that was not ready may be by now.
            Event::News if !self.runs(Standing::answers) => {
                let failed = self.lanes.iter_mut().filter(|it| it.run == Run::Failed);
                failed
                    .filter(|it| it.standing.answers())
                    .for_each(|it| it.run = Run::Waiting);
            }
            Event::Started | Event::News | Event::Late => {}
            Event::Answered { lane, is_behind } if is_behind => self.set(lane, Run::Stale),
            Event::Answered { lane, .. } => return Step::Return(lane),
            Event::Failed(lane) => self.set(lane, Run::Failed),
            Event::Busy(lane) => {
                self.set(lane, Run::Failed);
                let is_own = |lane: usize| self.lanes.get(lane).is_some_and(|it| it.is_own);
                // What is too much for one's own nodes is not for public ones.
                if is_own(lane) && !self.next().is_some_and(|(next, _)| is_own(next)) {
                    return Step::Return(lane);
                }
            }
        }
        let step = self.choose(event == Event::Late);
        if let Step::Start(lane) = step {
            self.set(lane, Run::Running);
        }
        step
    }

    /// Whether a second request would be sent now, if that is allowed.
    pub(crate) fn can_hedge(&self) -> bool {
        let is_good = |it: &Lane| it.is_own && it.standing == Standing::Well;
        self.runs(Standing::answers) && self.next().is_some_and(|(_, it)| is_good(it))
    }

    /// Whether another node can be queried instead of those that are.
    pub(crate) fn has_other(&self) -> bool {
        self.next().is_some()
    }

    /// Whether the node in this lane has been queried, and is still expected to answer.
    pub(crate) fn is_expected(&self, lane: usize) -> bool {
        let is_expected = |it: &Lane| it.run == Run::Running && it.standing.answers();
        self.lanes.get(lane).is_some_and(is_expected)
    }

    fn choose(&self, may_hedge: bool) -> Step {
        let next = self.next();
        if let Some((stale, _)) = self.best(Run::Stale) {
            return match next {
                Some((lane, next)) if next.standing == Standing::Well => Step::Start(lane),
                _ if self.runs(|it| it == Standing::Well) => Step::Wait,
                _ => Step::Return(stale),
            };
        }
        let is_running = self.runs(|_| true);
        let may_start = |next: &Lane| {
            if self.runs(Standing::answers) {
                (may_hedge || next.is_back) && self.can_hedge()
            } else {
                // None of those that were queried is known to answer: whichever is back first need not wait for them.
                !is_running || next.is_own || next.standing.answers()
            }
        };
        match next {
            Some((lane, next)) if may_start(next) => Step::Start(lane),
            None if !is_running => Step::GiveUp,
            _ => Step::Wait,
        }
    }

    /// The best node that has not been queried.
    fn next(&self) -> Option<(usize, &Lane)> {
        self.best(Run::Waiting)
    }

    /// The best node in this state. Those that do not answer come last, in the configured order.
    fn best(&self, run: Run) -> Option<(usize, &Lane)> {
        let lanes = self.lanes.iter().enumerate();
        let such = lanes.filter(|(_, it)| it.run == run);
        such.min_by_key(|(_, it)| it.standing)
    }

    /// Whether a node of this standing has been queried and has not answered.
    fn runs(&self, is_meant: impl Fn(Standing) -> bool) -> bool {
        let mut running = self.lanes.iter().filter(|it| it.run == Run::Running);
        running.any(|it| is_meant(it.standing))
    }

    fn set(&mut self, lane: usize, run: Run) {
        if let Some(lane) = self.lanes.get_mut(lane) {
            lane.run = run;
        }
    }
}

#[cfg(test)]
mod tests;
