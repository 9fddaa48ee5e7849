//! Supply, clock and lists (resources `/stats`, `/utils`, `/lists`).

use qortal_types::{Amount, Timestamp};

use crate::{Endpoint, Node, NodeError, call::Call};

impl Node {
    /// Returns the total supply of QORT; the Core adds up all block rewards each time.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/stats/supply/circulating")]
    pub async fn circulating_supply(&self) -> Result<Amount, NodeError> {
        self.ask(Call::to(Endpoint::CirculatingSupply))
            .await?
            .amount()
    }

    /// Returns the time of the node's clock.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/utils/timestamp")]
    pub async fn clock(&self) -> Result<Timestamp, NodeError> {
        self.ask(Call::to(Endpoint::NodeTime))
            .await?
            .value("a number of milliseconds")
            .map(Timestamp::from_millis)
    }

    /// Returns one of the node's lists, such as `followedNames`; empty if there is none. Needs the API key.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/lists/{listName}")]
    pub async fn list_entries(&self, list_name: &str) -> Result<Vec<String>, NodeError> {
        self.ask(Call::to(Endpoint::ListEntries).with(list_name))
            .await?
            .list()
    }
}
