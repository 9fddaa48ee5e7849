//! What a seed stands for.

use std::time::Duration;

use mcp_protocol::Revision;

use crate::{
    random::Random,
    trouble::{STALLED, Trouble},
};

/// Everything that is decided before a play begins.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// For those who take part.
    pub(crate) random: Random,
    pub(crate) nodes: usize,
    /// How late each node answers when it is well.
    pub(crate) latency: Duration,
    /// How far the clock of the first node's machine is ahead, in ms.
    pub(crate) ahead: i64,
    /// How long a node that does not answer is passed over.
    pub(crate) cool_down: Duration,
    pub(crate) quick: Duration,
    pub(crate) slow: Duration,
    pub(crate) troubles: Vec<Trouble>,
    pub(crate) clients: Vec<ClientPlan>,
    /// Whether clients ask about the first node itself, so that it is asked something while it is passed over.
    pub(crate) asks_own: bool,
    pub(crate) has_sessions: bool,
    pub(crate) needs_token: bool,
    /// When another selection is configured.
    pub(crate) reload: Option<Duration>,
    /// Whose token is no longer valid, and since when.
    pub(crate) revoked: Option<(usize, Duration)>,
    /// When the server is stopped.
    pub(crate) stop: Duration,
    /// How long after that it is told to end at once; never if `None`.
    pub(crate) end_after: Option<Duration>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientPlan {
    pub(crate) number: usize,
    pub(crate) revision: Revision,
    pub(crate) way: Way,
    pub(crate) habit: Habit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Stdio,
    Http,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habit {
    /// Asks one thing after another, so that it is seen when answers are good.
    Probes,
    /// Does all that clients do.
    Ordinary,
    /// Asks for more at once than one client may.
    Greedy,
}

impl Plan {
    pub(crate) fn of(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let nodes = random.index(1..3);
        let stop = random.millis(20_000..45_000);
        let mut clients = Vec::new();
        let ordinary = random.index(2..6);
        let habits = [Habit::Probes, Habit::Probes]
            .into_iter()
            .chain((0..ordinary).map(|_| Habit::Ordinary))
            .chain(random.percent(25).then_some(Habit::Greedy));
        for (number, habit) in habits.enumerate() {
            let way = match random.percent(50) || habit == Habit::Greedy {
                true => Way::Http,
                false => Way::Stdio,
            };
            clients.push(ClientPlan {
                number,
                revision: *random.pick(Revision::ALL),
                way,
                habit,
            });
        }
        let needs_token = random.percent(50);
        // Those that probe keep theirs.
        let revoked = (needs_token && random.percent(60))
            .then(|| (random.index(2..2 + ordinary), random.millis(3_000..15_000)));
        Self {
            seed,
            random: random.fork(),
            nodes,
            latency: random.millis(1..120),
            ahead: match random.percent(20) {
                true => 7_200_000,
                false => 0,
            },
            cool_down: random.millis(2_000..8_000),
            quick: random.millis(4_000..10_000),
            slow: random.millis(10_000..30_000),
            troubles: Trouble::draw(&mut random, nodes, stop + Duration::from_secs(5)),
            clients,
            asks_own: random.percent(60),
            has_sessions: random.percent(50),
            needs_token,
            reload: random.percent(30).then(|| random.millis(2_000..15_000)),
            revoked,
            stop,
            end_after: random.percent(40).then(|| random.millis(0..4_000)),
        }
    }

    /// Whether a client takes the places that others would need.
    pub(crate) fn has_greedy(&self) -> bool {
        self.clients.iter().any(|it| it.habit == Habit::Greedy)
    }

    /// When no node is of use: none is there, or one answers oddly, for which no other is asked.
    fn blackouts(&self) -> Vec<(Duration, Duration)> {
        let of = |node| {
            let useless = self.troubles.iter().filter(|it| it.is_useless());
            useless.filter(move |it| it.node == node)
        };
        if self.nodes == 1 {
            return of(0).map(|it| (it.from, it.until)).collect();
        }
        let pairs = of(0).flat_map(|one| of(1).map(move |other| (one, other)));
        let common =
            pairs.map(|(one, other)| (one.from.max(other.from), one.until.min(other.until)));
        let common = common.filter(|(from, until)| from < until);
        let odd = of(0).chain(of(1)).filter(|it| !it.is_outage());
        let all = common.chain(odd.map(|it| (it.from, it.until)));
        all.map(|(from, until)| (from, self.noticed(until)))
            .collect()
    }

    /// When it is seen which node is of use then: that another one has stalled is noticed a moment later.
    fn noticed(&self, then: Duration) -> Duration {
        let away = self.during(then, then).filter(|it| it.is_away());
        let noticed = away.map(|it| it.from + STALLED);
        noticed.max().unwrap_or_default().max(then)
    }

    /// Since when some node is of use, without a break; `None` if none is.
    pub(crate) fn useful_since(&self, now: Duration) -> Option<Duration> {
        let blackouts = self.blackouts();
        if blackouts
            .iter()
            .any(|(from, until)| (*from..=*until).contains(&now))
        {
            return None;
        }
        let ended = blackouts.iter().map(|(_, until)| *until);
        Some(ended.filter(|it| *it < now).max().unwrap_or_default())
    }

    /// The troubles within this time.
    pub(crate) fn during(&self, from: Duration, until: Duration) -> impl Iterator<Item = &Trouble> {
        self.troubles
            .iter()
            .filter(move |it| it.overlaps(from, until))
    }

    /// The surface of a client's token.
    pub(crate) const fn surface_of(&self, client: usize) -> &'static str {
        match (self.needs_token, client % 3) {
            (true, 1) => "core",
            (true, 2) => "extended",
            _ => "standard",
        }
    }
}
