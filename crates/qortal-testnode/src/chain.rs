//! The chain: tables of rows in the form of the Core's responses, read from the embedded data.

mod blocks;
mod calendar;
#[cfg(feature = "scenarios")]
mod large;
mod made;
#[cfg(feature = "scenarios")]
mod odd;
mod part;
mod payments;
mod row;
#[cfg(feature = "scenarios")]
mod subset;
#[cfg(feature = "scenarios")]
mod uneven;

use std::{
    borrow::Cow,
    io::{self, Read},
    sync::LazyLock,
};

use flate2::read::DeflateDecoder;
use serde_json::Value;

pub(crate) use blocks::{Block, letters, pseudo_random};
pub(crate) use calendar::Calendar;
#[cfg(test)]
pub(crate) use calendar::{QUIET, TIP};
pub(crate) use made::MadeBlocks;
#[cfg(feature = "scenarios")]
pub(crate) use odd::as_newer_core;
pub(crate) use payments::Payments;
pub(crate) use row::{Row, Table, amount_text, plain_decimal, units};

pub(crate) use part::Part;

/// The null account, which owns the creations of the genesis block.
pub(crate) const NULL_ACCOUNT: &str = "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG";
/// The public key of the null account.
pub(crate) const NULL_KEY: &str = "11111111111111111111111111111111";

/// The effective level of founders.
const FOUNDER_LEVEL: i64 = 10;

/// Reads a file below `data/`, which the build script compressed.
macro_rules! embedded {
    ($($file:expr),+) => {
        $crate::chain::inflated(include_bytes!(concat!(env!("OUT_DIR"), "/", $($file),+)))
            .and_then(|json| Ok(serde_json::from_slice(&json)?))
            .expect(concat!("a test of this crate reads ", $($file),+))
    };
}

pub(crate) use embedded;

/// Declares the chain: parts that are files below `data/`, one of the recorded chain and one of the demo, and other parts.
macro_rules! chain {
    ($(#[$doc:meta])* tables { $($table:ident),+ } objects { $($object:ident),+ } others { $($others:tt)+ }) => {
        $(#[$doc])*
        pub(crate) struct Chain {
            $(pub(crate) $table: Part<Vec<Value>>,)+
            $(pub(crate) $object: Part<Value>,)+
            $($others)+
        }

        impl Chain {
            /// Returns the recorded chain. Each part is read on first use, once per process.
            pub(crate) fn recorded() -> Self {
                Self {
                    $($table: chain!(recorded $table: Vec<Value>),)+
                    $($object: chain!(recorded $object: Value),)+
                    blocks: recorded_blocks(),
                    made: None,
                    payments: Payments::default(),
                    qdn_categories: chain!(recorded qdn_categories: Vec<Value>),
                }
            }

            /// Returns the tables of the demo. `read` expands the values of the files.
            pub(crate) fn invented(made: MadeBlocks, read: impl Fn(Value) -> Value + Copy + Send + 'static) -> Self {
                Self {
                    $($table: Part::later(move || rows(read(embedded!("demo_", stringify!($table), ".json")))),)+
                    $($object: Part::later(move || read(embedded!("demo_", stringify!($object), ".json"))),)+
                    blocks: Part::default(),
                    made: Some(made),
                    payments: Payments::default(),
                    qdn_categories: chain!(recorded qdn_categories: Vec<Value>),
                }
            }

            /// Returns an empty chain.
            #[cfg(feature = "scenarios")]
            fn empty() -> Self {
                Self {
                    $($table: Part::default(),)+
                    $($object: Part::Own(serde_json::json!({})),)+
                    blocks: Part::default(),
                    made: None,
                    payments: Payments::default(),
                    qdn_categories: Part::default(),
                }
            }

            /// Returns a table by its name.
            pub(crate) fn table(&mut self, name: &str) -> Option<&mut Vec<Value>> {
                match name {
                    $(stringify!($table) => Some(self.$table.own()),)+
                    _ => None,
                }
            }

            /// Returns the tables that every chain has.
            #[cfg(test)]
            pub(crate) fn tables(&self) -> impl Iterator<Item = &Part<Vec<Value>>> {
                [$(&self.$table),+].into_iter()
            }

            /// Returns the objects that every chain has.
            #[cfg(test)]
            fn objects(&self) -> impl Iterator<Item = &Part<Value>> {
                [$(&self.$object),+].into_iter()
            }
        }
    };
    (recorded $name:ident: $Part:ty) => {{
        static PART: LazyLock<$Part> = LazyLock::new(|| embedded!(stringify!($name), ".json"));
        Part::Recorded(&PART)
    }};
}

chain! {
    /// All data of a node. Each row has the form of the Core's response.
    #[derive(Debug, Clone)]
    tables {
        accounts, balances, names, reward_shares, online_accounts, minting_accounts,
        // By timestamp. Rows without `blockHeight` are unconfirmed.
        transactions,
        // `trade`: the trade. `completed`: time of redemption in ms. `hidden`: no longer offered.
        trades,
        // Online trade bots.
        presences, groups, group_members, polls, votes, chat, assets, orders, asset_trades,
        // `at`: the automated transaction. `atName`: the Core's name for its code, while it runs.
        ats, qdn_resources, qdn_hosted, qdn_content, peers_known
    }
    objects {
        // Address → primary name.
        primary_names,
        // Invites, join requests, bans and kicks, and counts that only the Core could produce.
        group_events,
        // Single responses and settings of the recorded node.
        facts
    }
    others {
        /// Blocks by height from 1, without gaps. Empty if blocks are made on demand.
        pub(crate) blocks: Part<Vec<Block>>,
        pub(crate) made: Option<MadeBlocks>,
        /// Additional transactions of a large chain.
        pub(crate) payments: Payments,
        pub(crate) qdn_categories: Part<Vec<Value>>,
    }
}

pub(crate) fn inflated(compressed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    DeflateDecoder::new(compressed).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the rows of a table.
pub(crate) fn rows(table: Value) -> Vec<Value> {
    match table {
        Value::Array(rows) => rows,
        other => vec![other],
    }
}

impl Chain {
    /// Returns the account row of an address.
    pub(crate) fn account(&self, address: &str) -> Option<&Value> {
        self.accounts.row("address", address)
    }

    /// Returns the address with the public key `key`.
    pub(crate) fn address_of_key(&self, key: &str) -> Option<&str> {
        let account = self.accounts.row("publicKey", key);
        account.map(|account| account.text("address"))
    }

    /// Returns an account's balance in units of 10⁻⁸, which is 0 for unknown accounts.
    pub(crate) fn balance(&self, address: &str, asset: i64) -> i64 {
        let mut rows = self.balances.iter();
        let row = rows.find(|row| row.text("address") == address && row.number("assetId") == asset);
        row.map_or(0, |row| row.amount("balance"))
    }

    /// Returns the primary name of an account.
    pub(crate) fn primary_name(&self, address: &str) -> Option<&str> {
        self.primary_names.get(address).and_then(Value::as_str)
    }

    /// Returns the height of the newest block.
    pub(crate) fn height(&self) -> i64 {
        match &self.made {
            Some(made) => made.tip,
            None => self.blocks.last().map_or(0, |block| block.height),
        }
    }

    /// Returns the newest block.
    pub(crate) fn tip(&self) -> Option<Cow<'_, Block>> {
        self.block(self.height())
    }

    /// Returns the block at a height.
    pub(crate) fn block(&self, height: i64) -> Option<Cow<'_, Block>> {
        if let Some(made) = &self.made {
            return made.block(height).map(Cow::Owned);
        }
        let index = usize::try_from(height.checked_sub(1)?).ok()?;
        self.blocks.get(index).map(Cow::Borrowed)
    }

    /// Returns the block with a signature.
    pub(crate) fn block_by_signature(&self, signature: &str) -> Option<Cow<'_, Block>> {
        if let Some(made) = &self.made {
            return made.by_signature(signature).map(Cow::Owned);
        }
        let mut blocks = self.blocks.iter();
        let found = blocks.find(|block| block.signature() == signature);
        found.map(Cow::Borrowed)
    }

    /// Returns `true` if the block at a height is in the archive.
    pub(crate) fn is_archived(&self, height: i64) -> bool {
        match &self.made {
            Some(made) => made.is_archived(height),
            None => self.block(height).is_some_and(|block| block.is_archived()),
        }
    }

    /// Returns the newest block at or before a time.
    pub(crate) fn block_at(&self, time: i64) -> Option<Cow<'_, Block>> {
        if let Some(made) = &self.made {
            return made.at(time).map(Cow::Owned);
        }
        let mut blocks = self.blocks.iter();
        let found = blocks.rfind(|block| block.timestamp() <= time);
        found.map(Cow::Borrowed)
    }

    /// Returns the heights of the blocks signed by one of the keys.
    pub(crate) fn signed_by(&self, keys: &[&str]) -> Vec<i64> {
        if let Some(made) = &self.made {
            return made.signed_by(keys);
        }
        let is_theirs = |block: &&Block| keys.contains(&block.row.text("minterPublicKey"));
        let blocks = self.blocks.iter().filter(is_theirs);
        blocks.map(|block| block.height).collect()
    }

    /// Returns `true` if an asset has this ID.
    pub(crate) fn has_asset(&self, asset: i64) -> bool {
        self.assets.iter().any(|row| row.number("assetId") == asset)
    }

    /// Returns the effective minting level of an account: 10 for founders, 0 for unknown accounts.
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

    /// Returns the reward share whose key begins with `start`.
    fn share_of_key(&self, start: &str) -> Option<&Value> {
        let mut shares = self.reward_shares.iter();
        shares.find(|share| share.text("rewardSharePublicKey").starts_with(start))
    }
}

fn recorded_blocks() -> Part<Vec<Block>> {
    static BLOCKS: LazyLock<Vec<Block>> = LazyLock::new(|| {
        let heights: Vec<Value> = embedded!("heights.json");
        let recorded: Vec<Value> = embedded!("blocks.json");
        blocks::assemble(&heights, &recorded, &Chain::recorded())
    });
    Part::Recorded(&BLOCKS)
}

#[cfg(test)]
pub(crate) mod tests;
