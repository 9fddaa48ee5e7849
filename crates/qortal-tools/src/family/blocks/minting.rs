//! The selection of the minter of each block.

use qortal_client::{
    ApiError, PageRequest,
    api::blocks::{BlockMinting, BlockSigner},
};
use qortal_types::{Address, Height, Timestamp};
use tool_schema::BoundedVec;

use crate::{
    declare::{AccountRef, Context, Cursor, Full, HeightRef, Page, Paging, Tool, ToolError},
    family::blocks::beyond_the_tip,
    support::primary_names::{Person, PrimaryNames},
};

params! {
    pub(crate) struct GetBlockMintingInfo {
        /// Block height.
        height: HeightRef<2>
    }
}

record! {
    pub(crate) struct MintingOfBlock from(minting: BlockMinting, height: Height) {
        /// Its place in the chain.
        height: Height = height,
        /// The minter. Absent if the current reward shares do not show it.
        minter_address: Option<Address>,
        /// The minter's level then.
        minter_level: u32,
        /// Online accounts.
        online_accounts_count: u32,
        /// The minter's distance to the block as a part of the largest one, weighted by level: the smaller, the earlier it may mint.
        key_distance_ratio: f64,
        /// The time of the block.
        timestamp: Timestamp,
        /// Milliseconds after the block before.
        time_delta: i64
    }
}

impl Tool for GetBlockMintingInfo {
    const NAME: &str = "get_block_minting_info";
    const TITLE: &str = "Block minting details";
    const DESCRIPTION: &str = "How a block was won: its minter's level, distance and time. The block: get_block_by_height.";
    const EXAMPLE: &str = r#"{"height":200}"#;
    const KEYWORDS: &str = "who minted block, distance, how block was won, mint info";
    type Output = MintingOfBlock;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let height = Height::new(self.height.value());
        let minting = cx.node.block_minting(height).await.map_err(|err| {
            if err.is(ApiError::BLOCK_UNKNOWN) {
                return beyond_the_tip(height);
            }
            if err.is(ApiError::INVALID_DATA) {
                return ToolError::not_found(
                    "Minting data not found.",
                    format!("The node no longer knows the level of the minter of block {height}. get_block_by_height returns the rest of it."),
                );
            }
            err.into()
        })?;
        Ok(MintingOfBlock::of(minting, height))
    }
}

params! {
    pub(crate) struct ListBlockSigners {
        /// Only these accounts.
        addresses: Option<BoundedVec<AccountRef, 20>>,
        #[flatten]
        page: Paging<20>,
        /// Fewest blocks first.
        reverse: bool = false
    }
}

record! {
    pub(crate) struct BlockSigners {
        /// The addresses of accounts given by name.
        resolved: Option<Vec<ResolvedAccount>>,
        /// The minting keys, most blocks first unless reversed.
        signers: Page<Signer>
    }

    pub(crate) struct ResolvedAccount {
        /// The account's address.
        address: Address,
        /// The registered name the address was found by.
        resolved_from: String
    }

    pub(crate) struct Signer from(it: BlockSigner, names: &PrimaryNames) {
        /// Blocks minted with the key.
        block_count: u64,
        /// The minter.
        minter: Person = names.person(it.minting_account),
        /// The rewarded account, for a reward share.
        recipient: Option<Person> = it.recipient_account.map(|it| names.person(it)),
        /// The key, if it was a reward share, in Base58.
        reward_share_public_key: Full<Option<String>> =
            Full(it.reward_share_public_key.map(|key| key.to_string()))
    }
}

impl Tool for ListBlockSigners {
    const NAME: &str = "list_block_signers";
    const TITLE: &str = "Block minters";
    const DESCRIPTION: &str = "Count the blocks minted with each key. Can take a minute. One account: list_blocks_by_minter.";
    const KEYWORDS: &str = "signer, who minted most, block count by key";
    const TABLE: Option<&str> = Some("signers");
    type Output = BlockSigners;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let accounts = self.addresses.map(BoundedVec::into_vec).unwrap_or_default();
        let accounts = cx.accounts("addresses", accounts).await?;
        let addresses: Vec<_> = accounts.iter().map(|it| it.address).collect();
        let resolved = accounts.into_iter().filter_map(|it| {
            Some(ResolvedAccount {
                address: it.address,
                resolved_from: it.resolved_from?,
            })
        });
        let resolved: Vec<_> = resolved.collect();
        // The Core counts upwards.
        let page: PageRequest = self.page.one_more(!self.reverse);
        let found = cx.node.block_signers(&addresses, page).await?;
        let found = self.page.of(cx, Cursor::Offset, found);
        let accounts = found.items.iter();
        let accounts = accounts.flat_map(|it| [Some(it.minting_account), it.recipient_account]);
        let names = PrimaryNames::of(cx, accounts.flatten().collect::<Vec<_>>()).await;
        Ok(BlockSigners {
            resolved: Some(resolved).filter(|it| !it.is_empty()),
            signers: found.map(|it| Signer::of(it, &names)),
        })
    }
}
