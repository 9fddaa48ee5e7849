//! The scenarios: one recorded chain, seen in different states.

use serde_json::{Value, json};

use crate::{
    chain::{Calendar, Chain, Row},
    clock::{MachineClock, RECORDED_NODE_TIME},
    demo,
    release::{RECORDED, Release},
};

/// The state a simulated node is in. All scenarios but the demo are made of the same recorded chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scenario {
    kind: Kind,
    release: Release,
    machine_clock: MachineClock,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Recorded,
    Empty,
    Syncing,
    NewerCore,
    OneNameEach,
    OddRows,
    Large,
    Demo(Calendar),
}

/// Height a synchronizing node has reached.
const SYNCING_HEIGHT: i64 = 300;

impl Scenario {
    /// The whole recorded chain, as the recorded node answered: 468 blocks, 17 names, 6 groups, 26 coin trades,
    /// names and texts in several scripts. No peers, not synchronizing.
    #[must_use]
    pub fn recorded() -> Self {
        Self::of(Kind::Recorded)
    }

    /// A fresh chain: the genesis block and what it made. No names, offers, trades, polls, chat or QDN resources.
    #[must_use]
    pub fn empty() -> Self {
        Self::of(Kind::Empty)
    }

    /// A node that is still synchronizing: 300 of 468 blocks, `isSynchronizing`, `syncPercent`, with peers.
    #[must_use]
    pub fn syncing() -> Self {
        Self::of(Kind::Syncing)
    }

    /// The recorded chain behind a later Core: every object has a member that is not known, and in the last row of
    /// every list the enum constants (transaction type, trade mode, coin, …) are not known.
    #[must_use]
    pub fn newer_core() -> Self {
        Self::of(Kind::NewerCore)
    }

    /// The recorded chain with rows that show the odd rules of the Core's queries: names, identifiers and app ratings with
    /// the wildcards of SQL, quotes, brackets and letters whose case is not simple; older resources that match where the
    /// newest does not; a resource of a service that the Core does not know, and one with 301 files.
    #[must_use]
    pub fn odd_rows() -> Self {
        Self::of(Kind::OddRows)
    }

    /// The recorded chain with 50,000 more names, 100,000 QDN resources, 40 rated apps and 150,000 payments of one account. It is
    /// made by code, each part when it is first asked for; signatures are drawn.
    #[must_use]
    pub fn large() -> Self {
        Self::of(Kind::Large)
    }

    /// A healthy node of an invented network that looks like the main one: 30 peers, levels and rewards, three months of
    /// trades for six coins, names, groups, polls, a day of chat, and QDN resources. It is made by code, the same each time;
    /// all times are relative to `now`, in ms since the epoch, and about once a minute a block is added.
    ///
    /// It has the accounts and the identifiers of the recorded chain that examples name.
    #[must_use]
    pub fn demo(now: i64) -> Self {
        Self::of(Kind::Demo(Calendar::at(now)))
    }

    /// The recorded chain without the second names of accounts. Only then does the Core show the online accounts of blocks.
    #[must_use]
    pub fn one_name_each() -> Self {
        Self::of(Kind::OneNameEach)
    }

    fn of(kind: Kind) -> Self {
        Self {
            kind,
            release: RECORDED,
            machine_clock: MachineClock::Ahead(0),
        }
    }

    /// The same behind an older release of the Core, such as `[6, 1, 4]`, from 4.0.0 on: endpoints that came later are
    /// unknown paths, or fit the endpoints that it has. What it has answers like the recorded release.
    #[must_use]
    pub fn with_core(mut self, release: [u16; 3]) -> Self {
        self.release = release;
        self
    }

    /// The same on a machine whose clock is set this many milliseconds ahead after the start, or behind if negative. The
    /// node judges by the network's time all the same.
    #[must_use]
    pub fn with_machine_clock(mut self, ahead: i64) -> Self {
        self.machine_clock = MachineClock::Ahead(ahead);
        self
    }

    /// The same before the first answer of a time server: the node does not know the network's time.
    #[must_use]
    pub fn without_network_time(mut self) -> Self {
        self.machine_clock = MachineClock::Unchecked;
        self
    }

    pub(crate) fn release(self) -> Release {
        self.release
    }

    pub(crate) fn machine_clock(self) -> MachineClock {
        self.machine_clock
    }

    pub(crate) fn chain(self) -> Chain {
        let recorded = Chain::recorded();
        match self.kind {
            Kind::Demo(demo) => Chain::demo(demo),
            Kind::Recorded | Kind::NewerCore => recorded,
            Kind::OddRows => recorded.with_odd_rows(),
            Kind::Large => recorded.grown_large(),
            Kind::OneNameEach => recorded.with_one_name_each(),
            Kind::Empty => recorded.at_genesis(),
            Kind::Syncing => recorded.up_to(SYNCING_HEIGHT),
        }
    }

    /// What `/admin/status` answers.
    pub(crate) fn status(self, chain: &Chain) -> Value {
        let height = chain.height();
        match self.kind {
            Kind::Syncing => json!({
                "isMintingPossible": false,
                "isSynchronizing": true,
                "syncPercent": height * 100 / chain.facts.number("height").max(1),
                "numberOfConnections": 5,
                "numberOfDataConnections": 3,
                "height": height,
            }),
            Kind::Demo(_) => json!({
                "isMintingPossible": true,
                "isSynchronizing": false,
                "numberOfConnections": demo::PEERS.0 + demo::PEERS.1,
                "numberOfDataConnections": demo::DATA_PEERS,
                "height": height,
            }),
            Kind::Recorded
            | Kind::Empty
            | Kind::NewerCore
            | Kind::OddRows
            | Kind::Large
            | Kind::OneNameEach => {
                json!({
                    "isMintingPossible": false,
                    "isSynchronizing": false,
                    "numberOfConnections": 0,
                    "numberOfDataConnections": 0,
                    "height": height,
                })
            }
        }
    }

    /// How many peers the node has, inbound and outbound.
    pub(crate) fn peers(self) -> (u32, u32) {
        match self.kind {
            Kind::Syncing => (1, 4),
            Kind::Demo(_) => demo::PEERS,
            Kind::Recorded
            | Kind::Empty
            | Kind::NewerCore
            | Kind::OddRows
            | Kind::Large
            | Kind::OneNameEach => (0, 0),
        }
    }

    /// How many peers exchange QDN data and are known by name.
    pub(crate) fn data_peers(self) -> u32 {
        match self.kind {
            Kind::Demo(_) => demo::DATA_PEERS,
            _ => 0,
        }
    }

    /// How long the node had been running at its start, in ms.
    pub(crate) fn running_for(self) -> i64 {
        match self.kind {
            Kind::Demo(_) => demo::RUNNING_FOR,
            _ => 0,
        }
    }

    /// The node's time at its start, in ms since the epoch.
    pub(crate) fn start_time(self, chain: &Chain) -> i64 {
        match self.kind {
            Kind::Demo(demo) => demo.start(),
            // Half a minute after the only block.
            Kind::Empty => chain
                .blocks
                .last()
                .map_or(RECORDED_NODE_TIME, |block| block.timestamp() + 30_000),
            Kind::Recorded
            | Kind::Syncing
            | Kind::NewerCore
            | Kind::OddRows
            | Kind::Large
            | Kind::OneNameEach => RECORDED_NODE_TIME,
        }
    }

    pub(crate) fn is_newer_core(self) -> bool {
        self.kind == Kind::NewerCore
    }
}
