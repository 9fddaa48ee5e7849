//! Shorter versions of the recorded chain: its genesis only, or its blocks up to a height.

use serde_json::{Value, json};

use super::{Block, Chain, Row, part::Part};

impl Chain {
    /// Returns the chain after its first block, with the assets, the group and the accounts of the genesis.
    pub(crate) fn at_genesis(&self) -> Self {
        let blocks = self.blocks.only(|block| block.height == 1);
        let genesis_time = blocks.first().map_or(0, Block::timestamp);
        let transactions = self.transactions.only(|row| row.number("blockHeight") == 1);
        let balances: Vec<Value> = transactions
            .iter()
            .filter(|row| row.text("type") == "GENESIS" && row.number("assetId") == 0)
            .map(|row| json!({"address": row.at("recipient"), "assetId": 0, "balance": row.at("amount"), "assetName": "QORT"}))
            .collect();
        let is_funded = |account: &&Value| {
            let mut funded = balances.iter();
            funded.any(|row| row.text("address") == account.text("address"))
        };
        Self {
            accounts: Part::Own(
                self.accounts
                    .iter()
                    .filter(is_funded)
                    .map(fresh_account)
                    .collect(),
            ),
            assets: self.assets.only(|asset| asset.number("assetId") < 3),
            groups: self.groups.only(|group| group.number("groupId") == 1),
            group_members: self.group_members.only(|member| {
                member.number("groupId") == 1 && member.number("joined") == genesis_time
            }),
            facts: Part::Own(
                self.facts
                    .without("summary")
                    .without("reports")
                    .with("supply", "5.00000000"),
            ),
            balances: Part::Own(balances),
            blocks,
            transactions,
            qdn_categories: self.qdn_categories.clone(),
            ..Self::empty()
        }
    }

    /// Returns the chain of a node that has only the blocks up to `height`.
    ///
    /// Trades, automated transactions and QDN resources younger than that block are missing. Balances, names and groups are those of the
    /// complete chain.
    pub(crate) fn up_to(&self, height: i64) -> Self {
        let blocks = self.blocks.only(|block| block.height <= height);
        let latest = blocks.last().map_or(0, Block::timestamp);
        Self {
            transactions: self
                .transactions
                .only(|row| (1..=height).contains(&row.number("blockHeight"))),
            trades: self.trades.only(|row| {
                row.at("trade").number("creationTimestamp") <= latest
                    && row.number("completed") <= latest
            }),
            ats: self
                .ats
                .only(|row| row.at("at").number("creation") <= latest),
            qdn_resources: self
                .qdn_resources
                .only(|row| row.number("created") <= latest),
            blocks,
            ..self.clone()
        }
    }
}

fn fresh_account(account: &Value) -> Value {
    json!({
        "address": account.at("address"),
        "defaultGroupId": 0,
        "flags": account.at("flags"),
        "level": 0,
        "blocksMinted": 0,
        "blocksMintedAdjustment": 0,
        "blocksMintedPenalty": 0,
    })
}
