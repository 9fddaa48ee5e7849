//! Scenarios: states of the recorded chain, and the demo chain.

#[cfg(feature = "scenarios")]
mod of_tests;

use serde_json::{Value, json};

use crate::{
    chain::{Calendar, Chain, Row},
    clock::{MachineClock, RECORDED_NODE_TIME},
    demo,
    processors::Costs,
};

/// A release as three numbers, such as `[6, 1, 8]`.
pub(crate) type Release = [u16; 3];

/// The recorded release. The simulated node has all its endpoints.
pub(crate) const RECORDED: Release = [6, 1, 8];

/// The state of a simulated node. All scenarios except the demo are based on the recorded chain.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Scenario {
    /// Calendar of the demo, or `None` for other scenarios.
    demo: Option<Calendar>,
    is_frozen: bool,
    /// Modification of the recorded chain.
    change: fn(Chain) -> Chain,
    /// Modification of each response.
    pub(crate) alter: fn(&mut Value),
    /// Returns whether a release has an endpoint, by method and path.
    has: fn(Release, &str, &str) -> bool,
    pub(crate) release: Release,
    pub(crate) machine_clock: MachineClock,
    pub(crate) network: Network,
    pub(crate) costs: Option<Costs>,
}

/// Relation of the node to other nodes at its start.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Network {
    is_minting: bool,
    is_synchronizing: bool,
    /// Numbers of inbound and outbound peers.
    pub(crate) peers: (u32, u32),
    data_connections: u32,
    /// Number of peers that exchange QDN data and have known names.
    pub(crate) data_peers: u32,
    /// Uptime of the node at its start, in ms.
    pub(crate) running_for: i64,
}

impl Scenario {
    /// Returns the complete recorded chain in the state of the recorded node: 468 blocks, 17 names, 6 groups, 26 coin trades, names and
    /// texts in several scripts. The node has no peers and is not synchronizing.
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

    /// Returns a healthy node of an invented network that resembles the main one: 30 peers, levels and rewards, three months of trades for
    /// six coins, names, groups, polls, a day of chat, and QDN resources. It is the same each time, except that all times are relative to
    /// `now`, in ms since the epoch. A block is added every 73 seconds on average. Simulated accounts chat, pay, trade, publish and request
    /// to join groups. [`frozen`](Self::frozen) keeps the state of the start.
    ///
    /// The chain has those accounts and identifiers of the recorded chain that appear in examples.
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

    /// Stops the clock. No events happen automatically, and each response stays the same.
    pub fn frozen(self) -> Self {
        Self {
            is_frozen: true,
            ..self
        }
    }

    /// Returns `true` if the clock is stopped.
    pub(crate) fn is_frozen(self) -> bool {
        self.is_frozen
    }

    /// Returns `true` if the node's release has an endpoint.
    pub(crate) fn has(self, method: &str, path: &str) -> bool {
        (self.has)(self.release, method, path)
    }

    pub(crate) fn chain(self) -> Chain {
        match self.demo {
            Some(start) => Chain::demo(start),
            None => (self.change)(Chain::recorded()),
        }
    }

    /// Returns the response of `/admin/status`.
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

    /// Returns the node's time at its start, in ms since the epoch.
    pub(crate) fn start_time(self, chain: &Chain) -> i64 {
        match (self.demo, chain.blocks.as_slice()) {
            (Some(demo), _) => demo.start(),
            // Half a minute after the only block.
            (None, [genesis]) => genesis.timestamp() + 30_000,
            (None, _) => RECORDED_NODE_TIME,
        }
    }
}
