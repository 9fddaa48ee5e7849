//! The continuation of each list from one page to the next, with its reason.

/// The method of finding the next page of a list that changes between calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CursorKind {
    /// Counts the rows before the page. An added or removed row shifts others to another page.
    Offset,
    /// Continues after the last row, wherever it is by then.
    AfterRow,
    /// Fixes the time or the block at which the list was first read. Rows added later are left out.
    Pinned,
    /// Fixes the last block of the first page. The list is ordered by block, so `--all` reads it in windows of blocks,
    /// each of which costs the node its own rows only.
    Blocks,
    /// Like [`Blocks`](Self::Blocks), for lists that cost the node the same in any window, so it is a large one.
    LargeBlocks,
}

use CursorKind::{AfterRow, Blocks, LargeBlocks, Offset, Pinned};

/// The cursor of each tool whose rows have a changing order, with the reason. Lists that are missing here belong to a
/// block, a publication or candles and do not change.
const CURSORS: &[(CursorKind, &str, &str)] = &[
    (
        Blocks,
        "each row is in a block",
        "find_payments get_account_activity get_group_history list_account_trades \
            list_transactions_by_address list_transactions_by_creator search_qdn search_transactions",
    ),
    (
        LargeBlocks,
        "the node has them by the times of blocks, or reads the account's list for its balances whatever the range",
        "get_account_ledger get_trade_ledger list_completed_trades",
    ),
    (
        AfterRow,
        "each row has a name, a number or a key, mostly in this order",
        "get_group_members get_names_by_address list_assets list_groups list_names list_names_for_sale \
            list_polls list_reward_shares search_names",
    ),
    (
        AfterRow,
        "a decision takes a row away",
        "list_pending_transactions",
    ),
    (
        Pinned,
        "what is shown is in no block, or the node has it by time only",
        "get_chat_messages list_asset_orders list_asset_transfers list_blocks_by_minter list_group_kicks \
            list_unconfirmed_transactions search_qdn_resources",
    ),
    (
        Pinned,
        "an offer that is taken leaves the list",
        "list_trade_offers",
    ),
    (
        Offset,
        "the Core lists them in no order",
        "get_group_bans get_group_invites_by_address get_group_invites_by_group get_group_join_requests \
            get_group_requests get_poll list_pending_approvals",
    ),
    (
        Offset,
        "what is complete changes while it loads",
        "check_publications",
    ),
    (
        Offset,
        "a message moves its room or its sender to the front",
        "get_active_chats get_chat_activity",
    ),
    (Offset, "a vote moves an app", "get_app_ratings"),
    (Offset, "a payment moves two accounts", "get_asset_balances"),
    (
        Offset,
        "each count moves an account",
        "get_group_rankings get_trade_rankings",
    ),
    (Offset, "an offer moves the levels", "get_trade_order_book"),
    (
        Offset,
        "a new level moves an account",
        "list_accounts_by_level",
    ),
    (Offset, "each block moves a key", "list_block_signers"),
    (
        Offset,
        "one node hides them at the time",
        "list_hidden_trade_offers",
    ),
    (
        Offset,
        "each download moves a publication",
        "list_hosted_qdn search_hosted_qdn",
    ),
    (
        Offset,
        "accounts come online and leave",
        "list_online_minters",
    ),
    (Offset, "peers connect and disconnect", "list_peers"),
    (Offset, "the best matches of one node", "search_qdn_index"),
];

impl CursorKind {
    /// Returns the cursor of a tool with the reason, or `None` if its list does not change.
    pub(crate) fn of(tool: &str) -> Option<(Self, &'static str)> {
        let mut cursors = CURSORS.iter();
        let found = cursors.find(|(.., tools)| tools.split(' ').any(|it| it == tool));
        found.map(|(cursor, why, _)| (*cursor, *why))
    }

    /// Returns a warning about the rows of a tool's list if it continues by offset, or `None` for other lists.
    pub(crate) fn caveat(tool: &str) -> Option<String> {
        let (_, why) = Self::of(tool).filter(|(cursor, _)| *cursor == Offset)?;
        Some(format!(
            "A row of this list can come twice or be left out while the list changes: {why}."
        ))
    }

    /// Returns whether `--all` reads the list by its blocks.
    pub(crate) const fn is_by_blocks(self) -> bool {
        matches!(self, Self::Blocks | Self::LargeBlocks)
    }
}
