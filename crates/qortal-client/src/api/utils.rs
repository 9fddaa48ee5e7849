//! Supply, clock and lists (resources `/stats`, `/utils`, `/lists`).

use std::time::Duration;

use qortal_types::{Amount, Timestamp};
use tokio::time::timeout;

use crate::{Endpoint, Node, NodeError, NodeFuture, Observation, answer::Answer, call::Call};

/// The network's time is a number in the node's memory, for which no question about the chain should wait longer.
const PATIENCE: Duration = Duration::from_secs(3);

impl Node {
    /// Returns the total supply of QORT. The Core adds up all block rewards on each request.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/stats/supply/circulating")]
    pub fn circulating_supply(&self) -> NodeFuture<'_, Amount> {
        self.plain(Call::to(Endpoint::CirculatingSupply), Answer::amount)
    }

    /// Returns the time of the node machine's clock. The node itself does not rely on it: see [`network_time`](Self::network_time).
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/utils/timestamp")]
    pub fn clock(&self) -> NodeFuture<'_, Timestamp> {
        self.plain(Call::to(Endpoint::NodeTime), |it| {
            let millis = it.value("a number of milliseconds");
            millis.map(Timestamp::from_millis)
        })
    }

    /// Returns the network time, the reference for expiry, presence and "now". If the configured node does not return it, this is
    /// the time of the latest block, and [observations](Node::observed) report that.
    ///
    /// This is not the clock of a machine. The Core corrects its clock by NTP, and peers rely on the corrected time (class `NTP`).
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError) if there is neither.
    #[doc(alias = "/admin/info")]
    pub async fn network_time(&self) -> Result<Timestamp, NodeError> {
        if let Ok(Ok(info)) = timeout(PATIENCE, self.info()).await
            && let Some(time) = info.current_timestamp
        {
            return Ok(time);
        }
        let time = self.last_block().await?.timestamp;
        self.note(Observation::TimeOfBlock { time });
        Ok(time)
    }

    /// Returns one of the node's lists, such as `followedNames`, or an empty list if there is none. Needs the API key.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/lists/{listName}")]
    pub fn list_entries(&self, list_name: &str) -> NodeFuture<'_, Vec<String>> {
        self.list(Call::to(Endpoint::ListEntries).with(list_name))
    }
}
