//! What happens to a node, and when it is of use.

use std::time::Duration;

use crate::random::Random;

/// How many blocks the others get ahead of a node that is passed over.
pub(crate) const BEHIND: u32 = 20;
/// How long a node that was away stays behind.
pub(crate) const CATCHES_UP: Duration = Duration::from_secs(14);
/// A node whose answers take longer is held for stalled.
pub(crate) const STALLED: Duration = Duration::from_millis(2_500);
/// Time after a trouble in which the same node has no other.
const PAUSE: std::ops::Range<u64> = 2_500..9_000;
const LASTS: std::ops::Range<u64> = 200..14_000;

/// Something that happens to one node for a while.
#[derive(Debug, Clone)]
pub(crate) struct Trouble {
    pub(crate) node: usize,
    pub(crate) from: Duration,
    pub(crate) until: Duration,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Hang,
    HangInAnswers,
    Refuse,
    /// Connections are cut, and no new ones accepted for a moment.
    Restart,
    Reset,
    HalfAnswers,
    Trickle,
    Status(u16),
    Synchronizing,
    Page,
    Shape,
    WrongLength,
    Redirect,
    /// Everything is answered, and late.
    Late(Duration),
    /// The others have more blocks.
    Behind,
    /// It stops answering, and is behind when it is back.
    HangThenBehind,
    /// Its websockets say nothing, or end.
    SocketsLost(bool),
    /// The time of the network jumps.
    Clock,
}

const KINDS: &[Kind] = &[
    Kind::Hang,
    Kind::Hang,
    Kind::HangInAnswers,
    Kind::Refuse,
    Kind::Restart,
    Kind::Reset,
    Kind::HalfAnswers,
    Kind::Trickle,
    Kind::Status(500),
    Kind::Status(502),
    Kind::Status(503),
    Kind::Status(504),
    Kind::Synchronizing,
    Kind::Page,
    Kind::Shape,
    Kind::WrongLength,
    Kind::Redirect,
    Kind::Late(Duration::from_millis(800)),
    Kind::Late(Duration::from_millis(2_800)),
    Kind::Behind,
    Kind::HangThenBehind,
    Kind::HangThenBehind,
    Kind::HangThenBehind,
    Kind::SocketsLost(true),
    Kind::SocketsLost(false),
    Kind::Clock,
];

/// Those for which another node that is well is asked for a while, and this one tried again.
const PASSED_OVER: &[Kind] = &[
    Kind::Hang,
    Kind::HangThenBehind,
    Kind::HangThenBehind,
    Kind::Late(Duration::from_millis(2_800)),
];

impl Trouble {
    /// The troubles of each node in turn, until then. Of two nodes one may have none, so that much is known of what it is to answer.
    pub(crate) fn draw(random: &mut Random, nodes: usize, end: Duration) -> Vec<Self> {
        let mut all = Vec::new();
        let is_calm = nodes == 2 && random.percent(40);
        let calm = is_calm.then(|| random.index(0..2));
        for node in (0..nodes).filter(|it| Some(*it) != calm) {
            let mut from = random.millis(500..8_000);
            loop {
                let kinds = match calm.is_some() && random.percent(60) {
                    true => PASSED_OVER,
                    false => KINDS,
                };
                let kind = *random.pick(kinds);
                let lasts = match kind {
                    Kind::Restart => random.millis(20..400),
                    _ => random.millis(LASTS),
                };
                let until = from + lasts;
                if until >= end {
                    break;
                }
                all.push(Self {
                    node,
                    from,
                    until,
                    kind,
                });
                from = until + random.millis(PAUSE);
                if kind == Kind::HangThenBehind {
                    from += CATCHES_UP;
                }
            }
        }
        all
    }

    /// Whether questions about the chain cannot be answered well meanwhile.
    pub(crate) const fn is_useless(&self) -> bool {
        !matches!(
            self.kind,
            Kind::Late(_) | Kind::Behind | Kind::SocketsLost(_) | Kind::Clock
        )
    }

    /// Whether the node answers questions about the chain in another way than ever.
    pub(crate) const fn is_trouble(&self) -> bool {
        !matches!(self.kind, Kind::SocketsLost(_) | Kind::Clock)
    }

    /// Whether another node is asked meanwhile: the node is not there, and does not only answer oddly.
    pub(crate) const fn is_outage(&self) -> bool {
        self.is_useless() && !matches!(self.kind, Kind::Shape | Kind::WrongLength | Kind::Redirect)
    }

    /// Whether it is taken for not being there, be it that it answers in the end.
    pub(crate) fn is_away(&self) -> bool {
        self.is_outage() || matches!(self.kind, Kind::Late(by) if by > STALLED)
    }

    /// Whether something ends each request soon, be it a failure.
    pub(crate) const fn answers_at_all(&self) -> bool {
        !matches!(
            self.kind,
            Kind::Hang | Kind::HangThenBehind | Kind::HangInAnswers | Kind::Trickle
        )
    }

    pub(crate) fn overlaps(&self, from: Duration, until: Duration) -> bool {
        self.from <= until && from <= self.until
    }
}
