//! The chain: tables of rows in the form of the Core's own answers, read from the embedded data.

mod blocks;
mod newer;
mod row;
mod subset;

use std::sync::{Arc, OnceLock};

use serde_json::Value;

pub(crate) use blocks::{Block, drawn};
pub(crate) use newer::as_newer_core;
pub(crate) use row::{Row, amount_text, plain_decimal, units};

use crate::start_error::StartError;

/// The null account, owner of what the genesis block made.
pub(crate) const NULL_ACCOUNT: &str = "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG";
/// The public key of the null account.
pub(crate) const NULL_KEY: &str = "11111111111111111111111111111111";

/// The level founders count as.
const FOUNDER_LEVEL: i64 = 10;

/// Everything a node knows; each row has the form in which the Core answers it.
#[derive(Debug, Clone)]
pub(crate) struct Chain {
    pub(crate) accounts: Vec<Value>,
    pub(crate) balances: Vec<Value>,
    pub(crate) names: Vec<Value>,
    /// Address → primary name.
    pub(crate) primary_names: Value,
    pub(crate) reward_shares: Vec<Value>,
    pub(crate) online_accounts: Vec<Value>,
    pub(crate) minting_accounts: Vec<Value>,
    /// By height, without gaps, beginning with height 1.
    pub(crate) blocks: Vec<Block>,
    /// By timestamp; those without `blockHeight` are unconfirmed.
    pub(crate) transactions: Vec<Value>,
    /// `trade`: the trade; `completed`: ms when it was redeemed; `hidden`: not offered any more.
    pub(crate) trades: Vec<Value>,
    pub(crate) groups: Vec<Value>,
    pub(crate) group_members: Vec<Value>,
    /// Invites, join requests, bans and kicks, and what only the Core could count.
    pub(crate) group_events: Value,
    pub(crate) polls: Vec<Value>,
    pub(crate) votes: Vec<Value>,
    pub(crate) chat: Vec<Value>,
    pub(crate) assets: Vec<Value>,
    pub(crate) orders: Vec<Value>,
    pub(crate) asset_trades: Vec<Value>,
    /// `at`: the automated transaction; `atName`: what the Core calls its code, while it runs.
    pub(crate) ats: Vec<Value>,
    pub(crate) qdn_resources: Vec<Value>,
    pub(crate) qdn_hosted: Vec<Value>,
    pub(crate) qdn_content: Vec<Value>,
    pub(crate) qdn_categories: Vec<Value>,
    pub(crate) peers_known: Vec<Value>,
    /// Single answers and settings of the recorded node.
    pub(crate) facts: Value,
}

macro_rules! table {
    ($name:literal) => {
        table(
            concat!($name, ".json"),
            include_str!(concat!("../../data/", $name, ".json")),
        )
    };
}

impl Chain {
    /// The recorded chain; the embedded data is read once in a process.
    pub(crate) fn recorded() -> Result<Arc<Self>, StartError> {
        static RECORDED: OnceLock<Arc<Chain>> = OnceLock::new();
        match RECORDED.get() {
            Some(chain) => Ok(Arc::clone(chain)),
            None => {
                let chain = Arc::new(Self::load()?);
                Ok(Arc::clone(RECORDED.get_or_init(|| chain)))
            }
        }
    }

    fn load() -> Result<Self, StartError> {
        let mut chain = Self {
            accounts: table!("accounts")?,
            balances: table!("balances")?,
            names: table!("names")?,
            primary_names: object(
                "primary_names.json",
                include_str!("../../data/primary_names.json"),
            )?,
            reward_shares: table!("reward_shares")?,
            online_accounts: table!("online_accounts")?,
            minting_accounts: table!("minting_accounts")?,
            blocks: Vec::new(),
            transactions: table!("transactions")?,
            trades: table!("trades")?,
            groups: table!("groups")?,
            group_members: table!("group_members")?,
            group_events: object(
                "group_events.json",
                include_str!("../../data/group_events.json"),
            )?,
            polls: table!("polls")?,
            votes: table!("votes")?,
            chat: table!("chat")?,
            assets: table!("assets")?,
            orders: table!("orders")?,
            asset_trades: table!("asset_trades")?,
            ats: table!("ats")?,
            qdn_resources: table!("qdn_resources")?,
            qdn_hosted: table!("qdn_hosted")?,
            qdn_content: table!("qdn_content")?,
            qdn_categories: table!("qdn_categories")?,
            peers_known: table!("peers_known")?,
            facts: object("facts.json", include_str!("../../data/facts.json"))?,
        };
        let heights = table!("heights")?;
        let recorded = table!("blocks")?;
        chain.blocks = blocks::assemble(&heights, &recorded, |start| chain.minter(start));
        Ok(chain)
    }

    /// The account row of an address.
    pub(crate) fn account(&self, address: &str) -> Option<&Value> {
        self.accounts
            .iter()
            .find(|account| account.text("address") == address)
    }

    /// The address whose public key is `key`.
    pub(crate) fn address_of_key(&self, key: &str) -> Option<&str> {
        self.accounts
            .iter()
            .find(|account| account.text("publicKey") == key)
            .map(|account| account.text("address"))
    }

    /// The balance of an account in units of 10⁻⁸; unknown accounts have none.
    pub(crate) fn balance(&self, address: &str, asset: i64) -> i64 {
        let mut rows = self.balances.iter();
        let row = rows.find(|row| row.text("address") == address && row.number("assetId") == asset);
        row.map_or(0, |row| row.amount("balance"))
    }

    /// The primary name of an account.
    pub(crate) fn primary_name(&self, address: &str) -> Option<&str> {
        self.primary_names.get(address).and_then(Value::as_str)
    }

    /// The height of the newest block.
    pub(crate) fn height(&self) -> i64 {
        self.blocks.last().map_or(0, |block| block.height)
    }

    /// The block at a height.
    pub(crate) fn block(&self, height: i64) -> Option<&Block> {
        let index = usize::try_from(height.checked_sub(1)?).ok()?;
        self.blocks.get(index)
    }

    /// The block with a signature.
    pub(crate) fn block_by_signature(&self, signature: &str) -> Option<&Block> {
        self.blocks
            .iter()
            .find(|block| block.signature() == signature)
    }

    /// Whether there is an asset with this id.
    pub(crate) fn has_asset(&self, asset: i64) -> bool {
        self.assets.iter().any(|row| row.number("assetId") == asset)
    }

    /// The level an account mints with: founders count as level 10, unknown accounts as 0.
    pub(crate) fn effective_level(&self, address: &str) -> i64 {
        self.account(address).map_or(0, |account| {
            let is_founder = account.number("flags") & 1 == 1;
            if is_founder {
                FOUNDER_LEVEL
            } else {
                account.number("level")
            }
        })
    }

    /// Full key, address and level of the minter whose reward-share key begins with `start`.
    fn minter(&self, start: &str) -> Option<(String, String, i64)> {
        let mut shares = self.reward_shares.iter();
        let share = shares.find(|share| share.text("rewardSharePublicKey").starts_with(start))?;
        let address = share.text("mintingAccount");
        let key = share.text("rewardSharePublicKey").to_owned();
        Some((key, address.to_owned(), self.effective_level(address)))
    }
}

fn table(file: &'static str, text: &str) -> Result<Vec<Value>, StartError> {
    serde_json::from_str(text).map_err(|source| StartError::Data { file, source })
}

fn object(file: &'static str, text: &str) -> Result<Value, StartError> {
    serde_json::from_str(text).map_err(|source| StartError::Data { file, source })
}

#[cfg(test)]
mod tests;
