//! The scenarios: one recorded chain, seen in different states, and the chain of the demo.

#[cfg(feature = "scenarios")]
mod of_tests;

use serde_json::{Value, json};

use crate::{
    chain::{Calendar, Chain, Row},
    clock::{MachineClock, RECORDED_NODE_TIME},
    demo,
    processors::Costs,
};

/// A release by its three numbers, such as `[6, 1, 8]`.
pub(crate) type Release = [u16; 3];

/// The release that was recorded; the simulated node has all of its endpoints.
pub(crate) const RECORDED: Release = [6, 1, 8];

/// The state a simulated node is in. All scenarios but the demo are made of the same recorded chain.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Scenario {
    /// When the demo begins, if it is that.
    demo: Option<Calendar>,
    is_frozen: bool,
    /// What the recorded chain becomes.
    change: fn(Chain) -> Chain,
    /// What is done to each answer.
    pub(crate) alter: fn(&mut Value),
    /// Whether a release has an endpoint, by its method and path.
    has: fn(Release, &str, &str) -> bool,
    pub(crate) release: Release,
    pub(crate) machine_clock: MachineClock,
    pub(crate) network: Network,
    pub(crate) costs: Option<Costs>,
}

/// What the node has to do with others at its start.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Network {
    is_minting: bool,
    is_synchronizing: bool,
    /// How many peers the node has, inbound and outbound.
    pub(crate) peers: (u32, u32),
    data_connections: u32,
    /// How many peers exchange QDN data and are known by name.
    pub(crate) data_peers: u32,
    /// How long the node had been running, in ms.
    pub(crate) running_for: i64,
}

impl Scenario {
    /// The whole recorded chain, as the recorded node answered: 468 blocks, 17 names, 6 groups, 26 coin trades,
    /// names and texts in several scripts. No peers, not synchronizing.
    pub fn recorded() -> Self {
        Self {
            demo: None,
            is_frozen: false,
            change: |recorded| recorded,
            alter: |_| (),
            has: |_, _, _| true,
            release: RECORDED,
            machine_clock: MachineClock::Ahead(0),
            network: Network::default(),
            costs: None,
        }
    }

    /// A healthy node of an invented network that looks like the main one: 30 peers, levels and rewards, three months of
    /// trades for six coins, names, groups, polls, a day of chat, and QDN resources. It is the same each time;
    /// all times are relative to `now`, in ms since the epoch, and a block is added every 73 seconds on average. Meanwhile
    /// people chat, pay, trade, publish and ask to join groups; [`frozen`](Self::frozen) keeps it as it is at the start.
    ///
    /// It has the accounts and the identifiers of the recorded chain that examples name.
    pub fn demo(now: i64) -> Self {
        Self {
            demo: Some(Calendar::at(now)),
            network: Network {
                is_minting: true,
                is_synchronizing: false,
                peers: demo::PEERS,
                data_connections: demo::DATA_PEERS,
                data_peers: demo::DATA_PEERS,
                running_for: demo::RUNNING_FOR,
            },
            ..Self::recorded()
        }
    }

    /// The same with a clock that stands still: nothing happens by itself, and each answer stays the same.
    pub fn frozen(self) -> Self {
        Self {
            is_frozen: true,
            ..self
        }
    }

    /// Whether time stands still.
    pub(crate) fn is_frozen(self) -> bool {
        self.is_frozen
    }

    /// Whether the node's release has an endpoint.
    pub(crate) fn has(self, method: &str, path: &str) -> bool {
        (self.has)(self.release, method, path)
    }

    pub(crate) fn chain(self) -> Chain {
        match self.demo {
            Some(start) => Chain::demo(start),
            None => (self.change)(Chain::recorded()),
        }
    }

    /// What `/admin/status` answers.
    pub(crate) fn status(self, chain: &Chain) -> Value {
        let height = chain.height();
        let network = self.network;
        let percent = || height * 100 / chain.facts.number("height").max(1);
        let status = json!({
            "isMintingPossible": network.is_minting,
            "isSynchronizing": network.is_synchronizing,
        });
        status
            .with_some("syncPercent", network.is_synchronizing.then(percent))
            .with("numberOfConnections", network.peers.0 + network.peers.1)
            .with("numberOfDataConnections", network.data_connections)
            .with("height", height)
    }

    /// The node's time at its start, in ms since the epoch.
    pub(crate) fn start_time(self, chain: &Chain) -> i64 {
        match (self.demo, chain.blocks.as_slice()) {
            (Some(demo), _) => demo.start(),
            // Half a minute after the only block.
            (None, [genesis]) => genesis.timestamp() + 30_000,
            (None, _) => RECORDED_NODE_TIME,
        }
    }
}
