//! Consecutive blocks: their heads, or all of them.

use qortal_client::api::blocks::{Block, BlockRange, BlockSummary, SummaryRange};
use qortal_types::{Height, Timestamp};
use tool_schema::CappedInt;

use crate::{
    declare::{Context, Full, HeightRef, Page, Reply, Tool, ToolError},
    family::blocks::BlockInfo,
};

/// Default number of summaries on a page. A summary takes some 450 bytes.
const USUAL_SUMMARIES: u32 = 20;
/// Maximum number of blocks. The Core queries its database twice for each block, and sets no limit on their number.
const MOST: u32 = 100;
/// Maximum number of Base58 characters of online signatures shown for one block. A batch block of the main network has
/// 400,000.
const SIGNATURES_SHOWN: usize = 2_000;

params! {
    pub(crate) struct ListBlockSummaries {
        /// First height.
        start: CappedInt<1, 2_147_483_647>,
        /// Exclusive end height.
        end: CappedInt<1, 2_147_483_647>,
        /// Number of blocks.
        count: CappedInt<1, MOST> = CappedInt::from_const(USUAL_SUMMARIES)
    }
}

record! {
    pub(crate) struct BlockSummaries {
        /// The blocks, the lowest first.
        blocks: Page<BlockHead>
    }

    pub(crate) struct BlockHead from(it: BlockSummary) {
        /// Its place in the chain.
        height: Height,
        /// Its signature, Base58 of 128 bytes.
        signature: Full<String> = Full(it.signature.to_string()),
        /// The time of the block.
        timestamp: Option<Timestamp>,
        /// The reward-share key it was minted with, in Base58.
        minter_public_key: Full<String> = Full(it.minter_public_key.to_string()),
        /// Transactions in it.
        transaction_count: Option<u32>,
        /// Online accounts sharing the reward. 0 within a batch.
        online_accounts_count: Option<u32>
    }
}

impl Tool for ListBlockSummaries {
    const NAME: &str = "list_block_summaries";
    const TITLE: &str = "Block summaries";
    const DESCRIPTION: &str = "Heads of blocks from height start up to, not including, end. Whole blocks: list_block_range.";
    const EXAMPLE: &str = r#"{"start":340,"end":361}"#;
    const KEYWORDS: &str =
        "block list, short block, block heads, block took, time between block, how long block take";
    const TABLE: Option<&str> = Some("blocks");
    type Output = BlockSummaries;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let (start, end) = (self.start.value(), self.end.value());
        let limit = self.count.value();
        let wanted = end.saturating_sub(start);
        if wanted == 0 {
            return Err(ToolError::argument(
                "end",
                "Invalid argument.",
                format!("is {end}, which is not above `start`"),
                "a height above `start`",
            ));
        }
        // The Core refuses all three together. Its response to a start and an end has no limit.
        let range = SummaryRange::From {
            start: Height::new(start),
            count: wanted.min(limit.saturating_add(1)),
        };
        let found = cx.node.block_summaries(range).await?;
        if found.is_empty() {
            return Err(super::beyond_the_tip(Height::new(start)));
        }
        let blocks = Page::first(cx, limit, found).map(BlockHead::of);
        Ok(BlockSummaries {
            blocks: blocks.beginning_at(cx, "start", move |rows| start.saturating_add(rows)),
        })
    }
}

params! {
    pub(crate) struct ListBlockRange {
        /// First height.
        height: HeightRef,
        /// Number of blocks.
        count: CappedInt<1, MOST>,
        /// Descending heights.
        reverse: bool = false,
        /// Include signatures of online accounts.
        include_online_signatures: bool = false
    }
}

record! {
    pub(crate) struct Blocks {
        /// The blocks, from the first height on.
        blocks: Page<BlockInfo>
    }
}

impl Tool for ListBlockRange {
    const NAME: &str = "list_block_range";
    const TITLE: &str = "Block range";
    const DESCRIPTION: &str =
        "Whole consecutive blocks from a height up or down. Shorter: list_block_summaries.";
    const EXAMPLE: &str = r#"{"height":466,"count":3}"#;
    const KEYWORDS: &str = "block range, several block, consecutive block";
    type Output = Reply<Blocks>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let limit = self.count.value();
        let start = self.height.value();
        let range = BlockRange::new(Height::new(start), limit.saturating_add(1))
            .with_reverse(self.reverse)
            .with_include_online_signatures(self.include_online_signatures);
        let found = cx.node.block_range(range).await?;
        if found.is_empty() {
            return Err(super::beyond_the_tip(Height::new(start)));
        }
        let page = Page::first(cx, limit, found);
        let left_out = page.items.iter().filter(|it| has_too_many(it)).count();
        let further = move |rows| match self.reverse {
            true => start.saturating_sub(rows),
            false => start.saturating_add(rows),
        };
        let blocks = page.map(with_signatures);
        let reply = Reply::new(Blocks {
            blocks: blocks.beginning_at(cx, "height", further),
        });
        Ok(reply.note_if(self.include_online_signatures && left_out > 0, format!(
                "The signatures of {left_out} blocks were left out, as they have more than {SIGNATURES_SHOWN} characters."
            )))
    }
}

fn has_too_many(block: &Block) -> bool {
    block
        .online_accounts_signatures
        .as_ref()
        .is_some_and(|it| it.len() > SIGNATURES_SHOWN)
}

fn with_signatures(block: Block) -> BlockInfo {
    let is_shown = !has_too_many(&block);
    let signatures = block.online_accounts_signatures.clone();
    BlockInfo {
        online_accounts_signatures: signatures.filter(|it| is_shown && !it.is_empty()),
        ..BlockInfo::of(block)
    }
}
