//! Shorter versions of the recorded chain: only its genesis, or up to a height.

use serde_json::{Value, json};

use super::{Chain, Row};

impl Chain {
    /// The chain as it was after its first block: the assets, the group and the accounts the genesis made.
    pub(crate) fn at_genesis(&self) -> Self {
        let mut chain = self.clone();
        chain.blocks.truncate(1);
        let genesis_time = chain.blocks.first().map_or(0, super::Block::timestamp);
        chain
            .transactions
            .retain(|transaction| transaction.number("blockHeight") == 1);
        let funded: Vec<(String, String)> = chain
            .transactions
            .iter()
            .filter(|transaction| {
                transaction.text("type") == "GENESIS" && transaction.number("assetId") == 0
            })
            .map(|transaction| {
                (
                    transaction.text("recipient").to_owned(),
                    transaction.text("amount").to_owned(),
                )
            })
            .collect();
        chain.accounts.retain(|account| {
            funded
                .iter()
                .any(|(address, _)| address == account.text("address"))
        });
        for account in &mut chain.accounts {
            *account = fresh_account(account);
        }
        chain.balances = funded
            .into_iter()
            .map(|(address, balance)| json!({"address": address, "assetId": 0, "balance": balance, "assetName": "QORT"}))
            .collect();
        chain.assets.truncate(3);
        chain.groups.retain(|group| group.number("groupId") == 1);
        chain.group_members.retain(|member| {
            member.number("groupId") == 1 && member.number("joined") == genesis_time
        });
        chain.primary_names = json!({});
        chain.group_events = json!({});
        chain.facts = chain
            .facts
            .without("summary")
            .without("reports")
            .with("supply", "5.00000000");
        for table in [
            &mut chain.names,
            &mut chain.reward_shares,
            &mut chain.online_accounts,
            &mut chain.minting_accounts,
            &mut chain.trades,
            &mut chain.polls,
            &mut chain.votes,
            &mut chain.chat,
            &mut chain.orders,
            &mut chain.asset_trades,
            &mut chain.ats,
            &mut chain.qdn_resources,
            &mut chain.qdn_hosted,
            &mut chain.qdn_content,
            &mut chain.peers_known,
        ] {
            table.clear();
        }
        chain
    }

    /// The chain as a node sees it that has the blocks up to `height` only.
    ///
    /// Trades, automated transactions and QDN resources that are younger than that block are missing; balances,
    /// names and groups are those of the whole chain.
    pub(crate) fn up_to(&self, height: i64) -> Self {
        let mut chain = self.clone();
        chain.blocks.retain(|block| block.height <= height);
        let latest = chain.blocks.last().map_or(0, super::Block::timestamp);
        chain
            .transactions
            .retain(|transaction| (1..=height).contains(&transaction.number("blockHeight")));
        chain
            .trades
            .retain(|row| row.at("trade").number("creationTimestamp") <= latest);
        chain.trades.retain(|row| row.number("completed") <= latest);
        chain
            .ats
            .retain(|row| row.at("at").number("creation") <= latest);
        chain
            .qdn_resources
            .retain(|resource| resource.number("created") <= latest);
        chain
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
