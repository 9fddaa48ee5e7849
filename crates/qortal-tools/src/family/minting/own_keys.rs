//! The accounts the node itself mints for.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::try_join_all;
use qortal_types::Address;

use crate::{
    declare::{Context, Full, Reply, Tool, ToolError, count},
    family::accounts::known_account,
    support::{primary_names::PrimaryNames, untrusted::Untrusted},
};

/// Maximum number of keys shown. The Core itself mints with few.
const KEYS_SHOWN: usize = 50;

params! { pub(crate) struct ListMintingAccounts; }

record! {
    pub(crate) struct MintingAccounts {
        /// The number of the node's minting keys.
        total: u32,
        /// The keys, at most 50.
        keys: Vec<MintingKey>
    }

    pub(crate) struct MintingKey {
        /// The minter. For a key without a reward share on the chain, the key's own account.
        minter: Option<Address>,
        /// The name the minter goes by.
        minter_name: Option<Untrusted>,
        /// The minter's level, 0 to 10. Absent if the minter never appeared on the chain.
        level: Option<u32>,
        /// Whether the key is a reward share on the chain. Otherwise it mints nothing.
        is_reward_share: bool,
        /// The rewarded account. Absent if it is the minter.
        recipient: Option<Address>,
        /// The name the recipient goes by.
        recipient_name: Option<Untrusted>,
        /// The public key, in Base58.
        public_key: Full<String>
    }
}

impl Tool for ListMintingAccounts {
    const NAME: &str = "list_minting_accounts";
    const TITLE: &str = "Node minting accounts";
    const DESCRIPTION: &str =
        "Accounts the user's own node mints for. Status of each: get_minting_status.";
    const KEYWORDS: &str =
        "mint key, minting key, mint key on node, account of my node mint, own mint account";
    type Output = Reply<MintingAccounts>;

    /// Takes two rounds of requests: the keys, then names and levels of their accounts.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        cx.require_own_node()?;
        let mut keys = cx.node.minting_accounts().await?;
        let total = count(keys.len());
        keys.truncate(KEYS_SHOWN);
        let minters: BTreeSet<Address> = keys
            .iter()
            .filter_map(|it| it.minting_account.or(it.address))
            .collect();
        let accounts = minters
            .iter()
            .chain(keys.iter().filter_map(|it| it.recipient_account.as_ref()));
        let levels = try_join_all(minters.iter().map(async |it| {
            let account = known_account(&cx.node, it).await?;
            Ok(account.map(|account| (*it, account.level)))
        }));
        let (names, levels) = tokio::join!(PrimaryNames::of(cx, accounts.copied()), levels,);
        let levels = cx.part("Levels are", levels).unwrap_or_default();
        let levels: BTreeMap<Address, u32> = levels.into_iter().flatten().collect();
        let keys = keys.into_iter().map(|it| {
            let minter = it.minting_account.or(it.address);
            let recipient = it.recipient_account.filter(|it| Some(*it) != minter);
            MintingKey {
                minter,
                minter_name: minter.and_then(|it| names.get(&it)),
                level: minter.and_then(|it| levels.get(&it).copied()),
                is_reward_share: it.minting_account.is_some(),
                recipient,
                recipient_name: recipient.and_then(|it| names.get(&it)),
                public_key: Full(it.public_key.to_string()),
            }
        });
        let reply = Reply::new(MintingAccounts {
            total,
            keys: keys.collect(),
        });
        Ok(reply.note_if(
            total == 0,
            "The node mints for no account: its owner has not added a minting key.",
        ))
    }
}
