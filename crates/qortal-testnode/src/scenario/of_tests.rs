//! Scenarios for tests only: states of the recorded chain, odd rows, many rows, other releases and clocks.

use std::time::Duration;

use super::{Network, Scenario};
use crate::{
    chain::{Chain, as_newer_core},
    clock::MachineClock,
    processors::Costs,
    release,
};

/// Height of a synchronizing node.
const SYNCING_HEIGHT: i64 = 300;

impl Scenario {
    /// Returns a fresh chain with the contents of its genesis block. It has no names, offers, trades, polls, chat or QDN resources.
    pub fn empty() -> Self {
        Self::changed(|recorded| recorded.at_genesis())
    }

    /// Returns a node that is still synchronizing: 300 of 468 blocks, `isSynchronizing`, `syncPercent`, with peers.
    pub fn syncing() -> Self {
        Self {
            network: Network {
                is_synchronizing: true,
                peers: (1, 4),
                data_connections: 3,
                ..Network::default()
            },
            ..Self::changed(|recorded| recorded.up_to(SYNCING_HEIGHT))
        }
    }

    /// Returns the recorded chain with responses of a later Core: every object has an unknown field, and in the last row of every list the
    /// enum constants (transaction type, trade mode, coin, …) are unknown.
    pub fn newer_core() -> Self {
        Self {
            alter: as_newer_core,
            ..Self::recorded()
        }
    }

    /// Returns the recorded chain with rows that show the odd rules of the Core's queries. Names, identifiers and app ratings have the
    /// wildcards of SQL, quotes, brackets and letters with irregular case mappings. Older resources match where the newest does not. One
    /// resource has a service that is unknown to the Core, and one has 301 files.
    pub fn odd_rows() -> Self {
        Self::changed(Chain::with_odd_rows)
    }

    /// Returns the recorded chain with 50,000 more names, 100,000 QDN resources, 40 rated apps and 150,000 payments of one account. Each
    /// part is made by code on first use. Signatures are generated.
    pub fn large() -> Self {
        Self::changed(Chain::grown_large)
    }

    /// Returns the first recorded block with `ROWS` more names, QDN resources and payments of one account, 500 of them in each block. Each
    /// part is made by code on first use. Signatures are generated.
    pub fn of_size<const ROWS: i64>() -> Self {
        Self::changed(Chain::grown_to::<ROWS>)
    }

    /// Returns the recorded chain with 2,000 more blocks, in which six accounts make transactions with varying activity. Some transactions
    /// were made long before their block, some have equal timestamps. The code makes the same chain each time.
    pub fn uneven() -> Self {
        Self::changed(Chain::grown_unevenly)
    }

    /// Returns the recorded chain without the second names of accounts. Only then does the Core return the online accounts of blocks.
    pub fn one_name_each() -> Self {
        Self::changed(Chain::with_one_name_each)
    }

    /// Sets the number of processors, which responses share, and the time per row that a response reads. The real Core read 150,000 rows in
    /// 2.6 s, which is 17 µs per row.
    pub fn with_costs(mut self, processors: u32, row: Duration) -> Self {
        let kibibyte = Duration::ZERO;
        self.costs = Some(Costs {
            processors,
            row,
            kibibyte,
        });
        self
    }

    /// Sets the costs of the real Core on two processors, measured with 150,000 payments of one account: 17 µs per row to read it, and 86
    /// µs including writing it. A payment has half a KiB.
    pub fn with_core_costs(self) -> Self {
        let mut scenario = self.with_costs(2, Duration::from_micros(17));
        if let Some(costs) = &mut scenario.costs {
            costs.kibibyte = Duration::from_micros(125);
        }
        scenario
    }

    fn changed(change: fn(Chain) -> Chain) -> Self {
        Self {
            change,
            ..Self::recorded()
        }
    }

    /// Sets an older release of the Core, such as `[6, 1, 4]`, from 4.0.0 on. Endpoints that were added later are unknown paths, or match
    /// the endpoints that the release has. Its endpoints respond like those of the recorded release.
    pub fn with_core(mut self, release: [u16; 3]) -> Self {
        self.release = release;
        self.has = release::has;
        self
    }

    /// Sets the machine's clock this many milliseconds ahead after the start, or behind if negative. The node still uses the network's time
    /// for its decisions.
    pub fn with_machine_clock(mut self, ahead: i64) -> Self {
        self.machine_clock = MachineClock::Ahead(ahead);
        self
    }

    /// Puts the node into the state before the first response of a time server, in which it does not know the network's time.
    pub fn without_network_time(mut self) -> Self {
        self.machine_clock = MachineClock::Unchecked;
        self
    }
}
