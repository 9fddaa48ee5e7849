//! The continuation of each list from one page to the next, with its reason.
//!
//! Lists that are missing here belong to a block, a publication or candles and do not change, or are pinned: the first
//! page fixes the time or the block at which the list is read, and rows added later are left out. Pinned are
//!
//! - get_chat_messages, list_asset_orders, list_asset_transfers, list_blocks_by_minter, list_group_kicks,
//!   list_unconfirmed_transactions and search_qdn_resources, because what is shown is in no block, or the node has it
//!   by time only
//! - list_trade_offers, because an offer that is taken leaves the list

/// The method of finding the next page of a list that changes between calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CursorKind {
    /// Continues after the last row, wherever it is by then.
    AfterRow,
    /// Fixes the last block of the first page. The list is ordered by block, so `--all` reads it in windows of blocks,
    /// each of which costs the node its own rows only.
    Blocks,
    /// Like [`Blocks`](Self::Blocks), for lists that cost the node the same in any window, so it is a large one.
    LargeBlocks,
}

use CursorKind::{AfterRow, Blocks, LargeBlocks};

/// Lists that continue at a row or a block.
const CURSORS: &[(CursorKind, &str)] = &[
    // Each row is in a block.
    (
        Blocks,
        "find_payments get_account_activity get_group_history list_account_trades \
            list_transactions_by_address list_transactions_by_creator search_qdn search_transactions",
    ),
    // The node has them by the times of blocks, or reads the account's list for its balances whatever the range.
    (
        LargeBlocks,
        "get_account_ledger get_trade_ledger list_completed_trades",
    ),
    // Each row has a name, a number or a key, mostly in this order. A decision takes a pending transaction away.
    (
        AfterRow,
        "get_group_members get_names_by_address list_assets list_groups list_names list_names_for_sale \
            list_pending_transactions list_polls list_reward_shares search_names",
    ),
];

/// Lists that continue after the same number of rows, with the reason. An added or removed row shifts others to another
/// page.
const OFFSETS: &[(&str, &str)] = &[
    (
        "the Core lists them in no order",
        "get_group_bans get_group_invites_by_address get_group_invites_by_group get_group_join_requests \
            get_group_requests get_poll list_pending_approvals",
    ),
    (
        "what is complete changes while it loads",
        "check_publications",
    ),
    (
        "a message moves its room or its sender to the front",
        "get_active_chats get_chat_activity",
    ),
    ("a vote moves an app", "get_app_ratings"),
    ("a payment moves two accounts", "get_asset_balances"),
    (
        "each count moves an account",
        "get_group_rankings get_trade_rankings",
    ),
    ("an offer moves the levels", "get_trade_order_book"),
    ("a new level moves an account", "list_accounts_by_level"),
    ("each block moves a key", "list_block_signers"),
    (
        "one node hides them at the time",
        "list_hidden_trade_offers",
    ),
    (
        "each download moves a publication",
        "list_hosted_qdn search_hosted_qdn",
    ),
    ("accounts come online and leave", "list_online_minters"),
    ("peers connect and disconnect", "list_peers"),
    ("the best matches of one node", "search_qdn_index"),
];

impl CursorKind {
    /// Returns the cursor of a tool, or `None` if its list has another or does not change.
    pub(crate) fn of(tool: &str) -> Option<Self> {
        let found = CURSORS.iter().find(|(_, tools)| has(tools, tool));
        found.map(|(cursor, _)| *cursor)
    }

    /// Returns a warning about the rows of a tool's list if it continues by offset, or `None` for other lists.
    pub(crate) fn caveat(tool: &str) -> Option<String> {
        let (why, _) = OFFSETS.iter().find(|(_, tools)| has(tools, tool))?;
        Some(format!(
            "A row of this list can come twice or be left out while the list changes: {why}."
        ))
    }
}

fn has(tools: &str, tool: &str) -> bool {
    tools.split(' ').any(|it| it == tool)
}
