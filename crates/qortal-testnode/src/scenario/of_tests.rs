//! The scenarios that only tests need: states of the recorded chain, odd rows, many rows, other releases and clocks.

use std::time::Duration;

use super::{Network, Scenario};
use crate::{
    chain::{Chain, as_newer_core},
    clock::MachineClock,
    processors::Costs,
    release,
};

/// Height a synchronizing node has reached.
const SYNCING_HEIGHT: i64 = 300;

impl Scenario {
    /// A fresh chain: the genesis block and what it made. No names, offers, trades, polls, chat or QDN resources.
    pub fn empty() -> Self {
        Self::changed(|recorded| recorded.at_genesis())
    }

    /// A node that is still synchronizing: 300 of 468 blocks, `isSynchronizing`, `syncPercent`, with peers.
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

    /// The recorded chain behind a later Core: every object has a member that is not known, and in the last row of
    /// every list the enum constants (transaction type, trade mode, coin, …) are not known.
    pub fn newer_core() -> Self {
        Self {
            alter: as_newer_core,
            ..Self::recorded()
        }
    }

    /// The recorded chain with rows that show the odd rules of the Core's queries: names, identifiers and app ratings with
    /// the wildcards of SQL, quotes, brackets and letters whose case is not simple; older resources that match where the
    /// newest does not; a resource of a service that the Core does not know, and one with 301 files.
    pub fn odd_rows() -> Self {
        Self::changed(Chain::with_odd_rows)
    }

    /// The recorded chain with 50,000 more names, 100,000 QDN resources, 40 rated apps and 150,000 payments of one account. It is
    /// made by code, each part when it is first asked for; signatures are drawn.
    pub fn large() -> Self {
        Self::changed(Chain::grown_large)
    }

    /// The first recorded block with so many names, QDN resources, and payments of one account more, of which there are 500 in a block. It
    /// is made by code, each part when it is first asked for; signatures are drawn.
    pub fn of_size<const ROWS: i64>() -> Self {
        Self::changed(Chain::grown_to::<ROWS>)
    }

    /// The recorded chain with 2,000 more blocks, and in them transactions of six accounts that are busy at times. Some were made
    /// long before their block, some at the same moment. It is made by code, the same each time.
    pub fn uneven() -> Self {
        Self::changed(Chain::grown_unevenly)
    }

    /// The recorded chain without the second names of accounts. Only then does the Core show the online accounts of blocks.
    pub fn one_name_each() -> Self {
        Self::changed(Chain::with_one_name_each)
    }

    /// The same on a machine with so many processors, which answers share, and of which each row that an answer reads takes this
    /// long. The real Core read 150,000 rows in 2.6 s, which is 17 µs for each.
    pub fn with_costs(mut self, processors: u32, row: Duration) -> Self {
        let kibibyte = Duration::ZERO;
        self.costs = Some(Costs {
            processors,
            row,
            kibibyte,
        });
        self
    }

    /// The same with what the real Core took on two processors, measured with 150,000 payments of one account: 17 µs for each row that it
    /// reads, and 86 µs with what writing one takes, of which a payment has half a KiB.
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

    /// The same behind an older release of the Core, such as `[6, 1, 4]`, from 4.0.0 on: endpoints that came later are
    /// unknown paths, or fit the endpoints that it has. What it has answers like the recorded release.
    pub fn with_core(mut self, release: [u16; 3]) -> Self {
        self.release = release;
        self.has = release::has;
        self
    }

    /// The same on a machine whose clock is set this many milliseconds ahead after the start, or behind if negative. The
    /// node judges by the network's time all the same.
    pub fn with_machine_clock(mut self, ahead: i64) -> Self {
        self.machine_clock = MachineClock::Ahead(ahead);
        self
    }

    /// The same before the first answer of a time server: the node does not know the network's time.
    pub fn without_network_time(mut self) -> Self {
        self.machine_clock = MachineClock::Unchecked;
        self
    }
}
