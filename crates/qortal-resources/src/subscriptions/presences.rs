//! Online trade bots, as reported by the node's websocket.

use std::collections::HashMap;

use qortal_client::{Node, api::crosschain::TradePresence};
use qortal_types::{Address, Timestamp};
use tokio::time::{Duration, Instant};

/// The presences that the node has reported. It does not report that one has expired.
pub(super) struct Presences {
    /// The network's time at a local instant.
    clock: (Timestamp, Instant),
    /// The expiry of each presence, by the address of the trade bot.
    until: HashMap<Address, Timestamp>,
}

impl Presences {
    /// Creates an empty set. Returns `None` if the node does not report the network's time, which determines expiry.
    pub(super) async fn new(node: &Node) -> Option<Self> {
        let now = node.info().await.ok()?.current_timestamp?;
        Some(Self::at(now))
    }

    fn at(now: Timestamp) -> Self {
        Self {
            clock: (now, Instant::now()),
            until: HashMap::new(),
        }
    }

    /// Stores the reported presences. Returns `true` if a trade bot has come online.
    pub(super) fn hear(&mut self, told: Vec<TradePresence>) -> bool {
        let now = self.now();
        let mut is_change = false;
        for it in told.into_iter().filter(|it| it.timestamp > now) {
            let known = self.until.insert(it.trade_address, it.timestamp);
            is_change |= known.is_none_or(|until| until <= now);
        }
        is_change
    }

    /// Removes expired presences. Returns `true` if there were any.
    pub(super) fn forget_expired(&mut self) -> bool {
        let (now, before) = (self.now(), self.until.len());
        self.until.retain(|_, until| *until > now);
        self.until.len() < before
    }

    /// Returns the time to the next expiry, if any presence is stored.
    pub(super) fn until_next_expiry(&self) -> Option<Duration> {
        let next = self.until.values().min()?;
        let millis = next.millis_since(self.now()).max(0).unsigned_abs();
        Some(Duration::from_millis(millis))
    }

    fn now(&self) -> Timestamp {
        let (then, moment) = self.clock;
        let passed = i64::try_from(moment.elapsed().as_millis()).unwrap_or(i64::MAX);
        Timestamp::from_millis(then.millis().saturating_add(passed))
    }
}
