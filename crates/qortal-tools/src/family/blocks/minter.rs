//! The blocks of one minter.

use std::cmp::Reverse;

use qortal_client::{ApiError, PageRequest};

use crate::{
    declare::{
        Account, AccountRef, Context, Cursor, NodeResult, Page, Paging, Range, Reply, Tool,
        ToolError,
    },
    family::blocks::lists::BlockHead,
};

/// Maximum number of the latest blocks that are read to find those in a range.
const MOST_BLOCKS: u32 = 5_000;

params! {
    pub(crate) struct ListBlocksByMinter {
        /// Minter.
        address: AccountRef,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<10, 50, 1_000>
    }
}

record! {
    pub(crate) struct BlocksOfMinter {
        /// The account's address.
        address: Account,
        /// The blocks, the latest first.
        blocks: Page<BlockHead>
    }
}

impl Tool for ListBlocksByMinter {
    const NAME: &str = "list_blocks_by_minter";
    const TITLE: &str = "Blocks by minter";
    const DESCRIPTION: &str =
        "The latest blocks minted by one account. Counts of all: list_block_signers.";
    const EXAMPLE: &str = r#"{"address":"Alice Test","limit":3}"#;
    const KEYWORDS: &str = "block minted by account, last block I minted, did I mint a block";
    const TABLE: Option<&str> = Some("blocks");
    type Output = Reply<BlocksOfMinter>;

    /// Takes each page from the beginning of archive and database. The Core cuts both at the same offset, and returns
    /// nothing once the archive's part is empty.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let range = self.range.settled_blocks(cx, true).await?;
        let later = match range.last().filter(|_| self.range.has_end()) {
            Some(last) => cx
                .node
                .height()
                .await?
                .number()
                .saturating_sub(last.number()),
            None => 0,
        };
        let page = self.page.offset.saturating_add(self.page.limit);
        // The number of later blocks is an upper bound on those that the account minted.
        let wanted = if range.begins_at_genesis() {
            page.saturating_add(later).min(page.max(MOST_BLOCKS))
        } else {
            MOST_BLOCKS
        };
        let page = PageRequest::last(wanted.saturating_add(1));
        let blocks = cx.node.blocks_of_signer(&found.address, page).await;
        let blocks = blocks.none_if(ApiError::PUBLIC_KEY_NOT_FOUND)?;
        let has_key = blocks.is_some();
        let mut blocks = blocks.unwrap_or_default();
        let is_empty = blocks.is_empty();
        blocks.sort_by_cached_key(|it| Reverse(it.height));
        blocks.dedup_by_key(|it| it.height);
        let is_more = blocks.len().saturating_add(cx.rows_left_out()) > wanted as usize;
        blocks.retain(|it| range.has(it.height));
        let blocks = self
            .page
            .of_whole(cx, Cursor::Offset, blocks)
            .or_more(is_more);
        let has_archived = blocks.items.iter().any(|it| it.timestamp.is_none());
        let reply = Reply::new(BlocksOfMinter {
            address: found,
            blocks: blocks.map(BlockHead::of),
        });
        Ok(reply
            .note_if(
                !has_key,
                "The chain does not know the account's public key, so it has minted nothing.",
            )
            .note_if(
                has_key && is_empty,
                "The node also returns nothing if none of the account's blocks is old enough to be in the archive. list_block_signers with this address counts all of them.",
            )
            .note_if(
                has_archived,
                "Of blocks in the archive the node returns no time and no number of transactions here. get_block_by_height returns both.",
            ))
    }
}
