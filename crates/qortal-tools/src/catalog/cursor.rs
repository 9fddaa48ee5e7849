//! How each list goes on from one page to the next, and why.

/// How the next page of a list is found while the list changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cursor {
    /// The number of rows before it: a row that comes or goes moves others to another page.
    Offset,
    /// The last row, wherever that is by then.
    AfterRow,
    /// The time or the block at which the list was read first: rows that come later are not in it.
    Pinned,
    /// The last block of the first page. The list is by blocks, so `--all` reads it in windows of blocks, each of which costs the node
    /// its own rows only.
    Blocks,
    /// The same, of facts that the node lists by the times of blocks.
    BlockTimes,
}

use Cursor::{AfterRow, BlockTimes, Blocks, Offset, Pinned};

/// The cursor of each tool whose rows have an order that changes, and the reason. A list that is not here is one of a block, of a
/// publication or of candles, which does not change.
const CURSORS: &[(&str, Cursor, &str)] = &[
    ("find_payments", Blocks, "each row is in a block"),
    ("get_account_activity", Blocks, "each row is in a block"),
    ("get_group_history", Blocks, "each row is in a block"),
    ("list_account_trades", Blocks, "each offer is in a block"),
    (
        "list_transactions_by_address",
        Blocks,
        "each row is in a block",
    ),
    (
        "list_transactions_by_creator",
        Blocks,
        "each row is in a block",
    ),
    ("search_qdn", Blocks, "each publication is in a block"),
    ("search_transactions", Blocks, "each row is in a block"),
    (
        "get_account_ledger",
        BlockTimes,
        "the account's list is read for its balances whatever the range",
    ),
    (
        "get_trade_ledger",
        BlockTimes,
        "trades have the times of their blocks",
    ),
    (
        "list_completed_trades",
        BlockTimes,
        "trades have the times of their blocks",
    ),
    (
        "get_group_members",
        AfterRow,
        "by the Core's order of addresses",
    ),
    ("get_names_by_address", AfterRow, "by name, of one account"),
    ("list_assets", AfterRow, "by number"),
    ("list_groups", AfterRow, "by name, size or age"),
    ("list_names", AfterRow, "by name"),
    ("list_names_for_sale", AfterRow, "by name or price"),
    (
        "list_pending_transactions",
        AfterRow,
        "a decision takes a row away",
    ),
    ("list_polls", AfterRow, "by name"),
    (
        "list_reward_shares",
        AfterRow,
        "the Core's order says nothing about them",
    ),
    ("search_names", AfterRow, "by name"),
    ("get_chat_messages", Pinned, "chat is in no block"),
    ("list_asset_orders", Pinned, "three lists by time are one"),
    (
        "list_asset_transfers",
        Pinned,
        "the node has no range of them",
    ),
    (
        "list_blocks_by_minter",
        Pinned,
        "the node has no range of them",
    ),
    (
        "list_group_kicks",
        Pinned,
        "the node lists them by time only",
    ),
    (
        "list_trade_offers",
        Pinned,
        "an offer that is taken leaves the list",
    ),
    (
        "list_unconfirmed_transactions",
        Pinned,
        "what waits is in no block",
    ),
    (
        "search_qdn_resources",
        Pinned,
        "the node lists them by time only",
    ),
    (
        "check_publications",
        Offset,
        "what is complete changes while it loads",
    ),
    (
        "get_active_chats",
        Offset,
        "a message moves its room to the front",
    ),
    ("get_app_ratings", Offset, "a vote moves an app"),
    ("get_asset_balances", Offset, "a payment moves two accounts"),
    ("get_chat_activity", Offset, "a message moves its sender"),
    ("get_group_bans", Offset, "the Core lists them in no order"),
    (
        "get_group_invites_by_address",
        Offset,
        "the Core lists them in no order",
    ),
    (
        "get_group_invites_by_group",
        Offset,
        "the Core lists them in no order",
    ),
    (
        "get_group_join_requests",
        Offset,
        "the Core lists them in no order",
    ),
    ("get_group_rankings", Offset, "each count moves an account"),
    (
        "get_group_requests",
        Offset,
        "the Core lists them in no order",
    ),
    ("get_poll", Offset, "the Core lists votes in no order"),
    ("get_trade_order_book", Offset, "an offer moves the levels"),
    (
        "list_accounts_by_level",
        Offset,
        "a new level moves an account",
    ),
    ("list_block_signers", Offset, "each block moves a key"),
    (
        "list_hidden_trade_offers",
        Offset,
        "one node hides them at the time",
    ),
    (
        "list_hosted_qdn",
        Offset,
        "each download moves a publication",
    ),
    (
        "list_online_minters",
        Offset,
        "accounts come online and leave",
    ),
    ("list_peers", Offset, "peers connect and disconnect"),
    (
        "list_pending_approvals",
        Offset,
        "the Core lists them in no order",
    ),
    (
        "search_hosted_qdn",
        Offset,
        "each download moves a publication",
    ),
    ("search_qdn_index", Offset, "the best matches of one node"),
];

impl Cursor {
    /// The cursor of a tool, with the reason; `None` for one whose list does not change.
    pub(crate) fn of(tool: &str) -> Option<(Self, &'static str)> {
        let mut cursors = CURSORS.iter();
        let found = cursors.find(|(name, ..)| *name == tool);
        found.map(|(_, cursor, why)| (*cursor, *why))
    }

    /// Whether `--all` reads the list by its blocks.
    pub(crate) const fn is_by_blocks(self) -> bool {
        matches!(self, Self::Blocks | Self::BlockTimes)
    }
}
