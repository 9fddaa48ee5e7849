//! The chain: tables of rows in the form of the Core's own answers, read from the embedded data.

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

/// The null account, owner of what the genesis block made.
pub(crate) const NULL_ACCOUNT: &str = "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG";
/// The public key of the null account.
pub(crate) const NULL_KEY: &str = "11111111111111111111111111111111";

/// The level founders count as.
const FOUNDER_LEVEL: i64 = 10;

/// What a file below `data/` holds. The build script compressed it.
macro_rules! embedded {
    ($($file:expr),+) => {
        $crate::chain::inflated(include_bytes!(concat!(env!("OUT_DIR"), "/", $($file),+)))
            .and_then(|json| Ok(serde_json::from_slice(&json)?))
            .expect(concat!("a test of this crate reads ", $($file),+))
    };
}

pub(crate) use embedded;

/// Declares the chain: the parts that are files below `data/`, one of the recorded chain and one of the demo, and the others.
macro_rules! chain {
    ($(#[$doc:meta])* tables { $($table:ident),+ } objects { $($object:ident),+ } others { $($others:tt)+ }) => {
        $(#[$doc])*
        pub(crate) struct Chain {
            $(pub(crate) $table: Part<Vec<Value>>,)+
            $(pub(crate) $object: Part<Value>,)+
            $($others)+
        }

        impl Chain {
            /// The recorded chain. Nothing is read before it is needed, and then once in a process.
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

            /// The tables of the demo; `read` changes what stands in a file to what it means.
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

            /// A chain without anything.
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

            /// A table by its name.
            pub(crate) fn table(&mut self, name: &str) -> Option<&mut Vec<Value>> {
                match name {
                    $(stringify!($table) => Some(self.$table.own()),)+
                    _ => None,
                }
            }

            /// The tables that every chain has.
            #[cfg(test)]
            pub(crate) fn tables(&self) -> impl Iterator<Item = &Part<Vec<Value>>> {
                [$(&self.$table),+].into_iter()
            }

            /// The objects that every chain has.
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
    /// Everything a node knows; each row has the form in which the Core answers it.
    #[derive(Debug, Clone)]
    tables {
        accounts, balances, names, reward_shares, online_accounts, minting_accounts,
        // By timestamp; those without `blockHeight` are unconfirmed.
        transactions,
        // `trade`: the trade; `completed`: ms when it was redeemed; `hidden`: not offered any more.
        trades,
        // Which trade bots are online.
        presences, groups, group_members, polls, votes, chat, assets, orders, asset_trades,
        // `at`: the automated transaction; `atName`: what the Core calls its code, while it runs.
        ats, qdn_resources, qdn_hosted, qdn_content, peers_known
    }
    objects {
        // Address → primary name.
        primary_names,
        // Invites, join requests, bans and kicks, and what only the Core could count.
        group_events,
        // Single answers and settings of the recorded node.
        facts
    }
    others {
        /// By height, without gaps, beginning with height 1; none if they are made when they are asked for.
        pub(crate) blocks: Part<Vec<Block>>,
        pub(crate) made: Option<MadeBlocks>,
        /// More transactions, on a large chain.
        pub(crate) payments: Payments,
        pub(crate) qdn_categories: Part<Vec<Value>>,
    }
}

pub(crate) fn inflated(compressed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    DeflateDecoder::new(compressed).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The rows of a table.
pub(crate) fn rows(table: Value) -> Vec<Value> {
    match table {
        Value::Array(rows) => rows,
        other => vec![other],
    }
}

impl Chain {
    /// The account row of an address.
    pub(crate) fn account(&self, address: &str) -> Option<&Value> {
        self.accounts.row("address", address)
    }

    /// The address whose public key is `key`.
    pub(crate) fn address_of_key(&self, key: &str) -> Option<&str> {
        let account = self.accounts.row("publicKey", key);
        account.map(|account| account.text("address"))
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
        match &self.made {
            Some(made) => made.tip,
            None => self.blocks.last().map_or(0, |block| block.height),
        }
    }

    /// The newest block.
    pub(crate) fn tip(&self) -> Option<Cow<'_, Block>> {
        self.block(self.height())
    }

    /// The block at a height.
    pub(crate) fn block(&self, height: i64) -> Option<Cow<'_, Block>> {
        if let Some(made) = &self.made {
            return made.block(height).map(Cow::Owned);
        }
        let index = usize::try_from(height.checked_sub(1)?).ok()?;
        self.blocks.get(index).map(Cow::Borrowed)
    }

    /// The block with a signature.
    pub(crate) fn block_by_signature(&self, signature: &str) -> Option<Cow<'_, Block>> {
        if let Some(made) = &self.made {
            return made.by_signature(signature).map(Cow::Owned);
        }
        let mut blocks = self.blocks.iter();
        let found = blocks.find(|block| block.signature() == signature);
        found.map(Cow::Borrowed)
    }

    /// Whether the block at a height is in the archive.
    pub(crate) fn is_archived(&self, height: i64) -> bool {
        match &self.made {
            Some(made) => made.is_archived(height),
            None => self.block(height).is_some_and(|block| block.is_archived()),
        }
    }

    /// The newest block that is not younger than a moment.
    pub(crate) fn block_at(&self, time: i64) -> Option<Cow<'_, Block>> {
        if let Some(made) = &self.made {
            return made.at(time).map(Cow::Owned);
        }
        let mut blocks = self.blocks.iter();
        let found = blocks.rfind(|block| block.timestamp() <= time);
        found.map(Cow::Borrowed)
    }

    /// The heights of the blocks that one of some keys signed.
    pub(crate) fn signed_by(&self, keys: &[&str]) -> Vec<i64> {
        if let Some(made) = &self.made {
            return made.signed_by(keys);
        }
        let is_theirs = |block: &&Block| keys.contains(&block.row.text("minterPublicKey"));
        let blocks = self.blocks.iter().filter(is_theirs);
        blocks.map(|block| block.height).collect()
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

    /// The reward share whose key begins with `start`.
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
