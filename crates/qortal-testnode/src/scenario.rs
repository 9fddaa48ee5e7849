//! The scenarios: one recorded chain, seen in different states.

use serde_json::{Value, json};

use crate::chain::{Chain, Row};
use crate::clock::RECORDED_NODE_TIME;

/// The state a simulated node is in. All scenarios are made of the same recorded chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scenario {
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Recorded,
    Empty,
    Syncing,
    NewerCore,
}

/// Height a synchronizing node has reached.
const SYNCING_HEIGHT: i64 = 300;

impl Scenario {
    /// The whole recorded chain, as the recorded node answered: 468 blocks, 17 names, 6 groups, 26 coin trades,
    /// names and texts in several scripts. No peers, not synchronizing.
    #[must_use]
    pub fn recorded() -> Self {
        Self {
            kind: Kind::Recorded,
        }
    }

    /// A fresh chain: the genesis block and what it made. No names, offers, trades, polls, chat or QDN resources.
    #[must_use]
    pub fn empty() -> Self {
        Self { kind: Kind::Empty }
    }

    /// A node that is still synchronizing: 300 of 468 blocks, `isSynchronizing`, `syncPercent`, with peers.
    #[must_use]
    pub fn syncing() -> Self {
        Self {
            kind: Kind::Syncing,
        }
    }

    /// The recorded chain behind a later Core: every object has a member that is not known, and in the last row of
    /// every list the enum constants (transaction type, trade mode, coin, …) are not known.
    #[must_use]
    pub fn newer_core() -> Self {
        Self {
            kind: Kind::NewerCore,
        }
    }

    pub(crate) fn chain(self) -> Chain {
        let recorded = Chain::recorded();
        match self.kind {
            Kind::Recorded | Kind::NewerCore => recorded,
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
            Kind::Recorded | Kind::Empty | Kind::NewerCore => json!({
                "isMintingPossible": false,
                "isSynchronizing": false,
                "numberOfConnections": 0,
                "numberOfDataConnections": 0,
                "height": height,
            }),
        }
    }

    /// How many peers the node has, inbound and outbound.
    pub(crate) fn peers(self) -> (u32, u32) {
        match self.kind {
            Kind::Syncing => (1, 4),
            Kind::Recorded | Kind::Empty | Kind::NewerCore => (0, 0),
        }
    }

    /// The node's time at its start, in ms since the epoch.
    pub(crate) fn start_time(self, chain: &Chain) -> i64 {
        match self.kind {
            // Half a minute after the only block.
            Kind::Empty => chain
                .blocks
                .last()
                .map_or(RECORDED_NODE_TIME, |block| block.timestamp() + 30_000),
            Kind::Recorded | Kind::Syncing | Kind::NewerCore => RECORDED_NODE_TIME,
        }
    }

    pub(crate) fn is_newer_core(self) -> bool {
        self.kind == Kind::NewerCore
    }
}
