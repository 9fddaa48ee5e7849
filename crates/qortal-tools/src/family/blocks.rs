//! Tools about blocks.

mod lists;
mod minter;
mod minting;
mod signature;
mod time;

use qortal_client::{ApiError, api::blocks::Block};
use qortal_types::{Address, Amount, Height, Timestamp};

use crate::declare::{Context, Full, HeightRef, NodeResult, Reply, Tool, ToolError};

family! {
    "blocks", "How long is the chain, and what is in a block?":
    GetBlockHeight,
    GetBlockByHeight,
    signature::GetBlockBySignature,
    signature::GetBlockHeightBySignature,
    time::GetBlockAtTimestamp,
    GetFirstBlock,
    GetLastBlock,
    lists::ListBlockSummaries,
    lists::ListBlockRange,
    minting::GetBlockMintingInfo,
    minting::ListBlockSigners,
    minter::ListBlocksByMinter,
}

record! {
    pub(crate) struct BlockInfo from(it: Block) {
        /// Its place in the chain. The genesis block is 1.
        height: Height,
        /// Its signature, Base58 of 128 bytes.
        signature: Full<String> = Full(it.signature.to_string()),
        /// The signature of the block before it.
        reference: Full<String> = Full(it.reference.to_string()),
        /// The time of the block.
        timestamp: Timestamp,
        /// The minter. Absent if the current reward shares do not show it.
        minter_address: Option<Address>,
        /// The reward-share key it was minted with, in Base58.
        minter_public_key: Full<String> = Full(it.minter_public_key.to_string()),
        /// The minter's level today.
        minter_level: Option<u32>,
        /// Transactions in it.
        transaction_count: u32,
        /// Their fees together, in QORT.
        total_fees: Amount,
        /// Automated transactions run in it.
        at_count: u32,
        /// The fees they paid, in QORT.
        at_fees: Amount,
        /// Online accounts sharing the reward. 0 within a batch, where blocks do not record it.
        online_accounts_count: u32,
        /// Their online time. Absent in a batch.
        online_accounts_timestamp: Option<Timestamp>,
        /// Version of the block's format.
        version: u32,
        /// The signatures of the online accounts, in Base58. Only on request.
        online_accounts_signatures: Option<String> = None
    }
}

impl BlockInfo {
    /// Returns the answer about one block.
    fn reply(self) -> Reply<Self> {
        let is_silent = self.online_accounts_count == 0;
        Reply::new(self).note_if(is_silent, "onlineAccountsCount 0 does not mean that no one was online: most blocks do not carry it, as rewards are paid in batches. list_online_minters says who is now.")
    }
}

params! { struct GetBlockHeight; }

record! {
    struct ChainHeight {
        /// The height of the last block.
        height: Height
    }
}

impl Tool for GetBlockHeight {
    const NAME: &str = "get_block_height";
    const TITLE: &str = "Chain height";
    const DESCRIPTION: &str = "Height of the chain. The block: get_last_block.";
    const KEYWORDS: &str = "height, current height, chain height, block count";
    type Output = ChainHeight;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let height = cx.node.height().await?;
        Ok(ChainHeight { height })
    }
}

params! {
    struct GetBlockByHeight {
        /// Block height. The genesis block is 1.
        height: HeightRef
    }
}

impl Tool for GetBlockByHeight {
    const NAME: &str = "get_block_by_height";
    const TITLE: &str = "Block by height";
    const DESCRIPTION: &str =
        "One block: when and by whom it was minted, transactions, fees, online accounts.";
    const EXAMPLE: &str = r#"{"height":200}"#;
    const KEYWORDS: &str = "block, block by number, block number, who minted block";
    type Output = Reply<BlockInfo>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let height = Height::new(self.height.value());
        let block = cx
            .node
            .block_at(height)
            .await
            .error_if(ApiError::BLOCK_UNKNOWN, || beyond_the_tip(height))?;
        Ok(BlockInfo::of(block).reply())
    }
}

fn beyond_the_tip(height: Height) -> ToolError {
    ToolError::not_found(
        "Block not found.",
        format!(
            "The chain on this node does not reach height {height}. get_block_height returns its height."
        ),
    )
}

params! { struct GetFirstBlock; }

impl Tool for GetFirstBlock {
    const NAME: &str = "get_first_block";
    const TITLE: &str = "First block";
    const DESCRIPTION: &str = "The genesis block.";
    const KEYWORDS: &str = "genesis, first block, start of chain";
    type Output = BlockInfo;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        Ok(BlockInfo::of(cx.node.first_block().await?))
    }
}

params! { struct GetLastBlock; }

impl Tool for GetLastBlock {
    const NAME: &str = "get_last_block";
    const TITLE: &str = "Last block";
    const DESCRIPTION: &str = "The newest block. Only its height: get_block_height.";
    const KEYWORDS: &str = "last block, tip, newest block, who minted last block";
    type Output = Reply<BlockInfo>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        Ok(BlockInfo::of(cx.node.last_block().await?).reply())
    }
}
