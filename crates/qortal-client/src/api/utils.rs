//! What is left: supply, clock, layouts, lists (resources `/stats`, `/utils`, `/lists`, `/data`).

use qortal_types::{Amount, Timestamp, TransactionType};
use serde::Deserialize;

use crate::{Endpoint, Node, NodeError, call::Call};

/// One element of a transaction's bytes (class `LayoutComponent`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LayoutElement {
    /// What it is.
    pub description: String,
    /// How it is written.
    pub format: Option<String>,
    /// How many bytes; absent if that varies.
    pub length: Option<u32>,
}

impl Node {
    /// Returns how much QORT there is; the Core adds up all block rewards each time.
    pub async fn circulating_supply(&self) -> Result<Amount, NodeError> {
        self.ask(Call::to(Endpoint::CirculatingSupply))
            .await?
            .amount()
    }

    /// Returns the time of the node's clock.
    pub async fn clock(&self) -> Result<Timestamp, NodeError> {
        self.ask(Call::to(Endpoint::NodeTime))
            .await?
            .value("a number of milliseconds")
            .map(Timestamp::from_millis)
    }

    /// Returns how a type of transaction is written in bytes, or nothing for a type that is not used.
    pub async fn transaction_layout(
        &self,
        transaction_type: &TransactionType,
    ) -> Result<Option<Vec<LayoutElement>>, NodeError> {
        self.ask(Call::to(Endpoint::TransactionLayout).with(transaction_type))
            .await?
            .json_if_any()
    }

    /// Returns a list that is kept on the node, such as `followedNames`; empty if there is none. Needs the API key.
    pub async fn list_entries(&self, list_name: &str) -> Result<Vec<String>, NodeError> {
        self.ask(Call::to(Endpoint::ListEntries).with(list_name))
            .await?
            .list()
    }

    /// Returns how many entries the node's data cache has. Needs the API key.
    pub async fn data_cache_size(&self) -> Result<u64, NodeError> {
        self.ask(Call::to(Endpoint::DataCacheSize))
            .await?
            .value("a whole number")
    }
}
